/** Documents that folders and files give to policies. */
import { expect, test } from 'vitest';
import type { Hover, Location } from 'vscode-languageserver-types';
import { Editor } from '../../../test/harness/language/editor.js';

const files = {
  'policy/main.rego': `package main

import rego.v1

import data.acl
import data.nowhere

allow if acl.users[input.user]

deny if data.acl.users[input.user].blocked

note if data.acl.nothing[input.user]
`,
  'policy/other.rego': 'package other\n\nready if data.main.allow\n',
  'acl/data.yaml': 'users:\n  ann:\n    blocked: false\n',
};

test('an import of a folder leads to the file in it', async () => {
  const editor = await Editor.open(files);
  const start = { line: 0, character: 0 };
  for (const place of ['acl\nimport', 'acl.users[input.user]\n\ndeny'])
    expect(await editor.at<Location>('definition', 'policy/main.rego', place)).toEqual({
      uri: editor.uri('acl/data.yaml'),
      range: { start, end: start },
    });
});

test('a folder of documents keeps its name', async () => {
  const editor = await Editor.open(files);
  for (const [method, more] of [
    ['prepareRename', {}],
    ['rename', { newName: 'lists' }],
  ] as const)
    await expect(editor.at(method, 'policy/main.rego', 'acl\nimport', more)).rejects.toThrow(
      'data.acl has the name of the folder of acl/data.yaml',
    );
});

test('a document of a file is a name that resolves', async () => {
  const editor = await Editor.open(files);
  const unresolved = async () =>
    editor
      .published('policy/main.rego')
      .filter(({ code }) => String(code).startsWith('unresolved-'))
      .map(({ code, message, range: { start } }) => `${start.line + 1} ${code} ${message}`);
  await expect
    .poll(unresolved, { timeout: 10_000 })
    .toEqual([
      '12 unresolved-reference No file has what the ref names',
      '6 unresolved-import `data.nowhere`: no package, rule or document has this name',
    ]);
});

test('the import of a version is told about', async () => {
  const editor = await Editor.open(files);
  const hover = await editor.at<Hover>('hover', 'policy/main.rego', 'rego.v1', {}, 5);
  expect(hover.contents).toMatchObject({ value: expect.stringContaining('version 1 of the language') });
});

test('a long type is shortened', async () => {
  const rules = Array.from({ length: 200 }, (_, i) => `rule_${i} := ${i}`).join('\n');
  const editor = await Editor.open({ 'a.rego': `package a\n\nimport data.a\n\nall := a\n\n${rules}\n` });
  const { contents } = await editor.at<Hover>('hover', 'a.rego', 'a\n\nall');
  expect((contents as { value: string }).value.length).toBeLessThan(1500);
});
