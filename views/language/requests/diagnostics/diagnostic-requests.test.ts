import { expect, test } from 'vitest';
import type { Diagnostic } from 'vscode-languageserver-types';
import { Editor } from '../../../../test/harness/language/editor.js';

interface Report {
  readonly uri: string;
  readonly kind: 'full' | 'unchanged';
  readonly resultId?: string;
  readonly items?: readonly Diagnostic[];
}

const files = {
  'a.rego': 'package a\n\nallow := nothing\n',
  'b.rego': 'package b\n\nvalue := data.a.alow\n',
  'c.rego': 'package c\n\nvalue := 1\n',
};

async function reportsOf(editor: Editor, params: object = {}): Promise<readonly Report[]> {
  const { items } = await editor.ask<{ items: readonly Report[] }>('workspace/diagnostic', params);
  return items;
}

const previous = (reports: readonly Report[]) => reports.map(({ uri, resultId }) => ({ uri, value: resultId }));

test('a report that the editor has is not sent again', async () => {
  const editor = await Editor.open(files);
  const first = await reportsOf(editor);
  expect(first.map(({ kind }) => kind)).toEqual(['full', 'full', 'full']);
  const second = await reportsOf(editor, { previousResultIds: previous(first) });
  expect(second.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged', 'unchanged']);
  editor.type('a.rego', 'package a\n\nallow := true\n');
  const third = await reportsOf(editor, { previousResultIds: previous(second) });
  expect(third.map(({ kind }) => kind)).toEqual(['full', 'unchanged', 'unchanged']);
  expect(third[0]!.items!.map(({ code }) => code)).not.toContain('rego_unsafe_var_error');
  const [a] = third;
  const textDocument = { uri: a!.uri };
  const own = await editor.ask<Report>('textDocument/diagnostic', { textDocument, previousResultId: a!.resultId });
  expect(own).toEqual({ kind: 'unchanged', resultId: a!.resultId });
});

test('a policy that is gone has no diagnostics any more', async () => {
  const editor = await Editor.open(files);
  const uri = 'file:///project/gone.rego';
  const reports = await reportsOf(editor, { previousResultIds: [{ uri, value: '1' }] });
  expect(reports.find((report) => report.uri === uri)).toMatchObject({ kind: 'full', items: [] });
});

test('an editor that takes parts gets each file when it was linted, and all of them before the end', async () => {
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`p${i}.rego`, `package p${i}\n\nvalue := data.p${i + 1}.valu\n`]));
  const editor = await Editor.open(many);
  expect(await reportsOf(editor, { partialResultToken: 'parts' })).toEqual([]);
  const parts = editor.notices
    .filter(({ method }) => method === '$/progress')
    .map(({ params }) => params as { token: string; value: { items: readonly Report[] } });
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.every(({ token }) => token === 'parts')).toBe(true);
  const last = new Map(parts.flatMap(({ value }) => value.items).map((report) => [report.uri, report.items]));
  const whole = await reportsOf(editor);
  expect(whole.map(({ uri, items }) => [uri, items])).toEqual([...last]);
  expect(whole[0]!.items!.map(({ code }) => code)).toContain('unresolved-reference');
});

test('a request that is cancelled ends', async () => {
  const editor = await Editor.open(files);
  const answer = reportsOf(editor);
  // The first request of this editor was `initialize`.
  editor.tell('$/cancelRequest', { id: 2 });
  await expect(answer).rejects.toThrow('the request was cancelled');
});

test('the range of a finding with wide characters is its text', async () => {
  const line = 'a := "ä𝄞" # todo ä';
  const editor = await Editor.open({ 'p/p.rego': `package p\n\n${line}\n` });
  const [report] = await reportsOf(editor);
  const { range } = report!.items!.find(({ code }) => code === 'todo-comment')!;
  expect(line.slice(range.start.character, range.end.character)).toBe('# todo ä');
});
