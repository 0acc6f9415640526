/** Runs tests in this thread and in others at the same time. */
import { Worker } from 'node:worker_threads';
import { EvaluationError } from '../../runtime/index.js';
import { testThreadArgument } from '../helpers/helper-arguments.js';
import { receivedError, type TestReport, type TestThreadData } from './messages.js';
import type { PlannedTest, TestOutcome, TestProgram } from './test-program.js';

export interface TestThreads {
  /** The script that runs tests if it is started with `testThreadArgument`. */
  readonly entry: string;
  /** How many threads besides this one. */
  readonly count: number;
  /** Milliseconds of processor time: threads start after so long, if as much is left to do. */
  readonly afterMs: number;
  /** Throws where the program cannot be given to other threads. */
  readonly data: () => ThreadData;
}

type ThreadData = Omit<TestThreadData, 'tests' | 'next' | 'current'>;

/** The outcomes of tests, in their order. Each test is run by the first thread that is free. */
export async function* outcomesOf(
  tests: readonly PlannedTest[],
  program: Pick<TestProgram, 'run' | 'spentMs'>,
  threads: TestThreads | undefined,
): AsyncGenerator<TestOutcome, void, undefined> {
  const done = new Map<number, TestOutcome>();
  const next = new Int32Array(new SharedArrayBuffer(4));
  let crew: Crew | undefined;
  let shown = 0;
  try {
    for (let number = take(next); number < tests.length; number = take(next)) {
      const left = tests.length - number;
      if (threads !== undefined && crew === undefined && left > 1 && isLong(program.spentMs, left / number, threads))
        crew = new Crew(threads, threads.data(), tests, next, done);
      done.set(number, await program.run(tests[number]!));
      if (crew !== undefined) await messagesRead();
      for (; done.has(shown); shown++) yield done.get(shown)!;
    }
    for (; shown < tests.length; shown++) {
      while (!done.has(shown)) await crew!.report();
      yield done.get(shown)!;
    }
  } finally {
    crew?.end();
  }
}

/**
 * @param ms milliseconds that tests have taken: short ones are not shared
 * @param ratio of remaining tests to ended tests
 */
function isLong(ms: number, ratio: number, { afterMs }: TestThreads): boolean {
  if (afterMs === 0) return true;
  return ms >= afterMs && ms * ratio >= afterMs;
}

function take(next: Int32Array): number {
  return Atomics.add(next, 0, 1);
}

function messagesRead(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** The other threads. They write outcomes into `done`. */
class Crew {
  readonly #workers: Worker[] = [];
  readonly #done: Map<number, TestOutcome>;
  #waiting = () => {};

  constructor(
    { entry, count }: TestThreads,
    data: ThreadData,
    tests: readonly PlannedTest[],
    next: Int32Array,
    done: Map<number, TestOutcome>,
  ) {
    this.#done = done;
    const shared = { ...data, tests, next };
    for (let i = Math.min(count, tests.length - 1); i > 0; i--) {
      const current = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
      const worker = new Worker(entry, {
        argv: [testThreadArgument],
        workerData: { ...shared, current } satisfies TestThreadData,
      });
      worker.on('message', (report: TestReport) => this.#add(report.number, outcomeOf(report)));
      worker.on('error', ({ message }) => this.#failed(Atomics.load(current, 0), message));
      worker.on('exit', () => this.#failed(Atomics.load(current, 0), 'it left'));
      this.#workers.push(worker);
    }
  }

  /** Waits for an outcome. */
  report(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  end(): void {
    for (const worker of this.#workers) void worker.terminate();
  }

  #add(number: number, outcome: TestOutcome): void {
    this.#done.set(number, outcome);
    this.#waiting();
  }

  /** A thread that ends with an error leaves the test that it had begun; others go on. */
  #failed(number: number, message: string): void {
    if (number < 0 || this.#done.has(number)) return;
    const error = new EvaluationError('eval_internal_error', `the thread of the test ended: ${message}`);
    this.#add(number, { fail: false, subResults: new Map(), error, duration: 0, output: '' });
  }
}

function outcomeOf({ outcome, error }: TestReport): TestOutcome {
  return error === undefined ? outcome : { ...outcome, error: receivedError(error) };
}
