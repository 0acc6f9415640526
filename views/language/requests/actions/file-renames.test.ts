/** Files and folders get other names, and packages that are named after them. */
import { expect, test } from 'vitest';
import type { WorkspaceEdit } from 'vscode-languageserver-types';
import { Editor } from '../../../../test/harness/language/editor.js';

const files = {
  'shop/access/access.rego': 'package shop.access\n\nallow if input.user == data.shop.access.owner\n',
  'shop/access/owner.rego': 'package shop.access\n\nowner := "ann"\n',
  'shop/access/access_test.rego':
    'package shop.access_test\n\nimport data.shop.access\n\ntest_allow if access.allow with input as {"user": access.owner}\n',
  'shop/other.rego':
    'package shop.other\n\nimport data.shop\nimport data.shop.access as a\n\nx if a.allow\n\ny if shop.access.allow\n\nz := data["shop"].access\n',
};

/** Renames a file or folder as an editor does: it asks first, and tells afterwards. */
async function move(editor: Editor, from: string, to: string): Promise<WorkspaceEdit | null> {
  const renamed = [{ oldUri: editor.uri(from), newUri: editor.uri(to) }];
  const edit = await editor.ask<WorkspaceEdit | null>('workspace/willRenameFiles', { files: renamed });
  if (edit !== null) editor.apply(edit);
  for (const [path, text] of [...editor.texts]) {
    if (path !== from && !path.startsWith(`${from}/`)) continue;
    editor.tell('textDocument/didClose', { textDocument: { uri: editor.uri(path) } });
    editor.texts.delete(path);
    editor.texts.set(to + path.slice(from.length), text);
  }
  editor.tell('workspace/didRenameFiles', { files: renamed });
  await new Promise((resolve) => setTimeout(resolve, 20));
  return edit;
}

test('a folder takes its package along, in all files', async () => {
  const editor = await Editor.open(files);
  await move(editor, 'shop/access', 'shop/rules/entry');
  expect(Object.fromEntries(editor.texts)).toEqual({
    'shop/rules/entry/access.rego': 'package shop.rules.entry\n\nallow if input.user == data.shop.rules.entry.owner\n',
    'shop/rules/entry/owner.rego': 'package shop.rules.entry\n\nowner := "ann"\n',
    'shop/rules/entry/access_test.rego':
      'package shop.rules.entry_test\n\nimport data.shop.rules.entry\n\ntest_allow if entry.allow with input as {"user": entry.owner}\n',
    'shop/other.rego':
      'package shop.other\n\nimport data.shop\nimport data.shop.rules.entry as a\n\nx if a.allow\n\ny if data.shop.rules.entry.allow\n\nz := data.shop.rules.entry\n',
  });
  for (const path of editor.texts.keys()) expect((await editor.diagnostics(path)).filter(({ severity }) => severity === 1)).toEqual([]);
});

test('an import keeps its name where the new one is taken', async () => {
  const editor = await Editor.open({
    'a/a.rego': 'package a\n\nx := 1\n',
    'c.rego': 'package c\n\nimport data.a\n\nb := a.x\n',
  });
  await move(editor, 'a', 'b');
  expect(editor.texts.get('c.rego')).toBe('package c\n\nimport data.b as a\n\nb := a.x\n');
});

test.each([
  ['a file that leaves others of its package', 'shop/access/owner.rego', 'shop/else/owner.rego'],
  ['a file within its folder', 'shop/access/owner.rego', 'shop/access/owners.rego'],
])('%s changes nothing', async (_title, from, to) => {
  expect(await move(await Editor.open(files), from, to)).toBeNull();
});

test('a package that is named after its file follows that', async () => {
  const editor = await Editor.open({ 'shop/access.rego': 'package shop.access\n\nx := 1\n' });
  await move(editor, 'shop/access.rego', 'shop/entry.rego');
  expect(editor.texts.get('shop/entry.rego')).toBe('package shop.entry\n\nx := 1\n');
});
