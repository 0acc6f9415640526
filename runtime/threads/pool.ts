/** Threads for evaluations that take long. They start when first needed. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { BuiltinError } from '../builtins/errors.js';
import type { LongEvaluation, LongEvaluations } from '../engine/long-evaluations.js';
import { packProgram } from '../program/pack.js';
import { exactBytesSteps, exactText, exactValue, exactValueSteps } from '../values/exact-json.js';
import { toJson } from '../values/json.js';
import { writeJsonSteps } from '../values/json-writer.js';
import { inSlices } from '../values/steps.js';
import type { Value } from '../values/value.js';
import { EvaluationError } from '../vm/errors.js';
import type { Executable } from '../vm/executable.js';
import { type EvaluationJob, type EvaluationReport, keptByWorker, workerArgument } from './messages.js';

/** Milliseconds beside other requests: a decision takes a hundredth of it. */
const patienceMs = 40;

/** What a worker is given beyond its job's time before it is taken for stuck. */
const slackMs = 2000;

/** Timers know no longer time; no evaluation is waited for that long. */
const longestTimer = 2 ** 31 - 1 - slackMs;

/** Jobs that may wait for a worker; more than that would not get one in time. */
const longestQueue = 200;

interface Waiting {
  readonly job: EvaluationJob;
  readonly bytes: Uint8Array;
  readonly data: Uint8Array;
  readonly runtime: Value;
  readonly evaluation: LongEvaluation;
  readonly until: number;
  resolve(results: Uint8Array): void;
  reject(error: unknown): void;
}

export class EvaluationPool implements LongEvaluations {
  readonly patienceMs = patienceMs;
  readonly #entry: string;
  readonly #threads: Thread[] = [];
  readonly #queue: Waiting[] = [];
  readonly #ids = new WeakMap<Executable, { readonly id: number; readonly bytes: Uint8Array }>();
  readonly #size = Math.min(4, Math.max(1, availableParallelism() - 1));
  #count = 0;
  #data: { readonly version: number; readonly bytes: Promise<Uint8Array> } | undefined;

  /** @param entry a script that calls `serveEvaluations` when it is given `workerArgument` */
  constructor(entry: string) {
    this.#entry = entry;
  }

  async run(evaluation: LongEvaluation): Promise<readonly Value[]> {
    const { target, input, surroundings, documents, timeMs, strictBuiltinErrors, onNondeterministic, signal, caller, known } = evaluation;
    const { take } = caller ?? {};
    const until = performance.now() + timeMs;
    let data: Uint8Array;
    let written: Uint8Array | undefined;
    try {
      this.#checkRoom(signal);
      written = input === undefined ? undefined : await inSlices(exactBytesSteps(input, { take }));
      data = await this.#bytesOf(documents);
    } finally {
      documents.release();
    }
    this.#checkRoom(signal);
    let packed = this.#ids.get(target.executable);
    if (packed === undefined)
      this.#ids.set(target.executable, (packed = { id: ++this.#count, bytes: packProgram(target.executable.program) }));
    const job = {
      id: ++this.#count,
      program: undefined,
      programId: packed.id,
      plan: target.plan,
      input: written,
      data: undefined,
      dataVersion: documents.version,
      runtime: undefined,
      allowNet: surroundings.allowNet,
      timeMs,
      strictBuiltinErrors,
      instructions: evaluation.instructions,
      callDepth: evaluation.callDepth,
      timeNs: evaluation.timeNs,
      known: known === undefined ? undefined : exactText([...known].filter(isDefined)),
      wantsAnswers: onNondeterministic !== undefined,
      wantsJson: caller?.wantsJson === true,
    };
    const { bytes } = packed;
    const { runtime } = surroundings;
    let cancel: (() => void) | undefined;
    try {
      const results = await new Promise<Uint8Array>((resolve, reject) => {
        const waiting: Waiting = { job, bytes, data, runtime, evaluation, until, resolve, reject };
        signal?.addEventListener('abort', (cancel = () => this.#cancel(waiting)));
        this.#queue.push(waiting);
        this.#next();
      });
      return (await inSlices(exactValueSteps(results, { take }))) as readonly Value[];
    } finally {
      if (cancel !== undefined) signal?.removeEventListener('abort', cancel);
    }
  }

  #checkRoom(signal: AbortSignal | undefined): void {
    if (signal?.aborted === true) throw cancelled();
    if (this.#queue.length >= longestQueue) throw new EvaluationError('eval_cancel_error', 'too many evaluations take long');
  }

  /** The documents as JSON, written once for each version of them: a document of a million keys takes a second, in which others have their turns. */
  #bytesOf({ root, version }: LongEvaluation['documents']): Promise<Uint8Array> {
    if (this.#data?.version !== version) this.#data = { version, bytes: inSlices(writeJsonSteps(root, { unordered: true })) };
    return this.#data.bytes;
  }

  /** A thread that is at it is ended, as nothing else stops it. */
  #cancel(waiting: Waiting): void {
    const at = this.#queue.indexOf(waiting);
    if (at >= 0) this.#queue.splice(at, 1);
    waiting.reject(cancelled());
    void this.#threads.find((thread) => thread.isAt(waiting))?.end();
  }

  /** Ends all threads; what they were at is rejected. */
  async close(): Promise<void> {
    for (const waiting of this.#queue.splice(0)) waiting.reject(cancelled());
    await Promise.all(this.#threads.splice(0).map((thread) => thread.end()));
  }

  #next(): void {
    while (this.#queue.length > 0) {
      let thread = this.#threads.find(({ isFree }) => isFree);
      if (thread === undefined && this.#threads.length < this.#size) {
        thread = new Thread(
          this.#entry,
          (gone) => this.#remove(gone),
          () => this.#next(),
        );
        this.#threads.push(thread);
      }
      if (thread === undefined) return;
      thread.give(this.#queue.shift()!);
    }
  }

  #remove(thread: Thread): void {
    const at = this.#threads.indexOf(thread);
    if (at >= 0) this.#threads.splice(at, 1);
    this.#next();
  }
}

/** JSON has no undefined: what answers that is asked again. */
function isDefined(entry: readonly [string, Value | undefined]): entry is [string, Value] {
  return entry[1] !== undefined;
}

function timedOut(): EvaluationError {
  return new EvaluationError('eval_cancel_error', 'query execution timed out');
}

function cancelled(): EvaluationError {
  return new EvaluationError('eval_cancel_error', 'caller cancelled query execution');
}

class Thread {
  readonly #worker: Worker;
  readonly #onEnd: (thread: Thread) => void;
  readonly #onFree: () => void;
  /** Programs that the worker has, in the order in which it forgets them. */
  readonly #programs: number[] = [];
  #dataVersion = -1;
  /** What `opa.runtime` answers there. */
  #runtime: Value | undefined;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(entry: string, onEnd: (thread: Thread) => void, onFree: () => void) {
    this.#onEnd = onEnd;
    this.#onFree = onFree;
    this.#worker = new Worker(entry, { argv: [workerArgument] });
    this.#worker.unref();
    this.#worker.on('message', (report: EvaluationReport) => this.#done(report));
    this.#worker.on('error', (error) => this.#fail(new EvaluationError('eval_internal_error', error.message)));
    this.#worker.on('exit', () => this.#fail(cancelled()));
  }

  get isFree(): boolean {
    return this.#current === undefined;
  }

  isAt(waiting: Waiting): boolean {
    return this.#current === waiting;
  }

  give(waiting: Waiting): void {
    const { job, bytes, data, runtime, until } = waiting;
    const timeMs = until - performance.now();
    if (timeMs <= 0) {
      waiting.reject(timedOut());
      return;
    }
    this.#current = waiting;
    // Who waits for an answer stays alive for it.
    this.#worker.ref();
    // Without a limit nothing ends it but its own end.
    if (timeMs < longestTimer) this.#timer = setTimeout(() => void this.end(timedOut()), timeMs + slackMs);
    const hasProgram = this.#touch(job.programId);
    const hasData = this.#dataVersion === job.dataVersion;
    this.#dataVersion = job.dataVersion;
    const hasRuntime = this.#runtime === runtime;
    this.#runtime = runtime;
    this.#worker.postMessage({
      ...job,
      timeMs: timeMs < longestTimer ? timeMs : 0,
      program: hasProgram ? undefined : bytes,
      data: hasData ? undefined : data,
      runtime: hasRuntime ? undefined : toJson(runtime),
    } satisfies EvaluationJob);
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
    const waiting = this.#current;
    if (waiting === undefined || waiting.job.id !== report.id) return;
    this.#current = undefined;
    this.#worker.unref();
    clearTimeout(this.#timer);
    const { evaluation } = waiting;
    for (const line of report.printed) evaluation.onPrint?.(line);
    for (const note of report.traced) evaluation.onTrace?.(note);
    for (const { code, message, builtin } of report.builtinErrors) evaluation.onBuiltinError?.(new BuiltinError(message, code), builtin);
    if (report.answers !== undefined) {
      const calls = exactValue(report.answers) as unknown as readonly (readonly [string, readonly Value[], Value])[];
      for (const [builtin, operands, value] of calls) evaluation.onNondeterministic?.(builtin, operands, value);
    }
    if ('results' in report) waiting.resolve(report.results);
    else waiting.reject(new EvaluationError(report.error.code, report.error.detail, report.error.location, report.error.rules));
    this.#onFree();
  }

  /** Ends the thread. What it was at is rejected. */
  async end(error: EvaluationError = cancelled()): Promise<void> {
    this.#fail(error);
    await this.#worker.terminate();
  }

  #fail(error: EvaluationError): void {
    clearTimeout(this.#timer);
    const waiting = this.#current;
    this.#current = undefined;
    waiting?.reject(error);
    this.#onEnd(this);
  }
}
