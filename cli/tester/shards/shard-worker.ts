/** A thread that compiles some of the files, and runs their tests. */
import { parentPort } from 'node:worker_threads';
import { withDeclared } from '../../../runtime/builtins/declared.js';
import { builtins } from '../../../runtime/builtins/registry.js';
import { exactValue } from '../../../runtime/values/json/exact-json.js';
import type { PlainObject } from '../../../runtime/values/value.js';
import { TurboFanPause } from '../../eval/compile-tier.js';
import { testMatcher } from '../discover.js';
import { reportedError } from '../messages.js';
import type { TestResult } from '../result.js';
import { isRun, TestRun, withData } from '../run.js';
import type { ReportedResult, ShardData, ShardReport } from './shard-messages.js';
import { parseShard } from './shards.js';

/** So many results are sent together. */
const resultsOfMessage = 32;

export async function runShard(shard: ShardData): Promise<void> {
  const pause = new TurboFanPause(shard.pause);
  pause.arrive();
  const send = (report: ShardReport) => parentPort!.postMessage(report);
  let run: TestRun;
  try {
    run = await prepared(shard, () => pause.end());
  } catch {
    // Compiled together with the other files, the error is reported as without threads.
    send('failed');
    return;
  }
  send({ tests: run.tests.map(({ span: _, body: __, ...test }) => test) });
  let results: ReportedResult[] = [];
  let at = 0;
  for await (const result of run.results()) {
    if (isRun(run.tests[at++]!)) results.push(reported(result));
    if (results.length < resultsOfMessage) continue;
    send({ results });
    results = [];
  }
  send({ results });
}

async function prepared(shard: ShardData, onPlanned: () => void): Promise<TestRun> {
  const { files, part, data: text, env, capabilities, compile, options } = shard;
  const data = exactValue(text) as PlainObject;
  const parsed = parseShard(
    files.map(({ file, ...sent }) => ({ ...sent, file: { ...file, bytes: new Uint8Array() } })),
    capabilities,
  );
  const all = {
    ...options,
    compile: withData({ ...compile, ...(capabilities && { capabilities, builtins: withDeclared(builtins, capabilities) }) }, data),
    matches: await testMatcher(options.pattern),
    coverage: false,
    coverageRuns: [],
    benchmark: false,
    allocations: false,
    failureLines: false,
    onPlanned,
  };
  return await TestRun.prepare(parsed, data, all, { env, entry: process.argv[1] }, part);
}

function reported({ error, ...result }: TestResult): ReportedResult {
  return error === undefined ? result : { ...result, reported: reportedError(error) };
}
