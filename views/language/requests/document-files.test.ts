/** Documents that folders and files give to policies. */
import { expect, test } from 'vitest';
import type { CodeAction, CompletionList, Hover, Location } from 'vscode-languageserver-types';
import { Editor } from '../../../test/harness/language/editor.js';

const files = {
  'policy/main.rego': `package main

import rego.v1

import data.acl
import data.nowhere
import data.acl as lists

allow if acl.users[input.user]

deny if data.acl.users[input.user].blocked

note if data.acl.nothing[input.user]

person := lists.users[input.user]

all := lists[input.kind]
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
      '13 unresolved-reference No file has what the ref names',
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

const schemas = {
  'policy/main.rego': `package http["api-v1"]

import data.acl
import data.spaces
import input.request as req

allow if req.user in acl.users

# METADATA
# schemas:
#   - input: schema.request
`,
  'acl/data.yaml': 'users:\n  ann:\n    blocked: false\n',
  'data.json': '{"spaces": {"kube-system": 1, "a b": 2}}',
  'input.json': '{"request": {"user": "ann"}}',
  'schemas/request.json': '{"type": "object", "properties": {"request": {"type": "object"}}}',
};

test.each([
  ['a rule of a package with a key', '\nz if data.http["api-v1"].al', ['data.http["api-v1"].allow']],
  ['fields behind a variable key', '\nz if acl.users[x].', ['acl.users[x].blocked']],
  ['fields behind a quoted key', '\nz if acl.users["ann"].', ['acl.users["ann"].blocked']],
  ['fields of an imported input', '\nz if req.', ['req.user']],
  ['keys that are no names', '\nz if spaces.', ['spaces["a b"]', 'spaces["kube-system"]']],
  ['schemas', '\n# METADATA\n# schemas:\n#   - input: sch', ['schema.request']],
])('completion knows %s', async (_title, tail, labels) => {
  const path = 'policy/main.rego';
  const editor = await Editor.open(schemas);
  editor.type(path, schemas[path] + tail);
  const lines = (schemas[path] + tail).split('\n');
  const position = { line: lines.length - 1, character: lines.at(-1)!.length };
  const { items } = await editor.ask<CompletionList>('textDocument/completion', { textDocument: { uri: editor.uri(path) }, position });
  const word = /\S*$/.exec(tail)![0];
  expect(items.map(({ label }) => label).sort()).toEqual(expect.arrayContaining(labels));
  // An editor keeps what the word under the cursor begins.
  for (const { label, filterText = label } of items) expect(filterText.startsWith(word)).toBe(true);
});

test('a file of version 0 is formatted by the fix of opa-fmt', async () => {
  const text = 'package a\n\nallow {\n  re_match("a", input.x)\n}\n';
  const editor = await Editor.open({ 'a.rego': text, '.regal/config.yaml': 'project:\n  rego-version: 0\n' });
  const [found] = (await editor.diagnostics('a.rego')).filter(({ code }) => code === 'opa-fmt');
  const actions = await editor.ask<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri: editor.uri('a.rego') },
    range: found!.range,
    context: { diagnostics: [found] },
  });
  expect(actions.map(({ title }) => title)).toContain('Format using opa-fmt');
});
