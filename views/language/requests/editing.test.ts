import { expect, test } from 'vitest';
import type { CodeAction, CompletionItem, Diagnostic, TextEdit } from 'vscode-languageserver-types';
import { Editor } from '../../../test/harness/language/editor.js';

const lib = 'package lib.teams\n\nmembers(team) := {team}\n\nsize := 3\n';

test('errors of all stages are told at once, in all rules', async () => {
  const text = `package a

import data.lib.teams

p if x > 1

q := input.y + "one"

r if nope(input.x)

s if {
	y := 1
	y := 2
}

t if teams.members(1, 2, 3)

broken if {
	input.x ==
}

u if s
`;
  const editor = await Editor.open({ 'a.rego': text, 'lib/teams.rego': lib });
  const errors = (await editor.diagnostics('a.rego')).filter(({ severity }) => severity === 1);
  expect(
    errors.map(({ message, range }) => [range.start.line + 1, String(message).split('\n')[0]]).sort((a, b) => Number(a[0]) - Number(b[0])),
  ).toEqual([
    [5, 'var x is unsafe'],
    [7, 'plus: invalid argument(s)'],
    [9, 'undefined function nope'],
    [13, 'var y assigned above'],
    [16, 'function data.lib.teams.members has arity 1, got 3 arguments'],
    [20, 'unexpected } token'],
  ]);
});

test('errors go when they are mended, in other files too', async () => {
  const editor = await Editor.open({ 'a.rego': 'package a\n\nimport data.lib.teams\n\np := teams.people("x")\n', 'lib/teams.rego': lib });
  const errors = async (): Promise<number> => (await editor.diagnostics('a.rego')).filter(({ severity }) => severity === 1).length;
  expect(await errors()).toBe(1);
  editor.type('lib/teams.rego', lib.replace('members', 'people'));
  expect(await errors()).toBe(0);
  editor.type('lib/teams.rego', lib);
  expect(await errors()).toBe(1);
});

test.each([
  ['a misspelt name', 'p if usr == 1\n\nuser := 1\n', 'usr', 'p if user == 1\n\nuser := 1\n'],
  ['a missing import', 'p if teams.size == 3\n', 'teams', 'import data.lib.teams\n\np if teams.size == 3\n'],
  ['a missing if', 'p { input.x }\n', 'p {', 'p if { input.x }\n'],
  ['a missing contains', 'p[x] { x := input.x }\n', 'p[', 'p contains x if { x := input.x }\n'],
  ['an assignment', 'p = 1\n', 'p', 'p := 1\n'],
  ['a comment without a space', '#x\np := 1\n', '#x', '# x\np := 1\n'],
  ['a comparison', 'p if {\n\tx := 1\n\tx = 2\n}\n', 'x = 2', 'p if {\n\tx := 1\n\tx == 2\n}\n'],
])('a quick fix for %s', async (_title, text, needle, wanted) => {
  const editor = await Editor.open({ 'a/a.rego': `package a\n\n${text}`, 'lib/teams.rego': lib });
  const start = editor.place('a/a.rego', needle);
  const diagnostics = (await editor.diagnostics('a/a.rego')) as Diagnostic[];
  const found = await editor.ask<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri: editor.uri('a/a.rego') },
    range: { start, end: start },
    context: { diagnostics },
  });
  const [preferred] = found.filter(({ isPreferred }) => isPreferred);
  editor.apply(preferred!.edit!);
  expect(editor.texts.get('a/a.rego')).toBe(`package a\n\n${wanted}`);
});

test('an action that mends two errors is offered once, for both', async () => {
  const text = 'package a\n\ndeny[msg] { msg := input.x }\n';
  const editor = await Editor.open({ 'a.rego': text });
  const diagnostics = ((await editor.diagnostics('a.rego')) as Diagnostic[]).filter(({ severity }) => severity === 1);
  const start = editor.place('a.rego', 'deny');
  const found = await editor.ask<CodeAction[]>('textDocument/codeAction', {
    textDocument: { uri: editor.uri('a.rego') },
    range: { start, end: start },
    context: { diagnostics, only: ['quickfix'] },
  });
  // Errors are no rules that a configuration switches off.
  expect(found.map(({ title, diagnostics: of }) => [title, of?.length])).toEqual([['Add the word contains', 2]]);
});

test('formatting makes edits of the lines that differ only', async () => {
  const text = 'package a\n\np := 1\nq   :=   2\n\n\n\nr := 3\n\ns if {\n  input.x\n}\n';
  const editor = await Editor.open({ 'a.rego': text });
  const edits = await editor.ask<TextEdit[]>('textDocument/formatting', { textDocument: { uri: editor.uri('a.rego') }, options: {} });
  expect(edits.length).toBeGreaterThan(1);
  editor.apply({ changes: { [editor.uri('a.rego')]: edits } });
  expect(editor.texts.get('a.rego')).toBe('package a\n\np := 1\nq := 2\n\nr := 3\n\ns if {\n\tinput.x\n}\n');
});

test('a text with errors is not formatted', async () => {
  const editor = await Editor.open({ 'a.rego': 'package a\n\np if {\n' });
  await expect(editor.ask('textDocument/formatting', { textDocument: { uri: editor.uri('a.rego') } })).rejects.toThrow(
    'cannot be formatted',
  );
});

test.each([
  ['a document of the workspace', 'z if data.lib.te', 'data.lib.teams.size'],
  ['a function of an import', 'z if teams.', 'teams.members'],
  ['a rule of the package', 'z if oth', 'other'],
  ['a local variable', 'z if {\n\tsome item in input.items\n\tit', 'item'],
  ['a parameter', 'f(person) if per', 'person'],
  ['a field of the input', 'z if input.us', 'input.user.name'],
  ['a built-in', 'z := starts', 'startswith'],
  ['a keyword', 'z if {\n\tev', 'every'],
  ['a default', 'de', 'default other := <value>'],
  ['a package to import', 'import ', 'data.lib.teams'],
  ['a key of metadata', '# METADATA\n# ti', 'title'],
])('completion knows %s', async (_title, tail, label) => {
  const base = 'package a\n\nimport data.lib.teams\n\nother := 1\n\n';
  const editor = await Editor.open({ 'a.rego': base, 'lib/teams.rego': lib, 'input.json': '{"user": {"name": "ann"}}' });
  editor.type('a.rego', base + tail);
  const lines = (base + tail).split('\n');
  const { items } = await editor.ask<{ items: CompletionItem[] }>('textDocument/completion', {
    textDocument: { uri: editor.uri('a.rego') },
    position: { line: lines.length - 1, character: lines.at(-1)!.length },
  });
  const item = items.find((each) => each.label === label);
  expect(item).toBeDefined();
  expect(await editor.ask('completionItem/resolve', item!)).toHaveProperty('label', label);
});

test('a rule of the linter is switched off in the configuration, which counts at once', async () => {
  const config = '# of the team\nrules:\n  style:\n    line-length:\n      level: ignore\n';
  const editor = await Editor.open({ 'a/a.rego': 'package a\n\nmoorNow := 1\n', '.regal/config.yaml': config });
  const rules = async (): Promise<unknown[]> => (await editor.diagnostics('a/a.rego')).map(({ code }) => code);
  expect(await rules()).toEqual(['prefer-snake-case']);
  const diagnostic = { code: 'prefer-snake-case', source: 'regal/style' };
  await editor.ask('workspace/executeCommand', { command: 'regal.config.disable-rule', arguments: [JSON.stringify({ diagnostic })] });
  const { params } = editor.notices.findLast(({ method }) => method === 'workspace/applyEdit')!;
  const { edit } = params as { edit: { documentChanges: { edits: TextEdit[] }[] } };
  const { newText } = edit.documentChanges[0]!.edits[0]!;
  expect(newText).toBe(`${config}    prefer-snake-case:\n      level: ignore\n`);
  editor.texts.set('.regal/config.yaml', newText);
  editor.tell('workspace/didChangeWatchedFiles', { changes: [{ uri: editor.uri('.regal/config.yaml'), type: 2 }] });
  await expect.poll(rules).toEqual([]);
});

test.each([
  ['a new line in a body', 'p if {\n', '\n', 'p if {\n\t'],
  ['a new line in an object', 'p := {"a": [\n1', '\n', 'p := {"a": [\n\t\t1'],
  ['a bracket that closes', 'p if {\n\tx := 1\n\t}', '}', 'p if {\n\tx := 1\n}'],
  ['a new rule', 'p if {\n\tx := "{"\n}\n\t', '\n', 'p if {\n\tx := "{"\n}\n'],
])('typing of %s indents its line', async (_title, text, ch, wanted) => {
  const editor = await Editor.open({ 'a.rego': `package a\n\n${text}` });
  const lines = editor.texts.get('a.rego')!.split('\n');
  const edits = await editor.ask<TextEdit[]>('textDocument/onTypeFormatting', {
    textDocument: { uri: editor.uri('a.rego') },
    position: { line: lines.length - 1, character: lines.at(-1)!.length },
    ch,
  });
  editor.apply({ changes: { [editor.uri('a.rego')]: edits } });
  expect(editor.texts.get('a.rego')).toBe(`package a\n\n${wanted}`);
});

test('tokens after a change are told as a difference', async () => {
  const editor = await Editor.open({ 'a.rego': 'package a\n\np := input.x\n\nq := p\n\nr := q\n' });
  const textDocument = { uri: editor.uri('a.rego') };
  const tokens = <Result>(method: string, more = {}): Promise<Result> =>
    editor.ask(`textDocument/semanticTokens/${method}`, { textDocument, ...more });
  const first = await tokens<{ resultId: string; data: number[] }>('full');
  editor.type('a.rego', 'package a\n\np := input.x\n\nq := count(p)\n\nr := q\n');
  const { edits, resultId } = await tokens<{ resultId: string; edits: { start: number; deleteCount: number; data: number[] }[] }>(
    'full/delta',
    { previousResultId: first.resultId },
  );
  const applied = [...first.data];
  for (const { start, deleteCount, data } of edits) applied.splice(start, deleteCount, ...data);
  expect(applied).toEqual((await tokens<{ data: number[] }>('full')).data);
  expect(edits[0]!.data.length).toBeLessThan(applied.length / 2);
  expect(await tokens('full/delta', { previousResultId: resultId })).toMatchObject({ edits: [] });
  expect(await tokens('full/delta', { previousResultId: 'other' })).toHaveProperty('data');
});

test('an editor that takes diagnostics as notifications is not told to ask for them as well', async () => {
  const faulty = { 'a.rego': 'package a\n\np if x > 1\n' };
  const takes = await Editor.open(faulty, {}, { textDocument: { publishDiagnostics: {}, diagnostic: {} } });
  expect(takes.initialized).not.toHaveProperty('capabilities.diagnosticProvider');
  expect(await takes.diagnostics('a.rego')).not.toEqual([]);
  await expect.poll(() => takes.published('a.rego').length).toBeGreaterThan(0);
  const asks = await Editor.open(faulty, {}, { textDocument: { diagnostic: {} } });
  expect(asks.initialized).toHaveProperty('capabilities.diagnosticProvider');
});
