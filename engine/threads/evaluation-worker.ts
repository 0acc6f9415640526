/** The side of a thread that evaluates. */

import type { Executable, StatementPlace } from '../../runtime/index.js';
import { AnswerRecord, EvaluationError, preemptedCode, unpackExecutable } from '../../runtime/index.js';
import type { BuiltinError, PlainObject, Value } from '../../values/index.js';
import { builtins, exactText, exactValue, LruCache, parseJson, plainText } from '../../values/index.js';
import { evaluateAsync } from '../evaluation/evaluate.js';
import { Metrics } from '../evaluation/metrics.js';
import { solutionNumber } from '../evaluation/solutions.js';
import type { Platform } from '../platform.js';
import { createContext, type SharedContext } from '../shared-context.js';
import type { EvaluationJob, EvaluationReport, PrintedLine, ReportedError } from './messages.js';
import { keptByWorker } from './messages.js';

/** The thread of a worker. */
interface WorkerThread {
  /** See `ThreadData`. */
  readonly preempted: Int32Array | undefined;
  /** @param moved buffers that the worker gives away */
  report(report: EvaluationReport, moved: ArrayBuffer[]): void;
  /** 0 if the platform does not state it. */
  heapMegabytes(): number;
}

/** Output of an evaluation beside its results. */
interface Told {
  readonly printed: PrintedLine[];
  readonly traced: string[];
  readonly builtinErrors: { code: BuiltinError['code']; message: string; builtin: string; place: StatementPlace }[];
  readonly calls: Value[];
  readonly metrics: Metrics;
}

export class EvaluationWorker {
  readonly #platform: Platform;
  readonly #thread: WorkerThread;
  readonly #programs = new LruCache<Executable>(keptByWorker);
  readonly #builtins = builtins.with([solutionNumber]);
  readonly #parser: { parseModule?: SharedContext['parseModule'] } = {};
  #data: PlainObject = {};
  #runtime: Value = {};

  constructor(platform: Platform, thread: WorkerThread) {
    this.#platform = platform;
    this.#thread = thread;
  }

  async take(job: EvaluationJob): Promise<void> {
    const told: Told = { printed: [], traced: [], builtinErrors: [], calls: [], metrics: new Metrics() };
    let outcome: { readonly results: Uint8Array<ArrayBuffer> } | { readonly error: ReportedError };
    const record = new AnswerRecord(
      job.known === undefined ? undefined : new Map(exactValue(job.known) as unknown as readonly [string, Value][]),
    );
    try {
      outcome = { results: new TextEncoder().encode(await this.#evaluate(job, told, record)) };
    } catch (error) {
      if (error instanceof EvaluationError && error.code === preemptedCode) {
        const preempted = exactText(
          [...record.nondeterministic].filter((entry): entry is [string, Value] => entry[1] !== undefined),
        );
        this.#thread.report(
          { id: job.id, heapMegabytes: this.#thread.heapMegabytes(), preempted, ...notedOf(told) },
          [],
        );
        return;
      }
      const { code = 'eval_internal_error', message } = error as Error & { code?: string };
      const isOurs = error instanceof EvaluationError;
      outcome = {
        error: isOurs
          ? { code, detail: error.detail, location: error.location, rules: error.rules }
          : { code, detail: message, location: undefined, rules: [] },
      };
    }
    const { printed, traced, builtinErrors } = told;
    const report = {
      id: job.id,
      heapMegabytes: this.#thread.heapMegabytes(),
      ...{ printed, traced, builtinErrors },
      ...notedOf(told),
      ...outcome,
    } satisfies EvaluationReport;
    this.#thread.report(report, 'results' in outcome ? [outcome.results.buffer] : []);
  }

  async #evaluate(
    job: EvaluationJob,
    { printed, traced, builtinErrors, calls, metrics }: Told,
    record: AnswerRecord,
  ): Promise<string> {
    if (job.data !== undefined) this.#data = parseJson(decoder.decode(job.data)) as PlainObject;
    if (job.runtime !== undefined) this.#runtime = parseJson(job.runtime);
    const key = String(job.programId);
    if (job.program !== undefined) {
      await this.#load(job.builtins ?? []);
      this.#programs.set(key, await unpackExecutable(job.program, this.#builtins));
    }
    const runtime = this.#runtime as PlainObject;
    const { preempted } = this.#thread;
    const context = createContext(this.#platform, { runtime, allowNet: job.allowNet, codegen: job.codegen });
    context.parseModule = this.#parser.parseModule;
    const options = {
      timeMs: job.timeMs,
      ...(preempted && { isPreempted: () => Atomics.load(preempted, 0) === job.id }),
      strictBuiltinErrors: job.strictBuiltinErrors,
      ...(job.instructions !== undefined && { instructions: job.instructions }),
      ...(job.callDepth !== undefined && { callDepth: job.callDepth }),
      timeNs: job.timeNs,
      metrics,
      onPrint: (line: string, place: string | undefined) => void printed.push([line, place]),
      onTrace: (note: string) => void traced.push(note),
      onBuiltinError: ({ code, message }: BuiltinError, builtin: string, place: StatementPlace) =>
        void builtinErrors.push({ code, message, builtin, place }),
      onRestart: () => {
        for (const list of [printed, traced, builtinErrors]) list.splice(0);
      },
      ...(job.wantsAnswers && {
        onNondeterministic: (builtin: string, operands: readonly Value[], value: Value) =>
          void calls.push([builtin, operands, value]),
      }),
    };
    const input = job.input === undefined ? undefined : exactValue(decoder.decode(job.input));
    const target = { executable: this.#programs.get(key)!, plan: job.plan };
    const results = await evaluateAsync(target, { input, data: this.#data }, context, options, record);
    return job.wantsJson ? plainText(results) : exactText(results);
  }

  /** Most programs need no parser, which is large. */
  async #load(names: readonly string[]): Promise<void> {
    await this.#platform.loadBuiltins?.(new Set(names));
    if (names.includes('rego.parse_module')) {
      const { parseModuleValue } = await import('../policies/module-value.js');
      this.#parser.parseModule = parseModuleValue;
    }
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The notes of an evaluation that gives way: its repetition elsewhere has none of them. */
function notedOf({ calls, metrics }: Told): Pick<EvaluationReport, 'answers' | 'metrics'> {
  return {
    answers: calls.length === 0 ? undefined : exactText(calls),
    metrics: Object.entries(metrics.toJson()) as [string, number][],
  };
}
