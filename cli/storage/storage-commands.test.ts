import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommand, runWith } from '../../test/harness/command.js';
import { closePostgres, postgresLogs, serverOver, stateOf, temporaryFolder } from '../../test/harness/storage/logs.js';
import type { PlainObject } from '../../values/value.js';

afterAll(closePostgres);

/** A log with entries, snapshots that stand for the first ones, and a state. */
async function written(storage: PlainObject) {
  const server = await serverOver({ ...storage, snapshot_every: 4 }, { data: { f: { a: 1, b: 1 } } });
  await server.ask('DELETE', '/v1/data/f/a');
  for (let i = 2; i <= 30; i++) await server.ask('PUT', `/v1/data/n/${i}`, '1.10');
  await server.close();
  return stateOf(server);
}

const fileFlag = (directory: string) => ['--set', `storage.file.directory=${directory}`];

describe('writ storage', () => {
  test('shows, checks, exports and imports a log, with its revisions', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    const state = await written({ file: { directory: one } });
    const status = await runCommand('storage', 'status', ...fileFlag(one));
    expect(status.stdout).toMatch(/^log {8}file .*\nrevision {3}30\nentries /);
    const { revision, snapshots } = JSON.parse((await runCommand('storage', 'status', '-f', 'json', ...fileFlag(one))).stdout);
    expect([revision, snapshots.length > 0]).toEqual([30, true]);
    expect((await runCommand('storage', 'compact', ...fileFlag(one))).stdout).toMatch(/^\d+ entries are gone\.\n$/);
    expect(await runCommand('storage', 'verify', ...fileFlag(one))).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('revision 30 are what was written'),
    });
    const path = `${other}/writes.jsonl`;
    expect((await runCommand('storage', 'export', '-o', path, ...fileFlag(one))).exit).toBe(0);
    expect((await runCommand('storage', 'export', ...fileFlag(one))).stdout).toBe(readFileSync(path, 'utf8'));
    expect((await runCommand('storage', 'import', path, ...fileFlag(`${other}/log`))).stdout).toContain('is at revision 30.');
    const server = await serverOver({ file: { directory: `${other}/log` } }, { data: { f: { a: 1, b: 1 } } });
    expect(stateOf(server)).toBe(state);
    expect((await server.ask('PUT', '/v1/data/n/31', '1')).revision).toBe(31);
    await server.close();
    expect((await runCommand('storage', 'import', path, ...fileFlag(`${other}/log`))).stderr).toContain('is not empty: it has revision 31');
    // Its error would end the process.
    const missing = await runCommand('storage', 'import', `${other}/none.jsonl`, ...fileFlag(`${other}/log`));
    expect(missing.stderr).toContain('is not empty');
    await setTimeout(20);
    expect((await runCommand('storage', 'import', `${other}/none.jsonl`, ...fileFlag(`${other}/new`))).stderr).toMatch(
      /none\.jsonl.*no such file|no such file.*none\.jsonl/,
    );
  });

  test('copies a file to PostgreSQL', async ({ skip }) => {
    const storage = await postgresLogs.make();
    if (storage === undefined) return skip();
    const directory = temporaryFolder();
    const state = await written({ file: { directory } });
    const { stdout } = await runCommand('storage', 'export', ...fileFlag(directory));
    const config = `${directory}/config.json`;
    writeFileSync(config, JSON.stringify({ storage }));
    expect((await runWith({ stdin: () => Buffer.from(stdout) }, ['storage', 'import', '-', '-c', config])).stdout).toContain('revision 30');
    expect((await runCommand('storage', 'verify', '-c', config)).exit).toBe(0);
    expect(stateOf(await serverOver(storage, { data: { f: { a: 1, b: 1 } } }))).toBe(state);
  });

  test('refuses lines that are not what was exported', async () => {
    const [one, other] = [temporaryFolder(), temporaryFolder()];
    await written({ file: { directory: one } });
    const { stdout } = await runCommand('storage', 'export', ...fileFlag(one));
    const lines = stdout.trim().split('\n');
    for (const [i, text] of [
      `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)!.replace('1.10', '1.11')}`,
      lines.toSpliced(-2, 1).join('\n'),
      'x',
      '{}',
    ].entries()) {
      const done = await runWith({ stdin: () => Buffer.from(text) }, ['storage', 'import', '-', ...fileFlag(`${other}/${i}`)]);
      expect([i, done.exit]).toEqual([i, 1]);
    }
  });

  test('needs a log', async () => {
    expect((await runCommand('storage', 'status')).stderr).toContain('the configuration has no log');
  });
});
