/** Threads for evaluations that take long. They start when needed, and end when idle. */

import { EvaluationError, type Executable, packExecutable } from '../../runtime/index.js';
import type { Steps, Value } from '../../values/index.js';
import {
  checkedSteps,
  exactBytesSteps,
  exactText,
  exactValueSteps,
  inSlices,
  writeJsonSteps,
} from '../../values/index.js';
import type { LongEvaluation, LongEvaluations } from '../evaluation/long-evaluations.js';
import type { EvaluationJob } from './messages.js';
import { type Lane, Schedule } from './schedule.js';
import { background, cancelled, longestTimer, Thread, threadTimedOut, type Work } from './thread.js';
import type { ThreadPlatform } from './thread-platform.js';

/** Milliseconds beside other requests: a decision takes a hundredth of it. */
const sliceMs = 40;

/** Milliseconds between two looks at whether an evaluation is to give way. */
const lookMs = 50;

/**
 * Milliseconds until a thread that could not start is tried again: the machine may have no files or
 * memory left for the moment.
 */
const retryMs = 100;

/** A thread that has nothing to do for so long ends, and gives back its memory. */
const idleMs = 5000;

export class ThreadPool implements LongEvaluations {
  readonly sliceMs = sliceMs;
  readonly #platform: ThreadPlatform;
  readonly #threads = new Map<Lane, Thread[]>([
    ['short', []],
    ['long', []],
  ]);
  readonly #schedule = new Schedule<Work>();
  readonly #ids = new WeakMap<Executable, { readonly id: number; readonly bytes: Uint8Array }>();
  /** Threads of each lane. Even with one processor, neither lane waits for the other. */
  readonly #laneSize: number;
  #count = 0;
  #data: { readonly version: number; readonly bytes: Promise<Uint8Array> } | undefined;
  #looks: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(platform: ThreadPlatform) {
    this.#platform = platform;
    this.#laneSize = Math.min(2, Math.max(1, (platform.processors - 1) >> 1));
  }

  async run(evaluation: LongEvaluation): Promise<readonly Value[]> {
    const { input, documents, timeMs, signal, caller = {} } = evaluation;
    const { take } = caller;
    const until = performance.now() + timeMs;
    const inTime = <Result>(steps: Steps<Result>) =>
      inSlices(
        checkedSteps(steps, () => {
          this.#checkIsWanted(signal);
          if (performance.now() > until) throw threadTimedOut();
        }),
      );
    let data: Uint8Array;
    let written: Uint8Array | undefined;
    try {
      this.#checkIsWanted(signal);
      written = input === undefined ? undefined : await inTime(exactBytesSteps(input, { take }));
      data = await this.#bytesOf(documents);
    } finally {
      documents.release();
    }
    this.#checkIsWanted(signal);
    const { job, bytes } = this.#jobOf(evaluation, written);
    const { client = '' } = caller;
    const { runtime } = evaluation.context;
    let end = () => {};
    try {
      const results = await new Promise<Uint8Array>((resolve, reject) => {
        const work: Work = { job, bytes, data, runtime, evaluation, until, client, usedMs: 0, resolve, reject };
        const cancel = () => this.#end(work, cancelled());
        // A thread ends its current work in time; waiting work has no other clock than this.
        const timer = timeMs < longestTimer ? setTimeout(() => this.#endWaiting(work), timeMs) : undefined;
        signal?.addEventListener('abort', cancel);
        end = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', cancel);
        };
        this.#add(work);
      });
      return (await inTime(exactValueSteps(results, { take }))) as readonly Value[];
    } finally {
      end();
    }
  }

  #checkIsWanted(signal: AbortSignal | undefined): void {
    if (signal?.aborted === true || this.#isClosed) throw cancelled();
  }

  #jobOf(
    evaluation: LongEvaluation,
    input: Uint8Array | undefined,
  ): { readonly job: EvaluationJob; readonly bytes: Uint8Array } {
    const { target, context, documents, timeMs, strictBuiltinErrors, onNondeterministic, known } = evaluation;
    let packed = this.#ids.get(target.executable);
    if (packed === undefined)
      this.#ids.set(target.executable, (packed = { id: ++this.#count, bytes: packExecutable(target.executable) }));
    const job = {
      id: ++this.#count,
      program: undefined,
      builtins: undefined,
      programId: packed.id,
      plan: target.plan,
      input,
      data: undefined,
      dataVersion: documents.version,
      runtime: undefined,
      // One long evaluation is as good as many short ones.
      codegen: context.codegen === 'never' ? ('never' as const) : ('always' as const),
      allowNet: context.allowNet,
      timeMs,
      strictBuiltinErrors,
      instructions: evaluation.instructions,
      callDepth: evaluation.callDepth,
      timeNs: evaluation.timeNs,
      known: known === undefined ? undefined : exactText([...known].filter(isDefined)),
      wantsAnswers: onNondeterministic !== undefined,
      wantsJson: evaluation.caller?.wantsJson === true,
    };
    return { job, bytes: packed.bytes };
  }

  /**
   * The documents as JSON, written once for each version: a document of a million keys takes a
   * second, in which others have their turns.
   */
  #bytesOf({ root, version }: LongEvaluation['documents']): Promise<Uint8Array> {
    if (this.#data?.version !== version)
      this.#data = { version, bytes: inSlices(writeJsonSteps(root, { unordered: true })) };
    return this.#data.bytes;
  }

  #add(work: Work): void {
    this.#schedule.add(work)?.reject(new EvaluationError('eval_cancel_error', 'too many evaluations take long'));
    this.#next();
  }

  #endWaiting(work: Work): void {
    if (this.#schedule.remove(work)) work.reject(threadTimedOut());
  }

  /** A thread that is at it is ended, as nothing else stops it at once. */
  #end(work: Work, error: EvaluationError): void {
    this.#schedule.remove(work);
    work.reject(error);
    void this.#all()
      .find((thread) => thread.current === work)
      ?.end(error);
  }

  /** Ends all threads and rejects their work. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#looks);
    for (let work = this.#schedule.take('long'); work !== undefined; work = this.#schedule.take('long'))
      work.reject(cancelled());
    await Promise.all(this.#all().map((thread) => thread.end(cancelled())));
  }

  #all(): Thread[] {
    return [...this.#threads.values()].flat();
  }

  /** Gives waiting work to free threads. */
  #next(): void {
    for (const [lane, threads] of this.#threads) {
      for (;;) {
        const free = threads.find(({ current }) => current === undefined);
        if (free === undefined && !this.#mayStart(threads)) break;
        const work = this.#schedule.take(lane);
        if (work === undefined) break;
        const thread = free?.hasRoomFor(work.data) ? free : this.#start(threads, free, work);
        if (thread === undefined) {
          this.#schedule.add(work);
          break;
        }
        thread.give(work);
      }
    }
    this.#keepLooking();
  }

  #keepLooking(): void {
    if (this.#schedule.size > 0) this.#looks ??= background(setInterval(() => this.#look(), lookMs));
    else {
      clearInterval(this.#looks);
      this.#looks = undefined;
    }
  }

  #mayStart(threads: readonly Thread[]): boolean {
    return threads.length < this.#laneSize && this.#retry === undefined && !this.#isClosed;
  }

  /** @param small a thread without room for the work's documents, which ends */
  #start(threads: Thread[], small: Thread | undefined, work: Work): Thread | undefined {
    let thread: Thread;
    try {
      thread = new Thread(this.#platform, work.data, {
        onFree: (done, gaveWay, ms) => this.#free(done, gaveWay, ms),
        onEnd: (open) => this.#gone(threads, thread, open),
        idleMs,
      });
    } catch (error) {
      if (!this.#platform.mayPass(error)) throw error;
      this.#startAgainLater();
      return undefined;
    }
    threads.push(thread);
    void small?.end(cancelled());
    return thread;
  }

  /** Work that has had a thread for long gives way to others. */
  #look(): void {
    for (const [lane, threads] of this.#threads) {
      for (const thread of threads) {
        const { current } = thread;
        if (current !== undefined && this.#schedule.isToGiveWay(current, lane, thread.forMs)) thread.preempt();
      }
    }
  }

  #free(work: Work, gaveWay: boolean, ms: number): void {
    this.#schedule.used(work, ms);
    if (!gaveWay) this.#next();
    else if (work.until > performance.now()) this.#add(work);
    else work.reject(threadTimedOut());
  }

  /** @param open work that it could not begin */
  #gone(threads: Thread[], thread: Thread, open: Work | undefined): void {
    const at = threads.indexOf(thread);
    if (at >= 0) threads.splice(at, 1);
    if (this.#isClosed) open?.reject(cancelled());
    else if (open === undefined) this.#next();
    else {
      this.#startAgainLater();
      this.#add(open);
    }
  }

  #startAgainLater(): void {
    this.#retry ??= background(
      setTimeout(() => {
        this.#retry = undefined;
        this.#next();
      }, retryMs),
    );
  }
}

/** JSON has no undefined: a built-in with that result is called again. */
function isDefined(entry: readonly [string, Value | undefined]): entry is [string, Value] {
  return entry[1] !== undefined;
}
