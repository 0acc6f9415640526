/**
 * Replicas, a database, and clients, while replicas are killed and stopped, networks cut and
 * slowed down, and the database restarts. `npm run -s resilience -- --minutes N` does it for long.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../harness/databases/postgres.js';
import { runClient, type Send, send } from './clients.js';
import { Cluster, faults, replicaCount } from './cluster.js';
import { type History, type Log, violations } from './history.js';

const minutes = Number(process.env.WRIT_RESILIENCE_MINUTES ?? 0.5);
const seed = Number(process.env.WRIT_RESILIENCE_SEED ?? 1);
const clientCount = 5;

let database: Postgres | undefined;
beforeAll(async () => {
  database = await startPostgres();
});
afterAll(() => database?.close());

/** The same numbers in each run. */
function numbers(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Run {
  readonly history: History;
  readonly log: Log;
  readonly faultCount: number;
}

async function run(cluster: Cluster, ms: number, hasFaults: boolean, sendAs: Send): Promise<Run> {
  const end = performance.now() + ms;
  const until = () => performance.now() > end;
  const url = (replica: number) => cluster.url(replica);
  const clients = Array.from({ length: clientCount }, (_, client) => {
    return runClient({ client, url, random: numbers(seed * 1000 + client), send: sendAs, until });
  });
  const random = numbers(seed);
  let faultCount = 0;
  while (hasFaults && !until()) {
    await cluster.fault(faults[Math.floor(random() * faults.length)]!, Math.floor(random() * replicaCount), 100 + random() * 500);
    await new Promise((resolve) => setTimeout(resolve, 100 + random() * 300));
    faultCount++;
  }
  const history = (await Promise.all(clients)).flat();
  return { history, log: await cluster.log(), faultCount };
}

test('replicas keep what docs/storage.md promises, whatever fails', { timeout: minutes * 60_000 + 120_000 }, async ({ skip }) => {
  if (database === undefined) skip();
  const cluster = await Cluster.start(database!);
  const { history, log, faultCount } = await run(cluster, minutes * 60_000, true, send);
  await cluster.close();
  const [writes, reads] = ['write', 'read'].map((kind) => history.filter((call) => call.kind === kind).length);
  console.log(`resilience: seed ${seed}, ${faultCount} faults, ${writes} writes, ${reads} reads, ${log.length} entries`);
  expect(violations(history, log).slice(0, 20)).toEqual([]);
  expect(faultCount).toBeGreaterThan(5);
  expect(Math.min(writes!, reads!, log.length)).toBeGreaterThan(50);
});

// Each stands for a fault of a server that would break a promise.
const broken: readonly [string, Send, RegExp][] = [
  [
    'answers writes before they are made',
    async (url, init) => {
      if (init.method !== 'PUT' || Math.random() < 0.9) return send(url, init);
      return new Response(null, { status: 204, headers: { revision: '1000000' } });
    },
    /is not in the log/,
  ],
  [
    'forgets what reads ask for',
    async (url, init) => send(url, init.method === undefined ? { ...init, headers: {} } : init),
    /asked for revision|strong read/,
  ],
  [
    'makes a transaction in two steps',
    async (url, init) => {
      if (!url.endsWith('/v1/transactions')) return send(url, init);
      const { operations } = JSON.parse(String(init.body)) as { operations: { path: string; body: number }[] };
      const base = url.replace('/v1/transactions', '');
      const answers = [];
      for (const { path, body } of operations) answers.push(await send(base + path, { method: 'PUT', body: String(body) }));
      return answers.at(-1)!;
    },
    /is not in the log/,
  ],
];

test.each(broken)('a server that %s is found', { timeout: 120_000 }, async (_title, sendAs, message) => {
  if (database === undefined) return;
  const cluster = await Cluster.start(database);
  const { history, log } = await run(cluster, 4000, false, sendAs);
  await cluster.close();
  expect(violations(history, log).join('\n')).toMatch(message);
});
