/** The tests of shards, compiled and run in one thread. */
import type { PlainObject } from '../../../runtime/values/value.js';
import type { Io } from '../../io.js';
import type { TestRule } from '../discover.js';
import type { TestResult } from '../result.js';
import { isRun, type TestOptions, TestRun, withData } from '../run.js';
import type { Entry, Turns } from './shard-messages.js';
import { parseShard, type Shard } from './shards.js';

/** Tests of a shard whose results come later. */
interface Rest {
  readonly run: TestRun;
  readonly tests: readonly TestRule[];
}

export class ShardTests {
  readonly #data: PlainObject;
  readonly #options: TestOptions;
  readonly #io: Pick<Io, 'entry' | 'env'>;
  readonly #threads: number;
  readonly #rest: Rest[] = [];

  /** @param threads how many may share long tests */
  constructor(data: PlainObject, options: TestOptions, io: Pick<Io, 'entry' | 'env'>, threads: number) {
    this.#data = data;
    this.#options = { ...options, compile: withData(options.compile, data) };
    this.#io = io;
    this.#threads = threads;
  }

  /**
   * Compiles shards until none is left, and runs those of their tests that have no effects: other
   * threads may find errors yet. Rejects if a shard does not compile.
   */
  async *take(shards: readonly Shard[], { first, next }: Turns): AsyncIterableIterator<readonly Entry<TestResult>[]> {
    for (let number = first; number < shards.length; number = Atomics.add(next, 0, 1)) yield await this.#compile(shards[number]!);
  }

  async #compile({ files, own }: Shard): Promise<readonly Entry<TestResult>[]> {
    const part = { own: new Set([...own].map(({ name }) => name)), threads: this.#threads };
    const parsed = parseShard(files, this.#options.compile.capabilities);
    const run = await TestRun.prepare(parsed, this.#data, this.#options, this.#io, part);
    const tests: TestRule[] = [];
    const entries = run.tests.map((test): Entry<TestResult> => {
      const result = isRun(test) ? run.atOnce(test) : undefined;
      if (result !== undefined) return { file: test.file, result };
      if (isRun(test)) tests.push(test);
      const { span: _, body: __, ...listed } = test;
      return { file: test.file, test: listed };
    });
    // Without a rest the syntax trees are garbage.
    if (tests.length > 0) this.#rest.push({ run, tests });
    return entries;
  }

  /** The results of the remaining tests, in their order. */
  async *rest(): AsyncIterableIterator<TestResult> {
    for (const { run, tests } of this.#rest) yield* run.results(tests);
  }
}
