/** One thread that evaluates, seen from outside. */
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { BuiltinError } from '../../builtins/builtin-errors.js';
import { EvaluationError, outOfMemory } from '../../runtime/evaluation/evaluation-errors.js';
import { exactValue } from '../../values/json/exact-json.js';
import { toJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import type { LongEvaluation } from '../evaluation/long-evaluations.js';
import { type EvaluationJob, type EvaluationReport, keptByWorker, type ThreadData, workerArgument } from './messages.js';
import type { Schedulable } from './schedule.js';

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
export const longestTimer = 2 ** 31 - 1 - slackMs;

export function timedOut(): EvaluationError {
  return new EvaluationError('eval_cancel_error', 'query execution timed out');
}

export function cancelled(): EvaluationError {
  return new EvaluationError('eval_cancel_error', 'caller cancelled query execution');
}

function tooMuchMemory(): EvaluationError {
  return new EvaluationError('eval_cancel_error', outOfMemory);
}

const megabyte = 2 ** 20;

/**
 * The megabytes of heap that a thread may fill: a quarter of this process's and room for the
 * documents, but no more than this process has.
 */
function heapFor(documents: Uint8Array): number {
  const own = getHeapStatistics().heap_size_limit / megabyte;
  return Math.floor(Math.min(own, Math.max(192, own / 4) + (12 * documents.length) / megabyte));
}

/** Room for steps that no meter interrupts: see `limitHeap`. */
const heapsPerLimit = 2;

/** Errors of a machine that has no more files, threads or memory just now. */
const passing = /EMFILE|ENFILE|EAGAIN|ENOMEM|ERR_WORKER_INIT_FAILED/;

/** Whether a thread could not be started for a reason that may pass. */
export function mayPass(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return passing.test(`${code} ${message}`);
}

export class Thread {
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #heapMegabytes: number;
  /** The id of the work that is to give way. */
  readonly #flag = new Int32Array(new SharedArrayBuffer(4));
  /** Programs that the worker has, in the order in which it forgets them. */
  readonly #programs: number[] = [];
  /** Whether the worker has answered anything yet. */
  #hasBegun = false;
  #dataVersion = -1;
  /** The runtime facts that the worker has. */
  #runtime: Value | undefined;
  #current: Work | undefined;
  #since = 0;
  #stuck: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isGone = false;

  /**
   * Throws where the platform cannot start a thread now.
   * @param documents the JSON for which there is to be room
   */
  constructor(entry: string, documents: Uint8Array, options: ThreadOptions) {
    this.#options = options;
    this.#heapMegabytes = heapFor(documents);
    this.#worker = new Worker(entry, {
      argv: [workerArgument],
      workerData: { preempted: this.#flag, heapMegabytes: this.#heapMegabytes } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: heapsPerLimit * this.#heapMegabytes },
    });
    this.#worker.unref();
    this.#worker.on('message', (report: EvaluationReport) => this.#done(report));
    this.#worker.on('error', (error) => this.#failed(error));
    this.#worker.on('exit', () => this.#gone(cancelled()));
  }

  get current(): Work | undefined {
    return this.#current;
  }

  /** For how long it is at its work. */
  get forMs(): number {
    return performance.now() - this.#since;
  }

  hasRoomFor(documents: Uint8Array): boolean {
    return heapFor(documents) <= this.#heapMegabytes;
  }

  give(work: Work): void {
    clearTimeout(this.#idle);
    const { job, bytes, data, runtime, until } = work;
    const timeMs = until - performance.now();
    this.#current = work;
    this.#since = performance.now();
    // The last work that gave way here may be this one: it would give way again at once.
    Atomics.store(this.#flag, 0, 0);
    // Who waits for an answer stays alive for it.
    this.#worker.ref();
    // Without a limit nothing ends it but its own end.
    if (timeMs < longestTimer) this.#stuck = setTimeout(() => void this.end(timedOut()), Math.max(0, timeMs) + slackMs);
    const hasProgram = this.#touch(job.programId);
    const hasData = this.#dataVersion === job.dataVersion;
    this.#dataVersion = job.dataVersion;
    const hasRuntime = this.#runtime === runtime;
    this.#runtime = runtime;
    this.#worker.postMessage({
      ...job,
      // A limit of no time at all would be none.
      timeMs: timeMs < longestTimer ? Math.max(1, timeMs) : 0,
      program: hasProgram ? undefined : bytes,
      data: hasData ? undefined : data,
      runtime: hasRuntime ? undefined : toJson(runtime),
    } satisfies EvaluationJob);
  }

  /** Has the work give way at its next look at the clock. */
  preempt(): void {
    if (this.#current !== undefined) Atomics.store(this.#flag, 0, this.#current.job.id);
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
    this.#worker.unref();
    clearTimeout(this.#stuck);
    noteAnswers(work, report.answers);
    if ('preempted' in report) work.job = { ...work.job, known: report.preempted };
    else settle(work, report);
    if (report.heapMegabytes > this.#heapMegabytes / 2) void this.end(cancelled());
    else this.#idle = setTimeout(() => void this.end(cancelled()), this.#options.idleMs).unref();
    this.#options.onFree(work, 'preempted' in report, this.forMs);
  }

  #failed(error: Error): void {
    if (!this.#hasBegun && mayPass(error)) this.#gone(undefined);
    else if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') this.#gone(tooMuchMemory());
    else this.#gone(new EvaluationError('eval_internal_error', error.message));
  }

  /** Ends the thread and rejects its current work. */
  async end(error: EvaluationError): Promise<void> {
    this.#gone(error);
    await this.#worker.terminate();
  }

  /** @param error for its current work; undefined if that is to be tried elsewhere */
  #gone(error: EvaluationError | undefined): void {
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
function settle({ evaluation, resolve, reject }: Work, report: Exclude<EvaluationReport, { readonly preempted: unknown }>): void {
  for (const line of report.printed) evaluation.onPrint?.(line);
  for (const note of report.traced) evaluation.onTrace?.(note);
  for (const { code, message, builtin, place } of report.builtinErrors)
    evaluation.onBuiltinError?.(new BuiltinError(message, code), builtin, place);
  if ('results' in report) resolve(report.results);
  else reject(new EvaluationError(report.error.code, report.error.detail, report.error.location, report.error.rules));
}
