/** Tests of a large repository: threads compile and run them in shards, with their packages. */
import { availableParallelism } from 'node:os';
import { exactText } from '../../../runtime/values/json/exact-json.js';
import type { PlainObject } from '../../../runtime/values/value.js';
import { collectTogether, type TurboFanPause } from '../../eval/compile-tier.js';
import type { Io } from '../../io.js';
import type { SourceFile, Sources } from '../../policies.js';
import type { ListedTest } from '../discover.js';
import type { TestResult } from '../result.js';
import { isRun, type TestOptions } from '../run.js';
import { notRun } from '../verdict.js';
import type { Crew } from './crew.js';
import type { Entry, ShardsData } from './shard-messages.js';
import { ShardTests } from './shard-tests.js';
import { nameOf, type ShardThread } from './shard-thread.js';
import { type Division, divide, sizeOf, threadsFor } from './shards.js';

/** Results of tests, in the order of the tests. */
export interface Results {
  results(): AsyncIterableIterator<TestResult>;
}

/** A test and the thread that runs it; undefined: this one. */
interface Assigned {
  readonly entry: Entry<TestResult>;
  readonly thread: ShardThread | undefined;
}

/**
 * The tests, divided among threads. Undefined where that does not pay, or where not all files
 * compile: then the caller compiles them together. It ends the threads.
 */
export async function shardedRun(
  sources: Sources,
  options: TestOptions,
  crew: Crew,
  pause: TurboFanPause,
  io: Pick<Io, 'env' | 'entry'>,
): Promise<Results | undefined> {
  const { parallel } = options;
  const count = threadsFor(sizeOf(sources.files), crew.most, crew.least);
  if (count < 2) return await notDivided(crew);
  const processors = availableParallelism();
  const isBusy = count >= processors;
  // Only long tests need more threads. Those may all be in shards of one.
  const threads = parallel === undefined ? Math.max(2, Math.ceil(processors / count)) : 1;
  const given = parallel === undefined ? options : { ...options, parallel: 1 };
  try {
    await crew.resize(count);
    const division = divide(sources.files, crew.most, crew.least);
    if (division === undefined) return await notDivided(crew);
    const data = sources.data();
    pause.arrive();
    if (isBusy) collectTogether(false);
    const shards = shardsData(division, sources.files, threads, data, given, io);
    const next = new Int32Array(new SharedArrayBuffer(4)).fill(division.threads);
    for (const [i, thread] of crew.threads.entries()) thread.start({ ...shards, turns: { first: i + 1, next } });
    const here = new ShardTests(data, given, io, threads);
    const tests: Assigned[] = [];
    for await (const entries of here.take(division.shards, { first: 0, next })) {
      for (const entry of entries) tests.push({ entry, thread: undefined });
      await messagesRead();
    }
    for (const thread of crew.threads) for (const entry of await thread.compiled) tests.push({ entry, thread });
    return new ShardedRun(inOrder(tests, sources), here, crew);
  } catch {
    return await notDivided(crew);
  } finally {
    if (isBusy) collectTogether(true);
  }
}

async function notDivided(crew: Crew): Promise<undefined> {
  await crew.end();
  return undefined;
}

/** All tests of a file are of one shard. */
function inOrder(tests: readonly Assigned[], { files }: Sources): readonly Assigned[] {
  const byFile = Map.groupBy(tests, ({ entry }) => entry.file);
  return files.flatMap(({ name }) => byFile.get(name) ?? []);
}

function shardsData(
  { shards }: Division,
  files: readonly SourceFile[],
  threads: number,
  data: PlainObject,
  { compile, timeout, explain, pattern, parallel }: TestOptions,
  { env }: Pick<Io, 'env'>,
): Omit<ShardsData, 'turns'> {
  const { errorLimit, schemaAnnotations, capabilities } = compile;
  const positions = new Map(files.map((file, i) => [file, i]));
  const positionsOf = (some: Iterable<SourceFile>) => [...some].map((file) => positions.get(file)!);
  return {
    files: files.map(({ file: { bytes: _, ...file }, ...source }) => ({ ...source, file })),
    shards: shards.map(({ files, own }) => ({ files: positionsOf(files), own: positionsOf(own) })),
    threads,
    data: exactText(data),
    env: { ...env },
    capabilities,
    compile: { ...(errorLimit !== undefined && { errorLimit }), ...(schemaAnnotations !== undefined && { schemaAnnotations }) },
    options: { timeout, explain, pattern, parallel },
  };
}

class ShardedRun implements Results {
  readonly #tests: readonly Assigned[];
  readonly #here: ShardTests;
  readonly #crew: Crew;

  constructor(tests: readonly Assigned[], here: ShardTests, crew: Crew) {
    this.#tests = tests;
    this.#here = here;
    this.#crew = crew;
  }

  async *results(): AsyncIterableIterator<TestResult> {
    for (const thread of this.#crew.threads) thread.runTheRest();
    const own = new OwnResults(this.#here.rest());
    try {
      for (const { entry, thread } of this.#tests) {
        if ('result' in entry) yield entry.result;
        else if (!isRun(entry.test)) yield notRun(entry.test);
        else if (thread === undefined) yield await own.resultOf(entry.test);
        else yield await resultFrom(thread, entry.test, own);
      }
    } finally {
      void this.#crew.end();
    }
  }
}

/** The remaining results of this thread, which may come in another order. */
class OwnResults {
  readonly #results: AsyncIterator<TestResult>;
  readonly #come = new Map<string, TestResult>();

  constructor(results: AsyncIterator<TestResult>) {
    this.#results = results;
  }

  /** Runs one more test; false if there was none left. */
  async next(): Promise<boolean> {
    const { value, done } = await this.#results.next();
    if (done !== true) this.#come.set(nameOf(value), value);
    return done !== true;
  }

  async resultOf(test: ListedTest): Promise<TestResult> {
    const name = nameOf(test);
    while (!this.#come.has(name)) if (!(await this.next())) throw new Error(`${name} has no result`);
    return this.#come.get(name)!;
  }
}

/** A result of a thread. Until it comes, this thread runs its own tests. */
async function resultFrom(thread: ShardThread, test: ListedTest, own: OwnResults): Promise<TestResult> {
  const { location, package: pkg, name } = test;
  for (let isBusy = true; ; ) {
    const result = thread.resultOf(test);
    if (result !== undefined) return result;
    const error = thread.fault;
    if (error !== undefined)
      return { location, package: pkg, name, fail: false, skip: false, subResults: new Map(), error, duration: 0, output: '' };
    if (isBusy) {
      isBusy = await own.next();
      await messagesRead();
    } else await thread.news();
  }
}

function messagesRead(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
