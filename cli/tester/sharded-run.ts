/** Tests of a large repository: each thread compiles and runs its own, with their packages. */
import { availableParallelism } from 'node:os';
import { exactText } from '../../runtime/values/json/exact-json.js';
import type { PlainObject } from '../../runtime/values/value.js';
import type { Io } from '../io.js';
import type { ParsedFile } from '../policies.js';
import { discoverTests, renameDuplicates, type TestRule } from './discover.js';
import type { TestResult } from './result.js';
import { isRun, type TestOptions, TestRun } from './run.js';
import type { ShardData } from './shard-messages.js';
import { ShardThread } from './shard-thread.js';
import { type Shard, shardsOf } from './shards.js';
import { notRun } from './verdict.js';

/** Results of tests, in the order of the tests. */
export interface Results {
  results(): AsyncIterableIterator<TestResult>;
}

/**
 * The tests, divided among threads. Undefined where that does not pay, or where not all files
 * compile: then the caller compiles them together.
 * @param least as for `shardsOf`
 */
export async function shardedRun(
  parsed: readonly ParsedFile[],
  data: PlainObject,
  options: TestOptions,
  io: Pick<Io, 'env' | 'entry'>,
  least?: number,
): Promise<Results | undefined> {
  // A thread that compiles keeps two processors busy: V8 optimizes and collects beside it.
  const count = options.parallel ?? availableParallelism() >> 1;
  const { coverage, benchmark, failureLines, compile } = options;
  if (io.entry === undefined || coverage || benchmark || failureLines || compile.schemas !== undefined) return undefined;
  const [own, ...others] = shardsOf(parsed, count, least) ?? [];
  if (own === undefined) return undefined;
  const renamed = new Map(renameDuplicates(parsed).map((file, i) => [parsed[i]!, file]));
  const testsOf = ({ own }: Shard) =>
    testsIn(
      [...own].map((file) => renamed.get(file)!),
      options,
    );
  const threads = new Map<string, ShardThread>();
  const all = new Set<ShardThread>();
  try {
    for (const shard of others) {
      const tests = testsOf(shard);
      const thread = new ShardThread(io.entry, shardData(shard, tests, data, options, io));
      all.add(thread);
      for (const name of tests) threads.set(name, thread);
    }
    const tests = testsOf(own);
    const here = await TestRun.prepare(own.files, data, { ...options, matches: (name) => tests.has(name), parallel: 1 }, io);
    await Promise.all([...all].map(({ ready }) => ready));
    return new ShardedRun(discoverTests([...renamed.values()], options.matches), here, threads);
  } catch {
    for (const thread of all) thread.end();
    return undefined;
  }
}

function testsIn(files: readonly ParsedFile[], { matches }: TestOptions): ReadonlySet<string> {
  return new Set(
    discoverTests(files, matches)
      .filter(isRun)
      .map(({ fullName }) => fullName),
  );
}

function shardData(
  { files }: Shard,
  tests: ReadonlySet<string>,
  data: PlainObject,
  { compile, timeout, explain }: TestOptions,
  { env }: Pick<Io, 'env'>,
): ShardData {
  const { errorLimit, schemaAnnotations, capabilities } = compile;
  return {
    kind: 'shard',
    files: files.map(({ name, file: { bytes: _, ...file }, module }) => ({
      name,
      file,
      version: module.regoVersion === 'v1' ? 'v1' : 'v0',
    })),
    data: exactText(data),
    env: { ...env },
    capabilities,
    compile: { ...(errorLimit !== undefined && { errorLimit }), ...(schemaAnnotations !== undefined && { schemaAnnotations }) },
    options: { timeout, explain },
    tests,
  };
}

class ShardedRun implements Results {
  readonly #tests: readonly TestRule[];
  readonly #here: TestRun;
  /** The threads of tests that are not run here, by the full names of the tests. */
  readonly #threads: ReadonlyMap<string, ShardThread>;

  constructor(tests: readonly TestRule[], here: TestRun, threads: ReadonlyMap<string, ShardThread>) {
    this.#tests = tests;
    this.#here = here;
    this.#threads = threads;
  }

  async *results(): AsyncIterableIterator<TestResult> {
    const own = this.#here.results();
    const early: TestResult[] = [];
    try {
      for (const test of this.#tests) {
        const thread = this.#threads.get(test.fullName);
        if (!isRun(test)) yield notRun(test);
        else if (thread === undefined) yield early.shift() ?? (await own.next()).value;
        else yield await resultFrom(thread, test, own, early);
      }
    } finally {
      for (const thread of new Set(this.#threads.values())) thread.end();
    }
  }
}

/** The next result of a thread. Until it comes, this thread runs its own tests. */
async function resultFrom(
  thread: ShardThread,
  { location, package: pkg, name }: TestRule,
  own: AsyncIterator<TestResult>,
  early: TestResult[],
): Promise<TestResult> {
  for (let isBusy = true; ; ) {
    const next = thread.next();
    if (next !== undefined) return next;
    const error = thread.fault;
    if (error !== undefined)
      return { location, package: pkg, name, fail: false, skip: false, subResults: new Map(), error, duration: 0, output: '' };
    if (isBusy) {
      const { value, done } = await own.next();
      isBusy = done !== true;
      if (isBusy) early.push(value as TestResult);
      await messagesRead();
    } else await thread.news();
  }
}

function messagesRead(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
