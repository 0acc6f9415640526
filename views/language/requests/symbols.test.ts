import { expect, test } from 'vitest';
import type { DocumentSymbol, WorkspaceSymbol } from 'vscode-languageserver-types';
import { Editor } from '../../../test/harness/language/editor.js';

const files = {
  'main.rego': `package http["api-v1"]

allow if input.x == 1

roles["team lead"] := "x"
`,
  'main_test.rego': `package http["api-v1"].tests

test_allow if data.http["api-v1"].allow with input as {"x": 1}
`,
};

test('keys that are no names stand in brackets, as policies write them', async () => {
  const editor = await Editor.open(files, { enableServerTesting: true });
  const textDocument = { uri: editor.uri('main.rego') };
  const [symbol] = await editor.ask<DocumentSymbol[]>('textDocument/documentSymbol', { textDocument });
  expect([symbol!.name, ...symbol!.children!.map(({ name }) => name)]).toEqual(['data.http["api-v1"]', 'allow', 'roles["team lead"]']);
  const found = await editor.ask<WorkspaceSymbol[]>('workspace/symbol', { query: 'api' });
  expect(found.map(({ name }) => name)).toEqual(['data.http["api-v1"]', 'data.http["api-v1"].tests']);
});

test('the tests of a package with such a key are listed and run under its name', async () => {
  const editor = await Editor.open(files, { enableServerTesting: true });
  await expect.poll(() => editor.notices.filter(({ method }) => method === 'regal/testLocations').length).toBeGreaterThan(0);
  const [locations] = editor.notices
    .map(({ params }) => (params as { locations?: readonly { package: string; name: string }[] }).locations ?? [])
    .filter(({ length }) => length > 0);
  const [{ package: name } = { package: '' }] = locations!;
  expect(name).toBe('data.http["api-v1"].tests');
  const uri = editor.uri('main_test.rego');
  const results = await editor.ask<object[]>('regal/runTests', { uri, package: name, name: 'test_allow' });
  expect(results).toMatchObject([{ package: name, name: 'test_allow' }]);
  expect(results[0]).not.toHaveProperty('fail');
});
