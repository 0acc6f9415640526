/**
 * Replicas, a database, and clients, while replicas are killed and stopped, their networks are cut,
 * slowed down and silent, and the database pauses, restarts and has a full disk, two at a time.
 * `npm run -s resilience -- --minutes N` does it for long.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../harness/databases/postgres.js';
import { type SmallDisk, smallDisk } from '../harness/databases/small-disk.js';
import { tellTestsApart } from '../harness/set-up/concurrent-tests.js';
import { runClient } from './clients.js';
import { Cluster, databaseFaults, replicaCount, replicaFaults } from './cluster.js';
import { type History, type Log, violations } from './history.js';

const minutes = Number(process.env.WRIT_RESILIENCE_MINUTES ?? 0.5);
const seed = Number(process.env.WRIT_RESILIENCE_SEED ?? 1);
const clientCount = 5;

tellTestsApart();

let disk: SmallDisk | undefined;
let database: Postgres | undefined;
beforeAll(async () => {
  disk = smallDisk(512);
  database = await startPostgres(disk);
});
afterAll(async () => {
  await database?.close();
  disk?.unmount();
});

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

/** @param round a number of its own for each run of a cluster: its clients are others */
async function run(cluster: Cluster, ms: number, hasFaults: boolean, round = 0): Promise<Run> {
  const end = performance.now() + ms;
  const until = () => performance.now() > end;
  const clients = clientsOf(cluster, round, until);
  let faultCount = 0;
  /** One fault after another; each seventh lasts for seconds, longer than replicas wait. */
  const faulty = async (random: () => number, fault: (pick: number, ms: number) => Promise<void>) => {
    for (let i = 1; hasFaults && !until(); i++) {
      await fault(random(), i % 7 === 0 ? 6000 : 100 + random() * 500);
      faultCount++;
      await sleep(100 + random() * 300);
    }
  };
  const replicaOf = numbers(seed + 2);
  await Promise.all([
    faulty(numbers(seed), (pick, length) =>
      cluster.replicaFault(oneOf(replicaFaults, pick), Math.floor(replicaOf() * replicaCount), length),
    ),
    faulty(numbers(seed + 1), async (pick, length) => {
      await cluster.databaseFault(oneOf(databaseFaults, pick), length, disk);
      await sleep(1000);
    }),
  ]);
  const history = (await Promise.all(clients)).flat();
  return { history, log: await cluster.log(), faultCount };
}

function clientsOf(cluster: Cluster, round: number, until: () => boolean) {
  return Array.from({ length: clientCount }, (_, i) => {
    const client = round * clientCount + i;
    return runClient({ client, url: (replica) => cluster.url(replica), random: numbers(seed * 1000 + client), until });
  });
}

function oneOf<T>(all: readonly T[], pick: number): T {
  return all[Math.floor(pick * all.length)]!;
}

/** How many writes, and reads, show something. */
const enough = 50;
const mostRounds = 4;

const longestMs = mostRounds * minutes * 60_000 + 120_000;
test('replicas keep what docs/storage.md promises, whatever fails', { timeout: longestMs }, async ({ skip }) => {
  if (database === undefined) return skip();
  const cluster = await Cluster.start(database);
  const history: History[number][] = [];
  let log: Log = [];
  let faultCount = 0;
  const count = (isCounted: (call: History[number]) => boolean): number => history.filter(isCounted).length;
  const made = () => count((call) => call.kind === 'write' && call.revision !== undefined);
  const reads = () => count((call) => call.kind === 'read');
  // How many calls a round has is the machine's.
  for (let round = 0; round < mostRounds && Math.min(made(), reads()) <= enough; round++) {
    const more = await run(cluster, minutes * 60_000, true, round);
    history.push(...more.history);
    log = more.log;
    faultCount += more.faultCount;
  }
  await cluster.close();
  const refused = count((call) => call.kind === 'write' && call.isRefused);
  console.log(
    `resilience: seed ${seed}, ${faultCount} faults, ${made()} writes, ${refused} refused, ${reads()} reads, ${log.length} entries`,
  );
  expect(violations(history, log).slice(0, 20)).toEqual([]);
  expect(faultCount).toBeGreaterThan(5);
  expect(Math.min(made(), reads())).toBeGreaterThan(enough);
  expect(refused).toBeGreaterThan(0);
});

test.concurrent.for([
  ['loses', /is not in the log|was seen/],
  ['repeats', /was written again/],
  ['lags', /strong read .* after \d+ was seen/],
] as const)('a store that %s is found', { timeout: 240_000 }, async ([brokenStore, message], { skip }) => {
  if (database === undefined) return skip();
  const cluster = await Cluster.start(database, brokenStore);
  const history: History[number][] = [];
  let found = '';
  // How many calls a round has is the machine's: the fault is found in the first or a later one.
  for (let round = 0; round < 15 && !message.test(found); round++) {
    const { history: more, log } = await run(cluster, 4000, false, round);
    history.push(...more);
    found = violations(history, log).join('\n');
  }
  await cluster.close();
  expect(found).toMatch(message);
});
