import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serverProcess } from '../../test/harness/server/process.js';
import { serverOver, stateOf, temporaryFolder } from '../../test/harness/storage/logs.js';
import { FileLog } from './file/file-log.js';
import { verifyLog } from './log-content.js';

/** The same numbers in each run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const places = Number(process.env.WRIT_CRASHES ?? 150);
const kills = Number(process.env.WRIT_KILLS ?? 4);

test(`a file that was cut at any of ${places} places has what was answered, and nothing by halves`, async () => {
  const directory = temporaryFolder();
  const server = await serverOver({ file: { directory }, snapshot_every: 10 });
  const wal = join(directory, 'writes.sqlite-wal');
  const head = () => readFileSync(join(directory, 'writes.head'));
  /** By revision: what was on the disk when it was answered, and the state. */
  const answered: { readonly bytes: number; readonly head: Buffer; readonly state: string }[] = [
    { bytes: 0, head: head(), state: stateOf(server) },
  ];
  const number = random(1);
  for (let revision = 1; revision <= 40; revision++) {
    const body = JSON.stringify({ n: revision, text: 'x'.repeat(number() * 20_000) });
    const operations = [
      { method: 'PUT', path: `/v1/data/d/${revision % 7}`, body: JSON.parse(body) },
      { method: 'PUT', path: `/v1/policies/p${revision % 5}.rego`, body: `package p${revision % 5}\n\nx := ${revision}` },
    ];
    const answer = await server.ask('POST', '/v1/transactions', JSON.stringify({ operations }));
    expect(answer.revision).toBe(revision);
    answered.push({ bytes: statSync(wal).size, head: head(), state: stateOf(server) });
  }
  const [main, log] = [join(directory, 'writes.sqlite'), readFileSync(wal)];
  let snapshots = 0;
  for (let place = 0; place < places; place++) {
    const cut = Math.floor(number() * log.length);
    const crashed = join(directory, String(place));
    mkdirSync(crashed);
    copyFileSync(main, join(crashed, 'writes.sqlite'));
    // What was on its way may be there in part, or be something else.
    const tail = place % 2 === 0 ? Buffer.alloc(0) : Buffer.alloc(Math.floor(number() * 9000), place);
    writeFileSync(join(crashed, 'writes.sqlite-wal'), Buffer.concat([log.subarray(0, cut), tail]));
    const last = answered.filter(({ bytes }) => bytes <= cut).at(-1)!;
    writeFileSync(join(crashed, 'writes.head'), last.head);
    const found = new FileLog({ directory: crashed, create: false });
    await found.open();
    const { revision, entries } = await verifyLog(found);
    snapshots += (await found.size()).snapshots.length;
    await found.close();
    expect(entries).toBe(revision);
    expect(revision).toBeGreaterThanOrEqual(answered.indexOf(last));
    const again = await serverOver({ file: { directory: crashed } });
    expect(stateOf(again)).toBe(answered[revision]!.state);
    expect((await again.ask('PUT', '/v1/data/next', '1')).revision).toBe(revision + 1);
    await again.close();
  }
  expect(snapshots).toBeGreaterThan(0);
});

test('a server that is killed has what it answered, once it is started again', async () => {
  const directory = temporaryFolder();
  const acknowledged = new Map<string, string>();
  const number = random(2);
  let count = 0;
  for (let round = 0; round < kills; round++) {
    const server = await serverProcess('--set', `storage.file.directory=${directory}`, '--set', 'storage.snapshot_every=20');
    const state = ((await server.ask('GET', '/v1/data/d')).body as { result?: Record<string, unknown> }).result ?? {};
    for (const [key, value] of acknowledged) expect([key, JSON.stringify(state[key])]).toEqual([key, value]);
    const killed = new Promise<unknown>((resolve) => setTimeout(() => resolve(server.end('SIGKILL')), 100 + number() * 400));
    const client = async () => {
      while (server.isAlive()) {
        const [key, value] = [`k${++count}`, String(count)];
        try {
          const { status } = await server.ask('PUT', `/v1/data/d/${key}`, value);
          if (status === 204) acknowledged.set(key, value);
        } catch {
          // It is gone: whether this was written is not known.
        }
      }
    };
    await Promise.all([killed, client(), client(), client()]);
  }
  expect(acknowledged.size).toBeGreaterThan(20);
});
