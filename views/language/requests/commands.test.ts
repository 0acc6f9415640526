import { expect, test } from 'vitest';
import type { CodeLens } from 'vscode-languageserver-types';
import { Editor } from '../../../test/harness/language/editor.js';

const files = {
  'shop/authz.rego': `package shop.authz

default allow := false

allow if {
	print("asked by", input.user)
	input.user == data.owner
}

wrong if x > 1
`,
  'shop/authz_test.rego': `package shop.authz_test

import data.shop.authz

test_owner if authz.allow with input as {"user": "ann"}

test_other if authz.allow with input as {"user": "bob"}

todo_test_later if false
`,
  'shop/input.json': '{"user": "ann"}',
  'data.json': '{"owner": "ann"}',
};

const asked = (editor: Editor, command: string, path: string, row = 1): Promise<unknown> =>
  editor.ask('workspace/executeCommand', { command, arguments: [JSON.stringify({ target: editor.uri('shop/authz.rego'), path, row })] });

const paramsOf = (editor: Editor, name: string): unknown => editor.notices.findLast(({ method }) => method === name)?.params;

test('a rule is evaluated in place, beside others with errors', async () => {
  const editor = await Editor.open(files, { evalCodelensDisplayInline: true });
  await asked(editor, 'regal.eval', 'data.shop.authz.allow', 5);
  expect(paramsOf(editor, 'regal/showEvalResult')).toEqual({
    line: 5,
    target: 'allow',
    package: 'shop.authz',
    rule_head_locations: [
      { row: 3, col: 9 },
      { row: 5, col: 1 },
    ],
    result: { value: true, isUndefined: false, printOutput: { [editor.uri('shop/authz.rego')]: { 6: ['asked by ann'] } } },
  });
});

test('a package, and a rule with a key in its head, are shown where they are', async () => {
  const text = 'package shop.keys\n\nby_name[name].age := age if some name, age in {"ann": 1}\n';
  const editor = await Editor.open({ 'shop/authz.rego': text }, { evalCodelensDisplayInline: true });
  await asked(editor, 'regal.eval', 'data.shop.keys', 1);
  expect(paramsOf(editor, 'regal/showEvalResult')).toMatchObject({ target: 'package', package: 'shop.keys', rule_head_locations: [] });
  await asked(editor, 'regal.eval', 'data.shop.keys.by_name', 3);
  expect(paramsOf(editor, 'regal/showEvalResult')).toMatchObject({ target: 'by_name', rule_head_locations: [{ row: 3, col: 1 }] });
});

test('a test with an error has not passed', async () => {
  const editor = await Editor.open({ 'a_test.rego': 'package a_test\n\ntest_x if {\n\tprint("ü")\n\ty > 1\n}\n' });
  const [result] = await editor.ask<object[]>('regal/runTests', { uri: editor.uri('a_test.rego'), package: 'data.a_test', name: 'test_x' });
  expect(result).toMatchObject({ fail: true, error: { message: 'a_test.rego:5: var y is unsafe' } });
});

test('a rule with errors is not evaluated, and the error is told', async () => {
  const editor = await Editor.open(files);
  await asked(editor, 'regal.eval', 'data.shop.authz.wrong', 10);
  expect(paramsOf(editor, 'window/showMessage')).toEqual({ type: 1, message: 'shop/authz.rego:10: var x is unsafe' });
});

test('an editor without a place for values gets a message, and reasons where it asks why', async () => {
  const editor = await Editor.open(files);
  expect(await asked(editor, 'regal.eval', 'data.shop.authz.allow')).toMatchObject({ result: { value: true } });
  expect(paramsOf(editor, 'window/showMessage')).toEqual({ type: 3, message: 'data.shop.authz.allow = true' });
  expect(await asked(editor, 'writ.why', 'data.shop.authz.allow')).toMatchObject({
    why: expect.stringContaining('input.user == data.owner'),
  });
});

test('an edit of a document counts at once', async () => {
  const editor = await Editor.open(files);
  editor.texts.set('data.json', '{"owner": "bob"}');
  editor.tell('workspace/didChangeWatchedFiles', { changes: [{ uri: editor.uri('data.json'), type: 2 }] });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await asked(editor, 'regal.eval', 'data.shop.authz.allow')).toMatchObject({ result: { value: false } });
});

test('tests are listed, and run one by one or all together', async () => {
  const editor = await Editor.open(files, { enableServerTesting: true });
  const uri = editor.uri('shop/authz_test.rego');
  expect(await editor.ask('regal/runTests', { uri, package: 'data.shop.authz_test', name: 'test_owner' })).toEqual([
    {
      location: { file: 'shop/authz_test.rego', row: 5, col: 1 },
      package: 'data.shop.authz_test',
      name: 'test_owner',
      output: btoa('asked by ann\n'),
      duration: expect.any(Number),
    },
  ]);
  expect(await editor.ask('regal/runTests', { uri, package: 'data.shop.authz_test', name: '' })).toMatchObject([
    {},
    { name: 'test_other', fail: true },
    { name: 'todo_test_later', skip: true },
  ]);
  await expect
    .poll(() => editor.notices.some(({ method, params }) => method === 'regal/testLocations' && (params as { uri: string }).uri === uri))
    .toBe(true);
  const { params } = editor.notices.find(
    ({ method, params: given }) => method === 'regal/testLocations' && (given as { uri: string }).uri === uri,
  )!;
  expect(params).toMatchObject({
    locations: [
      {
        name: 'test_owner',
        package: 'data.shop.authz_test',
        package_path: ['shop', 'authz_test'],
        root: '/project',
        location: {
          file: 'shop/authz_test.rego',
          row: 5,
          col: 1,
          end: { row: 5, col: 11 },
          text: expect.stringContaining('test_owner if'),
        },
      },
      {},
      {},
    ],
  });
});

test('lenses are above the package and the rules that have a value', async () => {
  const editor = await Editor.open(files);
  const found = await editor.ask<CodeLens[]>('textDocument/codeLens', { textDocument: { uri: editor.uri('shop/authz.rego') } });
  const evaluate = found.filter(({ command }) => command?.command === 'regal.eval');
  expect(
    evaluate.map(({ command, range }) => [range.start.line, (JSON.parse(command!.arguments![0] as string) as { path: string }).path]),
  ).toEqual([
    [0, 'data.shop.authz'],
    [2, 'data.shop.authz.allow'],
    [4, 'data.shop.authz.allow'],
    [9, 'data.shop.authz.wrong'],
  ]);
});
