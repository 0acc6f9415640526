/** A thread for evaluations that take long. */
import { getHeapStatistics } from 'node:v8';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { BuiltinError } from '../../builtins/builtin-errors.js';
import { LruCache } from '../../builtins/cache.js';
import { nodeHost } from '../../builtins/host/node.js';
import { builtins } from '../../builtins/registry.js';
import { unpackExecutable } from '../../runtime/codegen/packed-executable.js';
import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import { EvaluationError, preemptedCode } from '../../runtime/evaluation/evaluation-errors.js';
import type { Executable } from '../../runtime/evaluation/executable.js';
import type { Place } from '../../runtime/evaluation/place.js';
import { exactText, exactValue, plainText } from '../../values/json/exact-json.js';
import { parseJson } from '../../values/json/json.js';
import { limitHeap } from '../../values/memory.js';
import type { PlainObject, Value } from '../../values/value.js';
import { createContext } from '../context.js';
import { evaluateAsync } from '../evaluation/evaluate.js';
import { solutionNumber } from '../evaluation/solutions.js';
import { parseModuleValue } from '../policies/module-value.js';
import type { ChoreMessage } from './chores.js';
import { type EvaluationJob, type EvaluationReport, keptByWorker, type ReportedError, type ThreadData } from './messages.js';

/** Answers jobs until the server ends the thread. */
export function serveEvaluations(): void {
  const port = parentPort;
  if (port === null) throw new Error('evaluations are served to whoever started this thread');
  // Threads for chores are started without it.
  const given = (workerData ?? undefined) as ThreadData | undefined;
  if (given !== undefined) limitHeap(given.heapMegabytes * 2 ** 20);
  const worker = new EvaluationWorker(port, given?.preempted ?? new Int32Array(1));
  port.on('message', (message: EvaluationJob | ChoreMessage) => {
    if ('chore' in message) void import('./chore-worker.js').then(({ doChore }) => port.postMessage(doChore(message.chore)));
    else void worker.take(message);
  });
}

/** Output of an evaluation beside its results. */
interface Told {
  readonly printed: string[];
  readonly traced: string[];
  readonly builtinErrors: { code: BuiltinError['code']; message: string; builtin: string; place: Place }[];
  readonly calls: Value[];
}

class EvaluationWorker {
  readonly #port: MessagePort;
  readonly #preempted: Int32Array;
  readonly #programs = new LruCache<Executable>(keptByWorker);
  readonly #builtins = new Map(builtins).set(solutionNumber.name, solutionNumber);
  #data: PlainObject = {};
  #runtime: Value = {};

  /** @param preempted shared with the pool, which writes the id of the job to preempt there */
  constructor(port: MessagePort, preempted: Int32Array) {
    this.#port = port;
    this.#preempted = preempted;
  }

  async take(job: EvaluationJob): Promise<void> {
    const told: Told = { printed: [], traced: [], builtinErrors: [], calls: [] };
    let outcome: { readonly results: Uint8Array<ArrayBuffer> } | { readonly error: ReportedError };
    const record = new AnswerRecord(
      job.known === undefined ? undefined : new Map(exactValue(job.known) as unknown as readonly [string, Value][]),
    );
    try {
      outcome = { results: new TextEncoder().encode(await this.#evaluate(job, told, record)) };
    } catch (error) {
      if (error instanceof EvaluationError && error.code === preemptedCode) {
        const preempted = exactText([...record.nondeterministic].filter((entry): entry is [string, Value] => entry[1] !== undefined));
        this.#port.postMessage({
          id: job.id,
          heapMegabytes: heapMegabytes(),
          preempted,
          answers: answersOf(told),
        } satisfies EvaluationReport);
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
    const { calls: _, ...rest } = told;
    const answers = answersOf(told);
    const report = { id: job.id, heapMegabytes: heapMegabytes(), ...rest, answers, ...outcome } satisfies EvaluationReport;
    this.#port.postMessage(report, 'results' in outcome ? [outcome.results.buffer] : []);
  }

  async #evaluate(job: EvaluationJob, { printed, traced, builtinErrors, calls }: Told, record: AnswerRecord): Promise<string> {
    if (job.data !== undefined) this.#data = parseJson(decoder.decode(job.data)) as PlainObject;
    if (job.runtime !== undefined) this.#runtime = parseJson(job.runtime);
    const key = String(job.programId);
    if (job.program !== undefined) this.#programs.set(key, await unpackExecutable(job.program, this.#builtins));
    const runtime = this.#runtime as PlainObject;
    const context = createContext({ host: nodeHost }, { runtime, allowNet: job.allowNet, codegen: job.codegen });
    context.parseModule = parseModuleValue;
    const options = {
      timeMs: job.timeMs,
      isPreempted: () => Atomics.load(this.#preempted, 0) === job.id,
      strictBuiltinErrors: job.strictBuiltinErrors,
      ...(job.instructions !== undefined && { instructions: job.instructions }),
      ...(job.callDepth !== undefined && { callDepth: job.callDepth }),
      timeNs: job.timeNs,
      onPrint: (line: string) => void printed.push(line),
      onTrace: (note: string) => void traced.push(note),
      onBuiltinError: ({ code, message }: BuiltinError, builtin: string, place: Place) =>
        void builtinErrors.push({ code, message, builtin, place }),
      onRestart: () => {
        for (const list of [printed, traced, builtinErrors]) list.splice(0);
      },
      ...(job.wantsAnswers && {
        onNondeterministic: (builtin: string, operands: readonly Value[], value: Value) => void calls.push([builtin, operands, value]),
      }),
    };
    const input = job.input === undefined ? undefined : exactValue(decoder.decode(job.input));
    const target = { executable: this.#programs.get(key)!, plan: job.plan };
    const results = await evaluateAsync(target, input, this.#data, context, options, record);
    return job.wantsJson ? plainText(results) : exactText(results);
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function heapMegabytes(): number {
  return getHeapStatistics().used_heap_size / 2 ** 20;
}

function answersOf({ calls }: Told): string | undefined {
  return calls.length === 0 ? undefined : exactText(calls);
}
