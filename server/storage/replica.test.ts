import { randomBytes } from 'node:crypto';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Engine } from '../../engine/engine.js';
import { createContext } from '../../engine/shared-context.js';
import { smallDisk } from '../../test/harness/databases/small-disk.js';
import { temporaryFolder } from '../../test/harness/storage/logs.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { FileLog } from './file/file-log.js';
import { LocalSnapshot } from './local-snapshot.js';
import { Replica, type ReplicaOptions } from './replica.js';
import { storedSnapshot } from './stored-snapshot.js';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function replicaOf(log: FileLog, options: Partial<ReplicaOptions> = {}) {
  const engine = new Engine({ context: createContext({ host: nodeHost }) });
  const settings = { release: 'test', snapshotEvery: 1000, maxLagSeconds: 30, amendsBundles: false };
  const replica = new Replica({ engine, log, logger: silent, ...settings, ...options });
  await replica.start();
  onTestFinished(() => replica.stop());
  const write = (value: number) => replica.write(() => ({ data: [{ op: 'write', path: ['n'], value }] }));
  return { engine, replica, write };
}

/** A file that gives notices, as a database does. */
class NoticingLog extends FileLog {
  notice: (revision?: number) => void = () => undefined;
  reading: Promise<void> | undefined;

  override follow(listener: (revision?: number) => void = () => undefined): void {
    this.notice = listener;
  }

  override async entriesAfter(...asked: Parameters<FileLog['entriesAfter']>) {
    const found = await super.entriesAfter(...asked);
    await this.reading;
    return found;
  }
}

test('a notice that comes while entries are applied is followed at once', async () => {
  const directory = temporaryFolder();
  const { write } = await replicaOf(new FileLog({ directory, create: true }));
  const log = new NoticingLog({ directory, create: false });
  const { engine } = await replicaOf(log);
  let go = () => {};
  log.reading = new Promise((resolve) => {
    go = resolve;
  });
  await write(1);
  log.notice(1);
  await new Promise((resolve) => setImmediate(resolve));
  await write(2);
  log.notice(2);
  go();
  expect(await engine.whenRevision(2, 300)).toBe(true);
});

test('a replica that cannot keep its own snapshot makes that of the log', async () => {
  const directory = temporaryFolder();
  writeFileSync(join(directory, 'file'), '');
  const warn = vi.fn();
  const log = new FileLog({ directory, create: false });
  const local = new LocalSnapshot(join(directory, 'file/below'));
  const { write } = await replicaOf(log, { local, snapshotEvery: 2, logger: { ...silent, warn } });
  for (const value of [1, 2, 3]) await write(value);
  await vi.waitFor(async () => expect((await log.size()).snapshots).toHaveLength(1));
  expect(warn.mock.calls.join()).toContain('/file');
});

test('a snapshot that the disk has no space for leaves the one before', async ({ skip }) => {
  const disk = smallDisk(8);
  if (disk === undefined) return skip();
  onTestFinished(disk.unmount);
  const local = new LocalSnapshot(join(disk.folder, 'kept'));
  const small = await storedSnapshot({ revision: 1, checksum: 'c' }, { policies: new Map(), data: [], places: [], basePolicies: [] });
  await local.save(small);
  disk.fill();
  // A part of the next one still fits.
  truncateSync(join(disk.folder, 'filler'), 7 * 1024 * 1024);
  const policies = new Map([['p', randomBytes(4 * 1024 * 1024).toString('base64')]]);
  const large = await storedSnapshot({ revision: 2, checksum: 'd' }, { policies, data: [], places: [], basePolicies: ['p'] });
  await expect(local.save(large)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(await local.read()).toEqual(small);
  // What was written of it is gone.
  writeFileSync(join(disk.folder, 'other'), Buffer.alloc(256 * 1024));
});
