/**
 * `npm run -s bench -- storage [ENTRIES]`: what the log of writes costs, in a file and in
 * PostgreSQL. How long a replica that starts takes for many entries, how long a write takes to be
 * visible at others, decisions beside the same server without a log, and the start with many
 * policies and documents beside the same from files.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Entry, storedEntry } from '../server/storage/entry.js';
import { FileLog } from '../server/storage/file/file-log.js';
import { PostgresLog } from '../server/storage/postgres/postgres-log.js';
import { beginning, type WriteLog } from '../server/storage/write-log.js';
import { startPostgres } from '../test/harness/databases/postgres.js';
import { freePort } from '../test/harness/server/free-port.js';
import { loadDuring } from './load/load-during.js';
import { processorMs } from './load/processor-time.js';
import { median } from './measure.js';

const root = join(import.meta.dirname, '..');
const replicas = 3;
const visibleWrites = 300;
const [policyCount, documentCount] = [10_000, 100];
const decisionRounds = 6;

/** A place for a log, of which each name is another one. */
interface Place {
  readonly kind: string;
  log(name: string): WriteLog;
  settings(name: string): readonly string[];
}

export async function run([count = '100000']: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'writ-bench-'));
  const database = await startPostgres();
  const file: Place = {
    kind: 'file',
    log: (name) => new FileLog({ directory: join(folder, name), create: true }),
    settings: (name) => [`storage.file.directory=${join(folder, name)}`],
  };
  const postgres: Place | undefined = database && {
    kind: 'postgres',
    log: (name) =>
      new PostgresLog({ url: database.url, schema: name, maxConnections: 1, snapshotDirectory: undefined }),
    settings: (name) => [`storage.postgres.url=${database.url}`, `storage.postgres.schema=${name}`],
  };
  try {
    for (const place of postgres === undefined ? [file] : [file, postgres]) {
      await catchUp(place, Number(count));
      await visibility(place);
      await decisions(place);
      await manyPolicies(place, folder);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await database?.close();
  }
}

function report(kind: string, what: string, figures: object): void {
  console.log(`${kind.padEnd(9)}${what.padEnd(16)}${JSON.stringify(figures)}`);
}

async function catchUp({ kind, log, settings }: Place, count: number): Promise<void> {
  await append(log('catch_up'), count, (i) => ({ data: [{ op: 'add', path: [`k${i % 1000}`], value: i }] }));
  const empty = await timedStart(settings('empty'));
  const full = await timedStart(settings('catch_up'));
  for (const { server } of [empty, full]) await ended(server);
  report(kind, 'catch-up', { entries: count, seconds: rounded((full.ms - empty.ms) / 1000) });
}

async function visibility({ kind, settings }: Place): Promise<void> {
  const started = [];
  for (let i = 0; i < replicas; i++) started.push(await timedStart(settings('visible')));
  const [writer, ...others] = started as [Started, ...Started[]];
  const times: number[] = [];
  for (let i = 0; i < visibleWrites; i++) {
    const answer = await fetch(`${writer.url}/v1/data/n`, { method: 'PUT', body: String(i) });
    const headers = { 'min-revision': answer.headers.get('revision')! };
    const answered = performance.now();
    await Promise.all(others.map(({ url }) => fetch(`${url}/v1/data/n`, { headers }).then((read) => read.text())));
    times.push(performance.now() - answered);
    await sleep(5);
  }
  for (const { server } of started) await ended(server);
  const sorted = times.sort((a, b) => a - b);
  report(kind, 'visible after', {
    medianMs: rounded(median(sorted)),
    p99Ms: rounded(sorted[Math.floor(times.length * 0.99)]!),
  });
}

/** In turn, by processor time of the servers: the first round warms up. */
async function decisions({ kind, settings }: Place): Promise<void> {
  const servers = [await timedStart([]), await timedStart(settings('decisions'))] as const;
  for (const { url } of servers)
    await fetch(`${url}/v1/policies/p.rego`, { method: 'PUT', body: 'package p\n\nx := input.n + 1\n' });
  const times: number[][] = [[], []];
  for (let round = 0; round <= decisionRounds; round++) {
    for (const [i, { port, server }] of servers.entries()) {
      const plan = { port, path: '/v1/data/p/x', bodies: ['{"input": {"n": 1}}'], connections: 8 };
      const before = processorMs(server.pid!);
      const { count } = await loadDuring(plan, () => sleep(2000));
      if (round > 0) times[i]!.push((processorMs(server.pid!) - before) / count);
    }
  }
  for (const { server } of servers) await ended(server);
  const [without, beside] = times.map((each) => Math.min(...each)) as [number, number];
  report(kind, 'decisions', { toNoLog: rounded(beside / without) });
}

async function manyPolicies({ kind, log, settings }: Place, folder: string): Promise<void> {
  const text = (i: number) => `package p${i}\n\nallow if input.user in data.d${i % documentCount}.users\n`;
  const document = (i: number) => ({ users: Array.from({ length: 50_000 }, (_, user) => `user-${i}-${user}-abcdef`) });
  const files = join(folder, `files-${kind}`);
  mkdirSync(files);
  for (let i = 0; i < policyCount; i++) writeFileSync(join(files, `p${i}.rego`), text(i));
  const documents = Object.fromEntries(Array.from({ length: documentCount }, (_, i) => [`d${i}`, document(i)]));
  writeFileSync(join(files, 'data.json'), JSON.stringify(documents));
  await append(log('many'), policyCount + documentCount, (i) =>
    i < documentCount
      ? { data: [{ op: 'add', path: [`d${i}`], value: document(i) }] }
      : { policies: new Map([[`p${i - documentCount}.rego`, text(i - documentCount)]]) },
  );
  // The first start takes all entries and makes a snapshot.
  await ended((await timedStart(settings('many'))).server);
  const fromFiles = await timedStart([], files);
  await ended(fromFiles.server);
  const fromLog = await timedStart(settings('many'));
  await ended(fromLog.server);
  const megabytes = rounded(Buffer.byteLength(JSON.stringify(documents)) / 1e6);
  report(kind, 'start', {
    policies: policyCount,
    megabytes,
    seconds: rounded(fromLog.ms / 1000),
    toFiles: rounded(fromLog.ms / fromFiles.ms),
  });
}

async function append(
  log: WriteLog,
  count: number,
  writes: (i: number) => Partial<Pick<Entry, 'data' | 'policies'>>,
): Promise<void> {
  await log.open();
  let after = beginning;
  for (let i = 0; i < count; i++) {
    const { data = [], policies = new Map() } = writes(i);
    const places = data.map(({ path }) => ({ length: path.length, isBase: false }));
    const entry = await storedEntry(after, {
      id: String(i),
      time: new Date().toISOString(),
      data,
      policies,
      places,
      basePolicies: [],
    });
    if (!(await log.append(after, entry))) throw new Error(`entry ${i} was not appended`);
    after = entry;
  }
  await log.close();
}

interface Started {
  readonly server: ChildProcess;
  readonly port: number;
  readonly url: string;
  /** Until it answered. */
  readonly ms: number;
}

async function timedStart(settings: readonly string[], ...paths: readonly string[]): Promise<Started> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = [
    'run',
    '--server',
    '--addr',
    url,
    '--log-level',
    'error',
    ...settings.flatMap((setting) => ['--set', setting]),
    ...paths,
  ];
  const start = performance.now();
  const server = spawn(join(root, 'bin/writ'), args, { stdio: ['ignore', 'ignore', 'inherit'] });
  while (
    !(await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (server.exitCode !== null) throw new Error('the server ended');
    await sleep(5);
  }
  return { server, port, url, ms: performance.now() - start };
}

async function ended(server: ChildProcess): Promise<void> {
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  await exit;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}
