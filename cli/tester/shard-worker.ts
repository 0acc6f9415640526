/** A thread that compiles some of the files, and runs their tests. */
import { parentPort } from 'node:worker_threads';
import { parseModule } from '../../compiler/syntax/parse.js';
import { withDeclared } from '../../runtime/builtins/declared.js';
import { builtins } from '../../runtime/builtins/registry.js';
import { readAt } from '../../runtime/bundle/documents.js';
import { exactValue } from '../../runtime/values/json/exact-json.js';
import type { PlainObject } from '../../runtime/values/value.js';
import type { Io } from '../io.js';
import { reportedError } from './messages.js';
import type { TestResult } from './result.js';
import { TestRun } from './run.js';
import type { ReportedResult, ShardData, ShardReport } from './shard-messages.js';

/** So many results are sent together. */
const resultsOfMessage = 32;

export async function runShard(shard: ShardData): Promise<void> {
  const send = (report: ShardReport) => parentPort!.postMessage(report);
  let run: TestRun;
  try {
    run = await prepared(shard);
  } catch {
    // Compiled together with the other files, the error is reported as without threads.
    send('failed');
    return;
  }
  send('ready');
  let results: ReportedResult[] = [];
  for await (const result of run.results()) {
    results.push(reported(result));
    if (results.length < resultsOfMessage) continue;
    send({ results });
    results = [];
  }
  send({ results });
}

async function prepared({ files, data: text, env, capabilities, compile, options, tests }: ShardData): Promise<TestRun> {
  const data = exactValue(text) as PlainObject;
  const parsed = files.map(({ name, file, version }) => {
    const module = parseModule(file.path, file.text, { regoVersion: version, ...(capabilities && { capabilities }) });
    return { name, file: { ...file, bytes: new Uint8Array() }, module };
  });
  const io: Pick<Io, 'env' | 'entry'> = { env };
  const all = {
    ...options,
    compile: {
      ...compile,
      ...(capabilities && { capabilities, builtins: withDeclared(builtins, capabilities) }),
      dataExists: (path: readonly string[]) => readAt(data, path) !== undefined,
    },
    matches: (fullName: string) => tests.has(fullName),
    coverage: false,
    coverageRuns: [],
    benchmark: false,
    allocations: false,
    failureLines: false,
    parallel: 1,
  };
  return await TestRun.prepare(parsed, data, all, io);
}

function reported({ error, ...result }: TestResult): ReportedResult {
  return error === undefined ? result : { ...result, reported: reportedError(error) };
}
