/** Code actions that no finding asks for, and the commands of lenses. */
import { expect, test } from 'vitest';
import type { CodeAction, CodeLens } from 'vscode-languageserver-types';
import { Editor } from '../../../../test/harness/language/editor.js';

const policy = `package shop.authz

# Who may come in
allow if {
	input.user == data.owner
	some item in input.items
	item.price + 1 < limit
}

limit := 10

tags contains tag if some tag in input.tags

never if input.nobody
`;

const files = {
  'shop/authz.rego': policy,
  'shop/input.json': '{"user": "ann", "items": [{"price": 3}], "tags": ["a"]}',
  'data.json': '{"owner": "ann"}',
};

async function actionsAt(editor: Editor, needle: string, isSelected: boolean): Promise<readonly CodeAction[]> {
  const start = editor.place('shop/authz.rego', needle);
  const end = isSelected ? editor.place('shop/authz.rego', needle, needle.length) : start;
  return await editor.ask<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri: editor.uri('shop/authz.rego') },
    range: { start, end },
    context: { diagnostics: [] },
  });
}

async function act(editor: Editor, needle: string, title: string, isSelected = false): Promise<void> {
  const found = await actionsAt(editor, needle, isSelected);
  const action = found.find((each) => each.title === title);
  if (action?.edit) editor.apply(action.edit);
  else if (action?.command) await editor.ask('workspace/executeCommand', action.command);
  else throw new Error(`no ${title} in ${found.map((each) => each.title).join(', ')}`);
}

const errors = async (editor: Editor): Promise<readonly unknown[]> =>
  (await editor.diagnostics('shop/authz.rego')).filter(({ severity }) => severity === 1);

test.each([
  ['allow if', 'Add a default for allow', 'package shop.authz\n\ndefault allow := false\n\n# Who'],
  ['limit :=', 'Add a default for limit', '\n\ndefault limit := 0\n\nlimit := 10'],
])('a default is added for %s', async (needle, title, wanted) => {
  const editor = await Editor.open(files);
  await act(editor, needle, title);
  expect(editor.texts.get('shop/authz.rego')).toContain(wanted);
  expect(await errors(editor)).toEqual([]);
  expect((await actionsAt(editor, needle, false)).map((each) => each.title)).not.toContain(title);
});

test.each([
  ['item.price + 1', 'Extract to a variable', '\tvalue := item.price + 1\n\tvalue < limit\n'],
  ['item.price + 1 < limit', 'Extract to a function', '\tcondition(item)\n}\n\ncondition(item) if {\n\titem.price + 1 < limit\n}'],
  ['input.user == data.owner', 'Extract to a rule', 'allow if {\n\tcondition\n\tsome item'],
  [
    'some item in input.items\n\titem.price + 1 < limit',
    'Extract to a rule',
    '\tcondition\n}\n\ncondition if {\n\tsome item in input.items\n\titem.price + 1 < limit\n}',
  ],
])('%s is extracted', async (needle, title, wanted) => {
  const editor = await Editor.open(files);
  await act(editor, needle, title, true);
  expect(editor.texts.get('shop/authz.rego')).toContain(wanted);
  expect(await errors(editor)).toEqual([]);
});

test.each(['some item in input.items', 'item', 'some tag in input.tags'])('%s stays, because others need its variables', async (needle) => {
  const found = await actionsAt(await Editor.open(files), needle, true);
  expect(found.filter(({ kind }) => kind === 'refactor.extract')).toEqual([]);
});

test('a decision becomes a test, of its input and its value', async () => {
  const editor = await Editor.open(files);
  for (const name of ['allow', 'limit', 'tags', 'never', 'limit'])
    await act(
      editor,
      name === 'tags' ? 'tags contains' : name === 'never' ? 'never if' : `${name} ${name === 'limit' ? ':=' : 'if'}`,
      `Make a test of ${name}`,
    );
  const text = editor.texts.get('shop/authz_test.rego')!;
  expect(text).toContain('package shop.authz_test\n\nimport data.shop.authz\n\ntest_allow if {\n\tauthz.allow with input as {');
  expect(text).toContain('authz.limit == 10 with input as');
  expect(text).toContain('authz.tags == {"a"} with input as');
  expect(text).toContain('not authz.never with input as');
  expect(text).toContain('test_limit_2 if {');
  editor.show('shop/authz_test.rego');
  const tests = await editor.ask<object[]>('regal/runTests', { uri: editor.uri('shop/authz_test.rego') });
  expect(tests).toHaveLength(5);
  expect(tests.filter((each) => 'fail' in each || 'error' in each)).toEqual([]);
});

test('all rules of a file get tests, with the command that other editors send', async () => {
  const editor = await Editor.open(files);
  await editor.ask('workspace/executeCommand', {
    command: 'regal.createTest',
    arguments: [{ target: editor.uri('shop/authz.rego'), row: 3 }],
  });
  expect([...editor.texts.get('shop/authz_test.rego')!.matchAll(/^test_\w+/gm)].map(String)).toEqual([
    'test_allow',
    'test_limit',
    'test_tags',
    'test_never',
  ]);
});

test('a misplaced file moves to the folders of its package', async () => {
  const outside = 'package p["../.."].q\n\np := 1\n';
  const editor = await Editor.open({ 'other/a.rego': 'package shop.authz\n\np := 1\n', 'b.rego': outside });
  for (const target of [editor.uri('other/a.rego'), editor.uri('b.rego')])
    await editor.ask('workspace/executeCommand', {
      command: 'regal.fix.directory-package-mismatch',
      arguments: [JSON.stringify({ target })],
    });
  expect([...editor.texts.keys()].sort()).toEqual(['b.rego', 'shop/authz/a.rego']);
});

const tested = 'package shop.authz_test\n\nimport data.shop.authz\n\ntest_allow if authz.allow with input as {"user": "bob"}\n';

test('a test is run, and the lines that tests reach are told', async () => {
  const editor = await Editor.open({ ...files, 'shop/authz_test.rego': tested });
  const lenses = async (path: string): Promise<CodeLens[]> =>
    await editor.ask('textDocument/codeLens', { textDocument: { uri: editor.uri(path) } });
  const run = (await lenses('shop/authz_test.rego')).find(({ command }) => command!.command === 'writ.test');
  await editor.ask('workspace/executeCommand', run!.command!);
  const messages = (): unknown[] => editor.notices.filter(({ method }) => method === 'window/showMessage').map(({ params }) => params);
  expect(messages()).toEqual([{ type: 1, message: 'data.shop.authz_test.test_allow: FAIL' }]);
  const coverage = (await lenses('shop/authz.rego')).find(({ command }) => command!.command === 'writ.coverage');
  expect(await editor.ask('workspace/executeCommand', coverage!.command!)).toEqual({
    covered: [4, 5],
    missing: [6, 7, 10, 12, 14],
    percent: 28.6,
  });
  expect(messages().at(-1)).toEqual({ type: 3, message: 'shop/authz.rego: tests reach 2 of 7 lines (28.6 %), not lines 6-7, 10, 12, 14' });
  editor.type('shop/authz_test.rego', tested.replace('bob', 'ann", "items": [{"price": 1}], "x": "'));
  expect(await editor.ask('workspace/executeCommand', coverage!.command!)).toMatchObject({ covered: [4, 5, 6, 7, 10], missing: [12, 14] });
});
