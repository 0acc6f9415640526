/** One thread that evaluates, seen from outside. */

import { EvaluationError } from '../../runtime/index.js';
import { BuiltinError, exactValue, longestTimerMs, toJson, type Value } from '../../values/index.js';
import type { LongEvaluation } from '../evaluation/long-evaluations.js';
import { type EvaluationJob, type EvaluationReport, keptByWorker } from './messages.js';
import type { Schedulable } from './schedule.js';
import type { StartedThread, ThreadPlatform } from './thread-platform.js';

/** An evaluation, and the promise that waits for it. */
export interface Work extends Schedulable {
  job: EvaluationJob;
  readonly bytes: Uint8Array;
  /** The documents, as JSON. */
  readonly data: Uint8Array;
  readonly runtime: Value;
  readonly evaluation: LongEvaluation;
  /** A reading of `performance.now()`; Infinity where there is no limit. */
  readonly until: number;
  /** @param results JSON */
  resolve(results: Uint8Array): void;
  reject(error: unknown): void;
}

interface ThreadOptions {
  /** The thread can take other work: `work` had it for `ms`, and is to go on where it gave way. */
  readonly onFree: (work: Work, gaveWay: boolean, ms: number) => void;
  /** The thread is gone. It has not begun with `work`. */
  readonly onEnd: (work: Work | undefined) => void;
  /** Milliseconds without work after which it ends. */
  readonly idleMs: number;
}

/** A worker counts as stuck so long after the end of its job's time. */
const slackMs = 500;

/** Timers know no longer time; no evaluation is waited for that long. */
export const longestTimer = longestTimerMs - slackMs;

export function threadTimedOut(): EvaluationError {
  return new EvaluationError('eval_cancel_error', 'query execution timed out');
}

export function cancelled(): EvaluationError {
  return new EvaluationError('eval_cancel_error', 'caller cancelled query execution');
}

/** A timer that keeps no process alive, on platforms where timers do. */
export function background<Timer>(timer: Timer): Timer {
  (timer as { unref?(): void }).unref?.();
  return timer;
}

export class Thread {
  readonly #platform: ThreadPlatform;
  readonly #options: ThreadOptions;
  readonly #started: StartedThread;
  readonly #heapMegabytes: number;
  /** The id of the work that is to give way. Pages share memory with workers only if isolated. */
  readonly #flag = typeof SharedArrayBuffer === 'undefined' ? undefined : new Int32Array(new SharedArrayBuffer(4));
  /** Programs that the worker has, in the order in which it forgets them. */
  readonly #programs: number[] = [];
  /** Whether the worker has answered anything yet. */
  #hasBegun = false;
  #dataVersion = -1;
  /** The runtime facts that the worker has. */
  #runtime: Value | undefined;
  #current: Work | undefined;
  #since = 0;
  #stuck: ReturnType<typeof setTimeout> | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #isGone = false;

  /**
   * Throws where the platform cannot start a thread now.
   * @param documents the JSON for which there is to be room
   */
  constructor(platform: ThreadPlatform, documents: Uint8Array, options: ThreadOptions) {
    this.#platform = platform;
    this.#options = options;
    this.#heapMegabytes = platform.heapFor(documents);
    this.#started = platform.start(
      { preempted: this.#flag, heapMegabytes: this.#heapMegabytes },
      {
        onReport: (report) => this.#done(report),
        onError: (error) => this.#failed(error),
        onExit: () => this.#gone(cancelled()),
      },
    );
  }

  get current(): Work | undefined {
    return this.#current;
  }

  /** For how long it is at its work. */
  get forMs(): number {
    return performance.now() - this.#since;
  }

  hasRoomFor(documents: Uint8Array): boolean {
    return this.#platform.heapFor(documents) <= this.#heapMegabytes;
  }

  give(work: Work): void {
    clearTimeout(this.#idle);
    const { job, bytes, data, runtime, until } = work;
    const timeMs = until - performance.now();
    this.#current = work;
    this.#since = performance.now();
    // The last work that gave way here may be this one: it would give way again at once.
    this.#mark(0);
    // The thread stays alive while an answer is awaited.
    this.#started.hold(true);
    // Without a limit nothing ends it but its own end.
    if (timeMs < longestTimer)
      this.#stuck = setTimeout(() => void this.end(threadTimedOut()), Math.max(0, timeMs) + slackMs);
    const hasProgram = this.#touch(job.programId);
    const hasData = this.#dataVersion === job.dataVersion;
    this.#dataVersion = job.dataVersion;
    const hasRuntime = this.#runtime === runtime;
    this.#runtime = runtime;
    this.#started.post({
      ...job,
      // A limit of no time at all would be none.
      timeMs: timeMs < longestTimer ? Math.max(1, timeMs) : 0,
      program: hasProgram ? undefined : bytes,
      builtins: hasProgram ? undefined : work.evaluation.target.executable.builtins,
      data: hasData ? undefined : data,
      runtime: hasRuntime ? undefined : toJson(runtime),
    } satisfies EvaluationJob);
  }

  /** Has the work give way at its next look at the clock. */
  preempt(): void {
    if (this.#current !== undefined) this.#mark(this.#current.job.id);
  }

  #mark(id: number): void {
    if (this.#flag !== undefined) Atomics.store(this.#flag, 0, id);
  }

  /** Whether the worker has a program; it is then the last that it forgets. */
  #touch(id: number): boolean {
    const at = this.#programs.indexOf(id);
    if (at >= 0) this.#programs.splice(at, 1);
    this.#programs.push(id);
    if (this.#programs.length > keptByWorker) this.#programs.shift();
    return at >= 0;
  }

  #done(report: EvaluationReport): void {
    this.#hasBegun = true;
    const work = this.#current;
    if (work === undefined || work.job.id !== report.id) return;
    this.#current = undefined;
    this.#started.hold(false);
    clearTimeout(this.#stuck);
    noteAnswers(work, report.answers);
    for (const [name, value] of report.metrics) work.evaluation.metrics?.add(name, value);
    if ('preempted' in report) work.job = { ...work.job, known: report.preempted };
    else settle(work, report);
    if (report.heapMegabytes > this.#heapMegabytes / 2) void this.end(cancelled());
    else this.#idle = background(setTimeout(() => void this.end(cancelled()), this.#options.idleMs));
    this.#options.onFree(work, 'preempted' in report, this.forMs);
  }

  #failed(error: unknown): void {
    const isOpen = !this.#hasBegun && this.#platform.mayPass(error);
    this.#gone(isOpen ? undefined : this.#platform.failure(error));
  }

  /** Ends the thread and rejects its current work. */
  async end(error: Error): Promise<void> {
    // Deno ends a worker only once it has come to rest.
    this.preempt();
    this.#gone(error);
    await this.#started.end();
  }

  /** @param error for its current work; undefined if that is to be tried elsewhere */
  #gone(error: Error | undefined): void {
    if (this.#isGone) return;
    this.#isGone = true;
    clearTimeout(this.#stuck);
    clearTimeout(this.#idle);
    const work = this.#current;
    this.#current = undefined;
    if (error !== undefined) work?.reject(error);
    this.#options.onEnd(error === undefined ? work : undefined);
  }
}

/** @param answers a list of calls of built-ins: name, operands, value */
function noteAnswers({ evaluation }: Work, answers: string | undefined): void {
  if (answers === undefined) return;
  const calls = exactValue(answers) as unknown as readonly (readonly [string, readonly Value[], Value])[];
  for (const [builtin, operands, value] of calls) evaluation.onNondeterministic?.(builtin, operands, value);
}

/** Passes the output of an evaluation on, and settles its promise. */
function settle(
  { evaluation, resolve, reject }: Work,
  report: Exclude<EvaluationReport, { readonly preempted: unknown }>,
): void {
  for (const [line, place] of report.printed) evaluation.onPrint?.(line, place);
  for (const note of report.traced) evaluation.onTrace?.(note);
  for (const { code, message, builtin, place } of report.builtinErrors)
    evaluation.onBuiltinError?.(new BuiltinError(message, code), builtin, place);
  if ('results' in report) resolve(report.results);
  else reject(new EvaluationError(report.error.code, report.error.detail, report.error.location, report.error.rules));
}
