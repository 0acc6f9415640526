/** Runs one plan of a program, as often as it takes. */

import { AnswerRecord } from '../../runtime/evaluation/answer-record.js';
import type { EngineContext } from '../../runtime/evaluation/context.js';
import { EvaluationError, Suspension } from '../../runtime/evaluation/errors.js';
import { Evaluation } from '../../runtime/evaluation/evaluation.js';
import type { Executable } from '../../runtime/evaluation/executable.js';
import type { EvaluationOptions } from '../../runtime/evaluation/options.js';
import type { Value } from '../../runtime/values/value.js';
import { watchWork } from '../../runtime/values/work.js';

/** A plan of a program. */
export interface Target {
  readonly executable: Executable;
  readonly plan: number;
}

/** Answers of built-ins that may answer otherwise next time, which an evaluation that is begun anew elsewhere takes along. */
export type KnownAnswers = ReadonlyMap<string, Value | undefined>;

/** The result sets of several plans, in their order. */
export type ResultSets = readonly (readonly Value[])[];

/**
 * The result sets of plans that answer one question: their limits are those of all together, and they see one time and the same answers of built-ins that may
 * answer otherwise next time. Throws an EvaluationError; one with the code `eval_wait_error` where a built-in has to wait, for which there is `evaluateAllAsync`.
 */
export function evaluateAll(
  targets: readonly Target[],
  input: Value | undefined,
  data: Value,
  context: EngineContext,
  options: EvaluationOptions,
): ResultSets {
  try {
    return runAll(targets, input, data, new Evaluation(context, options, new AnswerRecord()));
  } catch (error) {
    throw withoutWaiting(error);
  }
}

/** The same of one plan. */
export function evaluate(
  { executable, plan }: Target,
  input: Value | undefined,
  data: Value,
  context: EngineContext,
  options: EvaluationOptions,
): readonly Value[] {
  try {
    return runWatched(executable, plan, input, data, new Evaluation(context, options, new AnswerRecord()));
  } catch (error) {
    throw withoutWaiting(error);
  }
}

/** What is thrown where nobody waits. */
function withoutWaiting(error: unknown): unknown {
  if (!(error instanceof Suspension)) return error;
  return new EvaluationError(
    'eval_wait_error',
    `${error.builtin} waits for its answer: decide with decideAsync`,
    error.location,
    error.rules,
  );
}

/** Runs a plan that looks at its clock also while it walks long values. */
function runWatched(executable: Executable, plan: number, input: Value | undefined, data: Value, evaluation: Evaluation): readonly Value[] {
  const before = watchWork(evaluation.meter);
  try {
    return executable.run(plan, input, data, evaluation);
  } finally {
    watchWork(before);
  }
}

function runAll(targets: readonly Target[], input: Value | undefined, data: Value, evaluation: Evaluation): ResultSets {
  return targets.map(({ executable, plan }) => runWatched(executable, plan, input, data, evaluation));
}

/** Waits no longer than until the signal: a built-in may not listen to it. */
async function endedBy(signal: AbortSignal, answer: Promise<void>): Promise<void> {
  let end = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => reject(signal.reason);
    signal.addEventListener('abort', end);
  });
  try {
    signal.throwIfAborted();
    await Promise.race([answer, ended]);
  } finally {
    signal.removeEventListener('abort', end);
    // It may fail later, when nobody asks any more.
    answer.catch(() => undefined);
  }
}

/** Timers know no longer time. */
const longestTimer = 2 ** 31 - 1;

/** An evaluation that waits for an answer. The documents it began with must stay as they are until it ends. */
export class Waiting<Results = readonly Value[]> {
  readonly #run: () => Results;
  readonly #evaluation: Evaluation;
  readonly #record: AnswerRecord;
  readonly #options: EvaluationOptions;
  #suspension: Suspension;

  /** @param again runs it from its beginning, in less time than there is where others wait: then `finish` may reject while `msLeft` says that there is more */
  constructor(again: () => Results, evaluation: Evaluation, record: AnswerRecord, options: EvaluationOptions, suspension: Suspension) {
    this.#run = again;
    this.#evaluation = evaluation;
    this.#record = record;
    this.#options = options;
    this.#suspension = suspension;
  }

  /** Milliseconds that the whole may still take. */
  get msLeft(): number {
    return this.#evaluation.meter.msLeft;
  }

  get known(): KnownAnswers {
    return this.#record.nondeterministic;
  }

  /**
   * The result set. The evaluation begins anew with each answer; what it was told before it is told again.
   * @param cancel ends the waiting when it is aborted
   */
  async finish(cancel: AbortSignal | undefined = this.#options.signal): Promise<Results> {
    const { timeMs } = this.#options;
    // What it took until now counts as well.
    const deadline = timeMs ? AbortSignal.timeout(Math.min(Math.ceil(this.#evaluation.meter.msLeft), longestTimer)) : undefined;
    const signal = AbortSignal.any([deadline, cancel].filter((one) => one !== undefined));
    for (;;) {
      try {
        await endedBy(signal, this.#record.answer(this.#suspension, signal));
      } catch {
        const why = deadline?.aborted ? 'query execution timed out' : 'caller cancelled query execution';
        throw new EvaluationError('eval_cancel_error', why);
      }
      this.#evaluation.again();
      try {
        return this.#run();
      } catch (error) {
        if (!(error instanceof Suspension)) throw error;
        this.#suspension = error;
      }
    }
  }
}

/**
 * The result set of a plan, or where a built-in has to wait, what is to be waited for.
 * @param sliceMs what it may take at a time once it has waited
 */
export function attempt(
  target: Target,
  input: Value | undefined,
  data: Value,
  context: EngineContext,
  options: EvaluationOptions,
  { sliceMs, record = new AnswerRecord() }: { readonly sliceMs?: number | undefined; readonly record?: AnswerRecord } = {},
): readonly Value[] | Waiting {
  const evaluation = new Evaluation(context, options, record);
  try {
    return runWatched(target.executable, target.plan, input, data, evaluation);
  } catch (error) {
    if (!(error instanceof Suspension)) throw error;
    const again = () => {
      const next = nextEvaluation(evaluation, context, options, record, sliceMs);
      return runWatched(target.executable, target.plan, input, data, next);
    };
    return new Waiting(again, evaluation, record, options, error);
  }
}

function nextEvaluation(
  evaluation: Evaluation,
  context: EngineContext,
  options: EvaluationOptions,
  record: AnswerRecord,
  sliceMs: number | undefined,
): Evaluation {
  if (sliceMs === undefined || evaluation.meter.msLeft <= sliceMs) return evaluation;
  return new Evaluation(context, { ...options, timeMs: sliceMs, timeNs: evaluation.timeNs }, record);
}

/** The same of several plans, as `evaluateAll` has it. */
export function attemptAll(
  targets: readonly Target[],
  input: Value | undefined,
  data: Value,
  context: EngineContext,
  options: EvaluationOptions,
  sliceMs?: number,
): ResultSets | Waiting<ResultSets> {
  const record = new AnswerRecord();
  const evaluation = new Evaluation(context, options, record);
  try {
    return runAll(targets, input, data, evaluation);
  } catch (error) {
    if (!(error instanceof Suspension)) throw error;
    const again = () => runAll(targets, input, data, nextEvaluation(evaluation, context, options, record, sliceMs));
    return new Waiting(again, evaluation, record, options, error);
  }
}

/**
 * The result set of a plan, waiting for what built-ins wait for.
 * @param record what built-ins were answered before, and what they are answered now
 */
export async function evaluateAsync(
  target: Target,
  input: Value | undefined,
  data: Value,
  context: EngineContext,
  options: EvaluationOptions,
  record?: AnswerRecord,
): Promise<readonly Value[]> {
  const outcome = attempt(target, input, data, context, options, { ...(record && { record }) });
  return outcome instanceof Waiting ? await outcome.finish() : outcome;
}

/** The result sets of several plans, waiting for what built-ins wait for. */
export async function evaluateAllAsync(
  targets: readonly Target[],
  input: Value | undefined,
  data: Value,
  context: EngineContext,
  options: EvaluationOptions,
): Promise<ResultSets> {
  const outcome = attemptAll(targets, input, data, context, options);
  return outcome instanceof Waiting ? await outcome.finish() : outcome;
}
