/** Tries mutants in this thread and in others at the same time. */
import { Worker } from 'node:worker_threads';
import { mutantThreadArgument } from '../../helpers/helper-arguments.js';
import type { MutantReport, MutantThreadData } from './messages.js';
import type { Trial, Verdict } from './try-mutant.js';

export interface MutantThreads {
  /** The script that tries mutants if it is started with `mutantThreadArgument`. */
  readonly entry: string;
  /** How many threads besides this one. */
  readonly count: number;
  /** Milliseconds after which threads start, if twice as much is left to do. */
  readonly afterMs: number;
  readonly data: () => Omit<MutantThreadData, 'trials' | 'next' | 'current'>;
}

/** The verdicts in the order of the trials. Each is made by the first thread that is free. */
export async function verdictsOf(
  trials: readonly Trial[],
  attempt: (trial: Trial) => Promise<Verdict>,
  threads: MutantThreads | undefined,
  onVerdict: () => void,
): Promise<readonly Verdict[]> {
  const next = new Int32Array(new SharedArrayBuffer(4));
  const verdicts: Verdict[] = [];
  const add = (number: number, verdict: Verdict): void => {
    verdicts[number] = verdict;
    onVerdict();
  };
  const started = performance.now();
  let crew: Crew | undefined;
  try {
    for (let number = Atomics.add(next, 0, 1); number < trials.length; number = Atomics.add(next, 0, 1)) {
      const ms = performance.now() - started;
      const left = (ms / Math.max(1, number)) * (trials.length - number);
      if (threads !== undefined && crew === undefined && ms >= threads.afterMs && left >= 2 * threads.afterMs)
        crew = new Crew(threads, trials, next, add);
      add(number, await attempt(trials[number]!));
      if (crew !== undefined) await new Promise((resolve) => void setImmediate(resolve));
    }
    await crew?.ended(() => trials.every((_, number) => verdicts[number] !== undefined));
    return verdicts;
  } finally {
    crew?.end();
  }
}

class Crew {
  readonly #workers: Worker[] = [];
  #onReport = () => {};

  constructor(
    { entry, count, data }: MutantThreads,
    trials: readonly Trial[],
    next: Int32Array,
    add: (number: number, verdict: Verdict) => void,
  ) {
    const shared = { ...data(), trials, next };
    for (let i = 0; i < count; i++) {
      const current = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
      let done = -1;
      const worker = new Worker(entry, {
        argv: [mutantThreadArgument],
        workerData: { ...shared, current } satisfies MutantThreadData,
      });
      worker.on('message', ({ number, verdict }: MutantReport) => {
        done = number;
        add(number, verdict);
        this.#onReport();
      });
      // A thread that ends with an error leaves the mutant that it had begun; others go on.
      let reason = 'its thread ended';
      worker.on('error', ({ message }) => void (reason = `its thread ended: ${message}`));
      worker.on('exit', () => {
        const number = Atomics.load(current, 0);
        if (number >= 0 && number !== done) add(number, { status: 'RuntimeError', reason, ran: 0 });
        this.#onReport();
      });
      this.#workers.push(worker);
    }
  }

  /** Waits until all verdicts are there. */
  async ended(isComplete: () => boolean): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onReport = () => {
        if (isComplete()) resolve();
      };
      this.#onReport();
    });
  }

  end(): void {
    for (const worker of this.#workers) void worker.terminate();
  }
}
