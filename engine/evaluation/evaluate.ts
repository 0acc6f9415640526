/** Runs plans of programs, again after each answer that they wait for. */
import type { EngineContext, EvaluationOptions, EvaluationPool, Executable } from '../../runtime/index.js';
import { AnswerRecord, Evaluation, EvaluationError, Suspension, withoutWaiting } from '../../runtime/index.js';
import { isArray, isObject, isSet, objectKeys, type Value, valueAt, watchWork } from '../../values/index.js';
import { Waiting } from './awaited-answers.js';

/** A plan of a program. */
export interface EvaluationTarget {
  readonly executable: Executable;
  readonly plan: number;
}

/** The plan of an entrypoint. */
export function targetOf(executable: Executable, entrypoint: string): EvaluationTarget {
  const plan = executable.entrypoints.get(entrypoint);
  if (plan === undefined) throw new Error(`the program has no entrypoint "${entrypoint}"`);
  return { executable, plan };
}

/** The result sets of several plans, in their order. */
export type ResultSets = readonly (readonly Value[])[];

/**
 * The result sets of the plans of one question: their limits are those of all together, and they
 * see one time and the same results of non-deterministic built-ins. Throws an EvaluationError; its
 * code is `eval_wait_error` if a built-in has to wait.
 */
export function evaluateAll(
  targets: readonly EvaluationTarget[],
  documents: GivenDocuments,
  context: EngineContext,
  options: EvaluationOptions,
): ResultSets {
  try {
    return runAll(targets, documents, new Evaluation(context, options, new AnswerRecord()));
  } catch (error) {
    throw withoutWaiting(error);
  }
}

/** The value that one plan binds to `result`, in the same way. */
export function evaluateResult(
  target: EvaluationTarget,
  input: Value | undefined,
  data: Value,
  pool: EvaluationPool,
  options: EvaluationOptions,
): Value | undefined {
  const evaluation = pool.take(options);
  const before = watchWork(evaluation.meter);
  let value: Value | undefined;
  try {
    value = target.executable.decide(target.plan, input, data, evaluation);
  } catch (error) {
    watchWork(before);
    throw withoutWaiting(error);
  }
  watchWork(before);
  pool.give(evaluation);
  return value;
}

/** The meter looks at the clock also while long values are walked. */
function runWatched(
  { executable, plan }: EvaluationTarget,
  { input, data }: GivenDocuments,
  evaluation: Evaluation,
): readonly Value[] {
  const before = watchWork(evaluation.meter);
  try {
    return executable.run(plan, input, data, evaluation);
  } finally {
    watchWork(before);
  }
}

/** The value of `result`, where the meter looks at the clock also while long values are walked. */
export function resultWatched(
  { executable, plan }: EvaluationTarget,
  input: Value | undefined,
  data: Value | undefined,
  evaluation: Evaluation,
): Value | undefined {
  const before = watchWork(evaluation.meter);
  try {
    return executable.decide(plan, input, data, evaluation);
  } finally {
    watchWork(before);
  }
}

function runAll(targets: readonly EvaluationTarget[], documents: GivenDocuments, evaluation: Evaluation): ResultSets {
  return targets.map((target) => runWatched(target, documents, evaluation));
}

/** The documents of an evaluation. */
export interface GivenDocuments {
  readonly input: Value | undefined;
  readonly data: Value;
}

interface AttemptOptions {
  /** The time limit of each repetition after a wait. Default: the rest of the whole limit. */
  readonly sliceMs?: number | undefined;
  /** Results of built-ins that are known before. It takes further ones. */
  readonly record?: AnswerRecord | undefined;
}

/**
 * The result sets of several plans, as those of `evaluateAll`, or the evaluation that waits for a
 * built-in.
 */
export function attemptAll(
  targets: readonly EvaluationTarget[],
  documents: GivenDocuments,
  context: EngineContext,
  options: EvaluationOptions,
  { sliceMs, record = new AnswerRecord() }: AttemptOptions = {},
): ResultSets | Waiting<ResultSets> {
  const evaluation = new Evaluation(context, options, record);
  try {
    return runAll(targets, documents, evaluation);
  } catch (error) {
    const again = (repeated: Evaluation) => runAll(targets, documents, repeated);
    return waitingFor(error, again, { evaluation, context, options, record, sliceMs });
  }
}

/** The value of `result`, in the same way; most evaluations use the state of an earlier one. */
export function attemptResult(
  target: EvaluationTarget,
  { input, data }: GivenDocuments,
  pool: EvaluationPool,
  options: EvaluationOptions,
  sliceMs?: number,
): Value | undefined | Waiting<Value | undefined> {
  const evaluation = pool.take(options);
  try {
    const value = resultWatched(target, input, data, evaluation);
    pool.give(evaluation);
    return value;
  } catch (error) {
    const again = (repeated: Evaluation) => resultWatched(target, input, data, repeated);
    const { context } = pool;
    return waitingFor(error, again, { evaluation, context, options, record: evaluation.record, sliceMs });
  }
}

/** An evaluation that has ended early. */
interface Attempted {
  readonly evaluation: Evaluation;
  readonly context: EngineContext;
  readonly options: EvaluationOptions;
  readonly record: AnswerRecord;
  /** See `AttemptOptions`. */
  readonly sliceMs: number | undefined;
}

/** The evaluation that `error` suspends, to be repeated by `run`; throws any other error. */
function waitingFor<Results>(
  error: unknown,
  run: (evaluation: Evaluation) => Results,
  attempted: Attempted,
): Waiting<Results> {
  if (!(error instanceof Suspension)) throw error;
  const { evaluation, options, record } = attempted;
  return new Waiting(() => run(repeated(attempted)), evaluation, record, options, error);
}

function repeated({ evaluation, context, options, record, sliceMs }: Attempted): Evaluation {
  if (sliceMs === undefined || evaluation.meter.msLeft <= sliceMs) return evaluation;
  return new Evaluation(context, { ...options, timeMs: sliceMs, timeNs: evaluation.timeNs }, record);
}

/** The result set of a plan. Waits for built-ins that have to wait. */
export async function evaluateAsync(
  target: EvaluationTarget,
  documents: GivenDocuments,
  context: EngineContext,
  options: EvaluationOptions,
  record?: AnswerRecord,
): Promise<readonly Value[]> {
  const outcome = attemptAll([target], documents, context, options, { record });
  const [results = []] = outcome instanceof Waiting ? await outcome.finish() : outcome;
  return results;
}

/** The value, if it is not larger than a limit for its result allows. */
export function sized(
  value: Value | undefined,
  { resultSize }: { readonly resultSize?: number | undefined },
): Value | undefined {
  if (value !== undefined && resultSize !== undefined) checkSize(value, resultSize);
  return value;
}

/** Throws an EvaluationError where a result has more values in it than `limit`, itself included. */
function checkSize(result: Value, limit: number): void {
  let left = limit;
  const pending: Value[] = [result];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (--left < 0) throw new EvaluationError('eval_cancel_error', `the result has more than ${limit} values`);
    if (isArray(value) || isSet(value)) for (const member of value) pending.push(member);
    else if (isObject(value)) for (const key of objectKeys(value)) pending.push(valueAt(value, key));
  }
}
