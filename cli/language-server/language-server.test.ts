/** The built command as a language server; and links of other names. */
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand, withFiles } from '../../test/harness/command.js';
import { ServerProcess } from '../../test/harness/language/server-process.js';

const writ = join(import.meta.dirname, '../../bin/writ');

test('the command serves an editor until it leaves', async () => {
  await withFiles({ 'p/a.rego': 'package p\n\nallow if x > 1\n', 'p/b.rego': 'package p\n\nlimit := 1\n' }, async (folder) => {
    const server = await ServerProcess.start(folder);
    const uri = `file://${folder}/p/a.rego`;
    const { params } = await server.heard(
      ({ method, params: given }) => method === 'textDocument/publishDiagnostics' && (given as { uri: string }).uri === uri,
    );
    expect(params).toMatchObject({ diagnostics: [{ message: 'var x is unsafe', range: { start: { line: 2, character: 9 } } }] });
    server.tell('textDocument/didOpen', {
      textDocument: { uri, languageId: 'rego', version: 1, text: 'package p\n\nallow if limit > 1\n' },
    });
    expect(await server.ask('textDocument/definition', { textDocument: { uri }, position: { line: 2, character: 10 } })).toMatchObject({
      uri: `file://${folder}/p/b.rego`,
      range: { start: { line: 2, character: 0 } },
    });
    await expect(server.ask('textDocument/unknown', {})).rejects.toThrow('there is no method');
    expect(await server.end()).toBe(0);
  });
});

test('links named opa and regal tell versions that editors accept', async () => {
  await withFiles({}, async (folder) => {
    const link = (name: string, ...args: string[]): string => {
      symlinkSync(writ, join(folder, name));
      return spawnSync(join(folder, name), args, { encoding: 'utf8' }).stdout;
    };
    expect(link('opa', 'version').split('\n')[0]).toMatch(/^Version: 1\.\d+\.\d+$/);
    expect(JSON.parse(link('regal', 'version', '--format=json'))).toMatchObject({ version: expect.stringMatching(/^1\.\d+\.\d+$/) });
  });
});

test('version has the release of writ first, unless it is asked to be compatible', async () => {
  expect((await runCommand('version')).stdout).toMatch(/^Version: 0\./);
  expect((await runCommand('version', '--compatible')).stdout).toMatch(/^Version: 1\./);
});
