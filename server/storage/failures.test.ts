import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../test/harness/command.js';
import { CuttingProxy } from '../../test/harness/databases/cutting-proxy.js';
import { startPostgres } from '../../test/harness/databases/postgres.js';
import { smallDisk } from '../../test/harness/databases/small-disk.js';
import { type ServerProcess, serverProcess } from '../../test/harness/server/process.js';
import { onTestFinished, tellTestsApart } from '../../test/harness/set-up/concurrent-tests.js';
import { closePostgres, postgresLogs, serverOver, stateOf, temporaryFolder } from '../../test/harness/storage/logs.js';
import type { PlainObject } from '../../values/value.js';
import { FileLog } from './file/file-log.js';
import { loadSqlite } from './file/sqlite.js';
import { verifyLog } from './log-content.js';
import { migrations } from './postgres/migrations.js';
import { PostgresLog } from './postgres/postgres-log.js';
import type { PostgresConfig } from './storage-config.js';
import { StorageError } from './storage-error.js';

tellTestsApart();

afterAll(closePostgres);

const writeSome = async (server: Awaited<ReturnType<typeof serverOver>>, count: number) => {
  for (let i = 1; i <= count; i++) expect((await server.ask('PUT', `/v1/data/n/${i}`, `${i}`)).status).toBe(204);
};

describe('a file that was changed by others', () => {
  const changed = async (statements: string, snapshotEvery = 1000) => {
    const directory = temporaryFolder();
    const storage = { file: { directory }, snapshot_every: snapshotEvery };
    const server = await serverOver(storage);
    await writeSome(server, 6);
    await server.close();
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(`${directory}/writes.sqlite`);
    database.exec(statements);
    database.close();
    return storage;
  };

  test.each([
    [
      'an entry with another body',
      'UPDATE entries SET body = CAST(replace(CAST(body AS TEXT), \'"value":3\', \'"value":4\') AS BLOB) WHERE revision = 3',
      'entry 3 does not match its checksum',
    ],
    ['an entry that is missing', 'DELETE FROM entries WHERE revision = 3', 'entry 3 is missing: entry 4 follows entry 2'],
    ['the first entry that is missing', 'DELETE FROM entries WHERE revision = 1', 'entry 1 is missing'],
    [
      'entries in another order',
      'UPDATE entries SET revision = 99 WHERE revision = 4; UPDATE entries SET revision = 4 WHERE revision = 6; UPDATE entries SET revision = 6 WHERE revision = 99',
      'entry 4 does not match its checksum',
    ],
    ['the last entry that is missing', 'DELETE FROM entries WHERE revision = 6', 'entry 6 is missing'],
  ])('is refused with its revision: %s', async (_title, statements, message) => {
    const storage = await changed(statements);
    await expect(serverOver(storage)).rejects.toMatchObject({ code: 'storage_corrupt', message, revision: Number(/\d/.exec(message)) });
  });

  test('is refused where the log was written by a newer release', async () => {
    await expect(serverOver(await changed('PRAGMA user_version = 99'))).rejects.toMatchObject({ code: 'storage_unsupported' });
  });

  test('a snapshot that is not what was saved is refused, and the entries stand for it', async () => {
    const storage = await changed("UPDATE snapshot_parts SET body = x'00'", 6);
    const server = await serverOver(storage);
    expect((await server.ask('GET', '/v1/data/n')).text).toBe('{"result":{"1":1,"2":2,"3":3,"4":4,"5":5,"6":6}}\n');
  });

  test('a snapshot whose entries are gone is refused with its revision', async () => {
    const storage = await changed("UPDATE snapshot_parts SET body = x'00'; DELETE FROM entries", 6);
    await expect(serverOver(storage)).rejects.toMatchObject({ code: 'storage_corrupt', revision: 6 });
  });
});

test('a Node without SQLite is told so', async () => {
  const without = () => Promise.reject(new Error('No such built-in module: node:sqlite'));
  await expect(loadSqlite(without)).rejects.toMatchObject({ code: 'storage_unsupported' });
});

test.each([
  [{ postgres: { url: 'postgres://u@127.0.0.1:1/x' } }, 'postgres 127.0.0.1:1/x, schema writ: connect: connection refused'],
  [{ postgres: { url: 'postgres://u@localhost:1/x' } }, 'postgres localhost:1/x, schema writ: connect: connection refused'],
  [{ postgres: { url: 'postgres://u@host.invalid/x' } }, 'postgres host.invalid/x, schema writ: no such host'],
  [{ postgres: { url: 'postgres://u@/x?host=/nowhere' } }, 'postgres /x, schema writ: no such file or directory'],
  [{ file: { directory: import.meta.filename } }, `file ${import.meta.filename}: mkdir ${import.meta.filename}: file exists`],
  [{ file: { directory: '/proc/writ/x' } }, 'file /proc/writ/x: mkdir /proc/writ: no such file or directory'],
])('a store that cannot be opened is told in words: %j', async (storage, message) => {
  await expect(serverOver(storage)).rejects.toMatchObject({ code: 'storage_unavailable', message });
});

test("the reference's keys want an existing directory, unless told otherwise", async () => {
  const directory = `${temporaryFolder()}/a/b`;
  await expect(serverOver({ disk: { directory } })).rejects.toThrow(`directory ${directory} invalid`);
  const server = await serverOver({ disk: { directory, auto_create: true, partitions: ['/a'] } });
  expect((await server.ask('PUT', '/v1/data/a', '1')).revision).toBe(1);
});

test('entries that a replica missed are taken from the snapshot, with what is gone', async () => {
  const directory = temporaryFolder();
  const storage = { file: { directory } };
  const files = { policies: { f: 'package f' }, data: { base: { a: 1, b: 2 } } };
  const writer = await serverOver({ ...storage, snapshot_every: 4 }, files);
  await writer.ask('PUT', '/v1/data/gone/x', '1');
  await writer.ask('PUT', '/v1/policies/gone.rego', 'package gone');
  const before = await serverOver(storage, files);
  const left = new FileLog({ directory, create: false });
  await left.open();
  await writer.ask('DELETE', '/v1/data/gone');
  await writer.ask('DELETE', '/v1/data/base/a');
  await writer.ask('DELETE', '/v1/policies/gone.rego');
  await writer.ask('DELETE', '/v1/policies/f');
  await writeSome(writer, 8);
  await vi.waitFor(async () => expect((await left.size()).snapshots.length).toBeGreaterThan(0));
  await before.ask('GET', '/v1/data', undefined, { consistency: 'strong' });
  expect(stateOf(before)).toBe(stateOf(writer));
  const after = await serverOver(storage, files);
  expect(stateOf(after)).toBe(stateOf(writer));
  expect((await after.ask('GET', '/v1/data/base')).text).toBe('{"result":{"b":2}}\n');
  await left.close();
});

test.for(['a file', 'PostgreSQL'])('a full disk under %s: writes are refused until there is space', async (kind, { skip }) => {
  const disk = smallDisk(256);
  if (disk === undefined) return skip();
  onTestFinished(disk.unmount);
  const database = kind === 'PostgreSQL' ? await startPostgres(disk) : undefined;
  if (kind === 'PostgreSQL' && database === undefined) return skip();
  onTestFinished(() => database?.close());
  const storage = database === undefined ? { file: { directory: disk.folder } } : { postgres: { url: database.url } };
  const server = await serverOver(storage);
  await writeSome(server, 3);
  disk.fill();
  // More than is left in the files that there are.
  const long = JSON.stringify(randomBytes(16 * 1024 * 1024).toString('base64'));
  const refused = await server.ask('PUT', '/v1/data/long', long);
  expect([refused.status, refused.headers.get('retry-after'), JSON.parse(refused.text).code]).toEqual([503, '1', 'unavailable']);
  expect((await server.ask('GET', '/v1/data/n/3')).text).toBe('{"result":3}\n');
  disk.free();
  await database?.start();
  await vi.waitFor(async () => expect((await server.ask('PUT', '/v1/data/n/4', '4')).status).toBe(204), 20_000);
  const after = await serverOver(storage);
  expect(stateOf(after)).toBe(stateOf(server));
  expect((await after.ask('GET', '/v1/data')).text).toContain('"n":{"1":1,"2":2,"3":3,"4":4}');
  expect((await after.ask('GET', '/v1/data/long')).text).toBe('{}\n');
});

/** A server in a process of its own, so that it can be killed. */
async function killed(storage: PlainObject, writes: (server: ServerProcess) => Promise<void>): Promise<void> {
  const config = join(temporaryFolder(), 'config.json');
  writeFileSync(config, JSON.stringify({ storage }));
  const server = await serverProcess('--config-file', config);
  await writes(server);
  await server.end('SIGKILL');
}

test.for([{ index: 'there' }, { index: 'gone' }])(
  'a server starts on a full disk, where the index of the write-ahead file is $index, and reads',
  async ({ index }, { skip }) => {
    const disk = smallDisk(0.6);
    if (disk === undefined) return skip();
    onTestFinished(disk.unmount);
    const directory = join(disk.folder, 'log');
    const storage = { file: { directory } };
    let answered = 0;
    await killed(storage, async (server) => {
      expect((await server.ask('GET', '/health?store')).status).toBe(200);
      const long = JSON.stringify('x'.repeat(20_000));
      for (let i = 0; i < 60; i++) if ((await server.ask('PUT', `/v1/data/d${i}`, long)).status === 204) answered++;
      expect(answered).toBeGreaterThan(5);
      expect(answered).toBeLessThan(60);
      await vi.waitFor(async () => expect((await server.ask('GET', '/health?store')).status).toBe(500), 10_000);
    });
    if (index === 'gone') rmSync(join(directory, 'writes.sqlite-shm'));
    disk.fill();
    const server = await serverOver(storage);
    expect(Object.keys(JSON.parse((await server.ask('GET', '/v1/data')).text).result)).toHaveLength(answered);
    const refused = await server.ask('PUT', '/v1/data/more', '1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await vi.waitFor(async () => expect((await server.ask('GET', '/health?store')).status).toBe(500), 10_000);
    disk.free();
    execFileSync('mount', ['-o', 'remount,size=8m', disk.folder]);
    await vi.waitFor(async () => expect((await server.ask('PUT', '/v1/data/more', '1')).status).toBe(204), 20_000);
    await vi.waitFor(async () => expect((await server.ask('GET', '/health?store')).status).toBe(200), 10_000);
    expect(stateOf(await serverOver(storage))).toBe(stateOf(server));
  },
);

describe('a file of a killed server that was changed on the disk', () => {
  const count = 40;

  async function killedLog(snapshotEvery: number): Promise<string> {
    const directory = temporaryFolder();
    await killed({ file: { directory }, snapshot_every: snapshotEvery }, async (server) => {
      for (let i = 1; i <= count; i++) {
        const text = JSON.stringify(`document ${i} `.repeat(60));
        expect((await server.ask('PUT', `/v1/data/n/${i}`, text)).status).toBe(204);
      }
    });
    return directory;
  }

  /** The documents, or the fault that is told. */
  async function foundIn(directory: string, snapshotEvery: number): Promise<string> {
    const log = new FileLog({ directory, create: true });
    let told = '';
    try {
      await log.open();
      await verifyLog(log);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      told = error.message;
    } finally {
      await log.close().catch(() => undefined);
    }
    if (told !== '') return `told: ${told}`;
    const server = await serverOver({ file: { directory }, snapshot_every: snapshotEvery });
    const state = stateOf(server);
    await server.close();
    return state;
  }

  test.each<[string, number]>([
    ['without a snapshot', 1000],
    ['with snapshots', 15],
  ])('%s is whole, or its fault is told', { timeout: 300_000 }, async (_title, snapshotEvery) => {
    const origin = await killedLog(snapshotEvery);
    const copyOf = () => {
      const directory = temporaryFolder();
      cpSync(origin, directory, { recursive: true });
      return directory;
    };
    const whole = await foundIn(copyOf(), snapshotEvery);
    expect(whole).toContain(`document ${count} `);
    const told: string[] = [];
    const faults: [string, (directory: string) => void][] = [];
    for (const name of readdirSync(origin).filter((file) => !file.endsWith('-shm'))) {
      const { size } = statSync(join(origin, name));
      const parts = name.endsWith('.head') ? 16 : 24;
      for (let part = 0; part < parts; part++) {
        const at = Math.floor(((part + 0.37) * size) / parts);
        faults.push([`flip ${name} at ${at}`, (directory) => flip(join(directory, name), at)]);
      }
      for (const share of [0, 0.3, 0.6, 0.95])
        faults.push([`cut ${name} at ${share}`, (directory) => truncateSync(join(directory, name), Math.floor(size * share))]);
      faults.push([`remove ${name}`, (directory) => rmSync(join(directory, name))]);
    }
    faults.push([
      'remove the write-ahead file, and empty the database',
      (directory) => {
        rmSync(join(directory, 'writes.sqlite-wal'));
        truncateSync(join(directory, 'writes.sqlite'), 0);
      },
    ]);
    for (const [title, make] of faults) {
      const directory = copyOf();
      make(directory);
      const found = await foundIn(directory, snapshotEvery);
      if (found.startsWith('told: ')) told.push(title);
      else expect([title, found === whole]).toEqual([title, true]);
    }
    // Some regions are free, or of files that were written since.
    expect(told.length).toBeGreaterThan(faults.length / 4);
  });

  test('is told by a start, by verify and by health, and what is left can be saved', async () => {
    const directory = await killedLog(1000);
    rmSync(join(directory, 'writes.sqlite-wal'));
    await expect(serverOver({ file: { directory } })).rejects.toMatchObject({
      code: 'storage_corrupt',
      message: expect.stringContaining(`writes up to entry ${count} were answered`),
    });
    const flags = ['--set', `storage.file.directory=${directory}`];
    expect(await runCommand('storage', 'verify', ...flags)).toMatchObject({ exit: 1, stderr: expect.stringContaining('is missing') });
    expect(await runCommand('storage', 'export', ...flags)).toMatchObject({ exit: 0 });
  });

  test('below its snapshot is told by health, while decisions go on', async () => {
    const directory = await killedLog(15);
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(join(directory, 'writes.sqlite'));
    database.exec("UPDATE snapshot_parts SET body = x'00' WHERE rowid = (SELECT min(rowid) FROM snapshot_parts)");
    database.close();
    const server = await serverOver({ file: { directory }, snapshot_every: 15 });
    await vi.waitFor(async () => expect((await server.ask('GET', '/health?store')).status).toBe(500), 10_000);
    expect((await server.ask('GET', '/health?store')).text).toContain('damaged');
    expect((await server.ask('GET', `/v1/data/n/${count}`)).text).toContain(`document ${count} `);
  });

  test('of an earlier release has no head file, and gets one', async () => {
    const directory = temporaryFolder();
    const first = await serverOver({ file: { directory } });
    await writeSome(first, 2);
    await first.close();
    rmSync(join(directory, 'writes.head'));
    const { DatabaseSync } = await loadSqlite();
    const database = new DatabaseSync(join(directory, 'writes.sqlite'));
    database.exec('PRAGMA application_id = 0');
    database.close();
    await (await serverOver({ file: { directory } })).close();
    expect(readFileSync(join(directory, 'writes.head'), 'latin1')).toContain('2 ');
  });
});

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0x40;
  writeFileSync(path, bytes);
}

describe.concurrent('PostgreSQL', () => {
  test('that is away: decisions go on, writes are refused, a start takes the last snapshot', async ({ skip }) => {
    const database = await startPostgres();
    if (database === undefined) return skip();
    const postgres = { url: database.url, snapshot_directory: temporaryFolder() };
    const storage = { postgres, max_lag_seconds: 0.5 };
    const server = await serverOver(storage);
    await writeSome(server, 3);
    expect((await server.ask('GET', '/health?store')).status).toBe(200);
    await database.stop();
    await vi.waitFor(async () => expect((await server.ask('GET', '/health?store')).status).toBe(500), 20_000);
    const refused = await server.ask('PUT', '/v1/data/n/4', '4');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(JSON.parse(refused.text).code).toBe('unavailable');
    expect((await server.ask('GET', '/v1/data/n/3')).text).toBe('{"result":3}\n');
    expect((await server.ask('GET', '/v1/data/n/3', undefined, { consistency: 'strong' })).status).toBe(503);
    expect((await server.ask('GET', '/metrics')).text).toContain('\nstorage_up 0\n');
    await server.close();
    await expect(serverOver({ postgres: { url: database.url } })).rejects.toMatchObject({ code: 'storage_unavailable' });
    const alone = await serverOver(storage);
    const read = await alone.ask('GET', '/v1/data/n');
    expect([read.text, read.revision]).toEqual(['{"result":{"1":1,"2":2,"3":3}}\n', 3]);
    expect((await alone.ask('PUT', '/v1/data/n/4', '4')).status).toBe(503);
    await database.start();
    await vi.waitFor(async () => expect((await alone.ask('PUT', '/v1/data/n/4', '4')).status).toBe(204), 20_000);
    expect((await alone.ask('GET', '/health?store')).status).toBe(200);
    await alone.close();
    await database.close();
  });

  test('that stands still: a write ends in time, and is made once at most', async ({ skip }) => {
    const database = await startPostgres();
    if (database === undefined) return skip();
    const server = await serverOver({ postgres: { url: database.url } });
    await writeSome(server, 1);
    database.pause();
    expect((await server.ask('PATCH', '/v1/data/n', '[{"op": "add", "path": "list", "value": []}]')).status).toBe(503);
    database.resume();
    await vi.waitFor(async () => expect((await server.ask('PUT', '/v1/data/n/2', '2')).status).toBe(204), 20_000);
    const [{ count }] = (await database.query('SELECT count(*)::int AS count FROM writ.entries')) as [{ count: number }];
    expect((await server.ask('GET', '/v1/data/n/2')).revision).toBe(count);
    await server.close();
    await database.close();
  });

  test('whose connection breaks in a write ends no process', async ({ skip }) => {
    const database = await startPostgres();
    if (database === undefined) return skip();
    const folder = new URL(database.url.replace('@/', '@-/')).searchParams.get('host')!;
    const network = await CuttingProxy.open(folder);
    const server = await serverProcess('--set', `storage.postgres.url=postgres://tests@/postgres?host=${network.folder}`);
    expect((await server.ask('PUT', '/v1/data/n', '0')).status).toBe(204);
    for (let i = 1; i <= 3; i++) {
      network.silence();
      const writing = server.ask('PUT', '/v1/data/n', String(i));
      await sleep(100);
      network.cut();
      expect((await writing).status).toBe(503);
      network.heal();
      await vi.waitFor(async () => expect((await server.ask('PUT', '/v1/data/n', String(i))).status).toBe(204), 20_000);
    }
    expect(server.isAlive()).toBe(true);
    await server.end();
    await network.close();
    await database.close();
  });

  test('that lost its last writes is not followed, and nothing is mixed', async ({ skip }) => {
    const storage = await postgresLogs.make();
    if (storage === undefined) return skip();
    const server = await serverOver(storage);
    await writeSome(server, 3);
    const { url, schema } = storage.postgres as unknown as PostgresConfig;
    const log = new PostgresLog({ url, schema, maxConnections: 1, snapshotDirectory: undefined });
    const [, second] = await log.entriesAfter(0, { entries: 2, bytes: 1e6 });
    const { default: pg } = await import('pg');
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`DELETE FROM ${schema}.entries WHERE revision > 2`);
    await client.query(`UPDATE ${schema}.head SET revision = 2, checksum = '${second!.checksum}'`);
    await vi.waitFor(async () => expect((await server.ask('GET', '/health?store')).text).toContain('another history'), 5000);
    expect((await server.ask('PUT', '/v1/data/n/4', '4')).status).toBe(503);
    await server.close();
    const again = await serverOver(storage);
    expect((await again.ask('PUT', '/v1/data/n/5', '5')).revision).toBe(3);
    expect((await again.ask('GET', '/v1/data/n')).text).toBe('{"result":{"1":1,"2":2,"5":5}}\n');
    await Promise.all([client.end(), log.close()]);
  });

  test.for(['an empty one', 'one of the same length', 'a longer one'])(
    'whose schema was made anew, as %s, answers no strong read',
    { timeout: 30_000 },
    async (kind, { skip }) => {
      const storage = await postgresLogs.make();
      if (storage === undefined) return skip();
      const server = await serverOver({ ...storage, max_wait_seconds: 1 });
      await writeSome(server, 3);
      const { url, schema } = storage.postgres as unknown as PostgresConfig;
      const strong = () => server.ask('GET', '/v1/data/n', undefined, { consistency: 'strong' });
      expect((await strong()).text).toBe('{"result":{"1":1,"2":2,"3":3}}\n');
      const { default: pg } = await import('pg');
      const client = new pg.Client(url);
      await client.connect();
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      const other = await serverOver(storage);
      const count = { 'an empty one': 0, 'one of the same length': 3, 'a longer one': 5 }[kind]!;
      for (let i = 1; i <= count; i++) await other.ask('PUT', `/v1/data/other/${i}`, '1');
      // At once, and after the log was followed.
      for (let i = 0; i < 3; i++) {
        expect((await strong()).status).toBe(503);
        await sleep(700);
      }
      expect((await server.ask('GET', '/health?store')).status).toBe(500);
      expect((await server.ask('GET', '/v1/data/n')).text).toBe('{"result":{"1":1,"2":2,"3":3}}\n');
      await client.end();
    },
  );

  test('serves releases side by side, until one needs more than an older one knows', async ({ skip }) => {
    const storage = await postgresLogs.make();
    if (storage === undefined) return skip();
    const { url, schema } = storage.postgres as unknown as PostgresConfig;
    const config = { url, schema, maxConnections: 1, snapshotDirectory: undefined };
    const server = await serverOver(storage);
    await writeSome(server, 1);
    const adds = { least: 1, sql: "ALTER TABLE @.entries ADD COLUMN note text NOT NULL DEFAULT ''" };
    const newer = new PostgresLog(config, [...migrations, adds]);
    await Promise.all([newer.open(), new PostgresLog(config, [...migrations, adds]).open()]);
    expect((await server.ask('PUT', '/v1/data/n/2', '2')).revision).toBe(2);
    await server.close();
    const older = await serverOver(storage);
    expect((await older.ask('GET', '/v1/data/n')).text).toBe('{"result":{"1":1,"2":2}}\n');
    await new PostgresLog(config, [...migrations, adds, { least: 3, sql: 'ALTER TABLE @.entries RENAME TO writes' }]).open();
    await expect(serverOver(storage)).rejects.toMatchObject({ code: 'storage_unsupported' });
    await newer.close();
  });
});
