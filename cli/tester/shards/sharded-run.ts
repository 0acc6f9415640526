/** Tests of a large repository: each thread compiles and runs its own, with their packages. */
import { availableParallelism } from 'node:os';
import { exactText } from '../../../runtime/values/json/exact-json.js';
import type { PlainObject } from '../../../runtime/values/value.js';
import type { TurboFanPause } from '../../eval/compile-tier.js';
import type { Io } from '../../io.js';
import type { Sources } from '../../policies.js';
import type { ListedTest } from '../discover.js';
import type { TestResult } from '../result.js';
import { isRun, type Part, type TestOptions, TestRun, withData } from '../run.js';
import { notRun } from '../verdict.js';
import type { ShardData } from './shard-messages.js';
import { ShardThread } from './shard-thread.js';
import { parseShard, type Shard, shardsOf } from './shards.js';

/** Results of tests, in the order of the tests. */
export interface Results {
  results(): AsyncIterableIterator<TestResult>;
}

/** A test and the thread that runs it; undefined: this one. */
interface Assigned {
  readonly test: ListedTest;
  readonly thread: ShardThread | undefined;
}

/**
 * The tests, divided among threads. Undefined where that does not pay, or where not all files
 * compile: then the caller compiles them together.
 * @param least as for `shardsOf`
 */
export async function shardedRun(
  sources: Sources,
  options: TestOptions,
  pause: TurboFanPause,
  io: Pick<Io, 'env' | 'entry'>,
  least?: number,
): Promise<Results | undefined> {
  const { coverage, benchmark, failureLines, compile, parallel } = options;
  if (io.entry === undefined || coverage || benchmark || failureLines || compile.schemas !== undefined) return undefined;
  const processors = availableParallelism();
  // A thread that compiles keeps more than one processor busy: V8 optimizes and collects beside it.
  const shards = shardsOf(sources.files, parallel ?? Math.min(processors, (processors >> 1) + 1), least);
  if (shards === undefined) return undefined;
  const [own, ...others] = shards as [Shard, ...Shard[]];
  // Only long tests need more threads. Those may all be in one shard.
  const threads = parallel === undefined ? Math.max(2, Math.ceil(processors / shards.length)) : 1;
  const whole = parallel === undefined ? options : { ...options, parallel: 1 };
  const crew: ShardThread[] = [];
  try {
    const data = sources.data();
    pause.beginWith(shards.length);
    for (const shard of others) crew.push(new ShardThread(io.entry, shardData(shard, threads, data, whole, pause, io)));
    pause.arrive();
    const given = { ...whole, compile: withData(compile, data) };
    const here = await TestRun.prepare(parseShard(own.files, compile.capabilities), data, given, io, partOf(own, threads));
    const assigned = here.tests.map((test): Assigned => ({ test, thread: undefined }));
    for (const thread of crew) for (const test of await thread.ready) assigned.push({ test, thread });
    return new ShardedRun(inOrder(assigned, sources), here, crew);
  } catch {
    await Promise.all(crew.map((thread) => thread.end()));
    pause.end();
    return undefined;
  }
}

function partOf({ own }: Shard, threads: number): Part {
  return { own: new Set([...own].map(({ name }) => name)), threads };
}

/** All tests of a file are of one thread. */
function inOrder(tests: readonly Assigned[], { files }: Sources): readonly Assigned[] {
  const byFile = Map.groupBy(tests, ({ test }) => test.file);
  return files.flatMap(({ name }) => byFile.get(name) ?? []);
}

function shardData(
  shard: Shard,
  threads: number,
  data: PlainObject,
  { compile, timeout, explain, pattern, parallel }: TestOptions,
  pause: TurboFanPause,
  { env }: Pick<Io, 'env'>,
): ShardData {
  const { errorLimit, schemaAnnotations, capabilities } = compile;
  return {
    kind: 'shard',
    files: shard.files.map(({ file: { bytes: _, ...file }, ...source }) => ({ ...source, file })),
    part: partOf(shard, threads),
    data: exactText(data),
    env: { ...env },
    capabilities,
    compile: { ...(errorLimit !== undefined && { errorLimit }), ...(schemaAnnotations !== undefined && { schemaAnnotations }) },
    options: { timeout, explain, pattern, parallel },
    pause: pause.shared,
  };
}

class ShardedRun implements Results {
  readonly #tests: readonly Assigned[];
  readonly #here: TestRun;
  readonly #crew: readonly ShardThread[];

  constructor(tests: readonly Assigned[], here: TestRun, crew: readonly ShardThread[]) {
    this.#tests = tests;
    this.#here = here;
    this.#crew = crew;
  }

  async *results(): AsyncIterableIterator<TestResult> {
    const own = this.#ownResults();
    const early: TestResult[] = [];
    try {
      for (const { test, thread } of this.#tests) {
        if (!isRun(test)) yield notRun(test);
        else if (thread === undefined) yield early.shift() ?? (await own.next()).value;
        else yield await resultFrom(thread, test, own, early);
      }
    } finally {
      for (const thread of this.#crew) void thread.end();
    }
  }

  /** The results of the tests that this thread runs. */
  async *#ownResults(): AsyncIterableIterator<TestResult> {
    let at = 0;
    for await (const result of this.#here.results()) if (isRun(this.#here.tests[at++]!)) yield result;
  }
}

/** The next result of a thread. Until it comes, this thread runs its own tests. */
async function resultFrom(
  thread: ShardThread,
  { location, package: pkg, name }: ListedTest,
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
