/** A thread that compiles some of the files, and runs their tests. */
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { withDeclared } from '../../../runtime/builtins/declared.js';
import { builtins } from '../../../runtime/builtins/registry.js';
import { exactValue } from '../../../runtime/values/json/exact-json.js';
import type { PlainObject } from '../../../runtime/values/value.js';
import { TurboFanPause } from '../../eval/compile-tier.js';
import { testMatcher } from '../discover.js';
import { reportedError } from '../messages.js';
import type { TestResult } from '../result.js';
import type { Entry, ReportedResult, ShardReport, ShardsData, ShardThreadData } from './shard-messages.js';
import { ShardTests } from './shard-tests.js';
import type { Shard } from './shards.js';

/** So many results are sent together. */
const resultsOfMessage = 32;

export async function runShards({ pause: shared }: ShardThreadData): Promise<void> {
  const pause = new TurboFanPause(shared);
  pause.arrive();
  const [given] = (await once(parentPort!, 'message')) as [ShardsData];
  const mayRun = once(parentPort!, 'message');
  let tests: ShardTests;
  try {
    tests = await testsOf(given, () => pause.end());
    for await (const entries of tests.take(shardsOf(given), given.turns)) send({ entries: entries.map(reportedEntry) });
  } catch {
    // Compiled together with the other files, the error is reported as without threads.
    send('failed');
    return;
  }
  send('compiled');
  await mayRun;
  let results: ReportedResult[] = [];
  for await (const result of tests.rest()) {
    results.push(reported(result));
    if (results.length < resultsOfMessage) continue;
    send({ results });
    results = [];
  }
  send({ results });
}

function send(report: ShardReport): void {
  parentPort!.postMessage(report);
}

function shardsOf({ files, shards }: ShardsData): readonly Shard[] {
  const sources = files.map(({ file, ...sent }) => ({ ...sent, file: { ...file, bytes: new Uint8Array() } }));
  return shards.map(({ files, own }) => ({ files: files.map((i) => sources[i]!), own: new Set(own.map((i) => sources[i]!)) }));
}

async function testsOf(given: ShardsData, onPlanned: () => void): Promise<ShardTests> {
  const { threads, data, env, capabilities, compile, options } = given;
  const all = {
    ...options,
    compile: { ...compile, ...(capabilities && { capabilities, builtins: withDeclared(builtins, capabilities) }) },
    matches: await testMatcher(options.pattern),
    coverage: false,
    coverageRuns: [],
    benchmark: false,
    allocations: false,
    failureLines: false,
    onPlanned,
  };
  return new ShardTests(exactValue(data) as PlainObject, all, { env, entry: process.argv[1] }, threads);
}

function reportedEntry(entry: Entry<TestResult>): Entry<ReportedResult> {
  return 'result' in entry ? { file: entry.file, result: reported(entry.result) } : entry;
}

function reported({ error, ...result }: TestResult): ReportedResult {
  return error === undefined ? result : { ...result, reported: reportedError(error) };
}
