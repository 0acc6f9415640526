/** Runs one plan of a program, as often as it takes. */
import type { Value } from '../values/value.js';
import { EvaluationError, Suspension } from '../vm/errors.js';
import { AnswerRecord, Evaluation, type EvaluationOptions, type Surroundings } from '../vm/evaluation.js';
import type { Executable } from '../vm/executable.js';
import { run } from '../vm/run.js';

/** A plan of a program. */
export interface Target {
  readonly executable: Executable;
  readonly plan: number;
}

/**
 * The result set of a plan. Throws an EvaluationError; one with the code `eval_wait_error` where a built-in has to wait, for which there is
 * `evaluateAsync`.
 */
export function evaluate(
  { executable, plan }: Target,
  input: Value | undefined,
  data: Value,
  surroundings: Surroundings,
  options: EvaluationOptions,
): readonly Value[] {
  try {
    return run(executable, plan, input, data, new Evaluation(surroundings, options, new AnswerRecord()));
  } catch (error) {
    if (!(error instanceof Suspension)) throw error;
    throw new EvaluationError('eval_wait_error', `${error.key.split('\u0000')[0]} takes time: use decideAsync`);
  }
}

/** The same, waiting for what built-ins wait for. The evaluation begins anew with each answer; what it was told before it is told again. */
export async function evaluateAsync(
  { executable, plan }: Target,
  input: Value | undefined,
  data: Value,
  surroundings: Surroundings,
  options: EvaluationOptions,
): Promise<readonly Value[]> {
  const record = new AnswerRecord();
  const evaluation = new Evaluation(surroundings, options, record);
  let suspension: Suspension;
  // Most evaluations wait for nothing: signals are made only for those that do.
  try {
    return run(executable, plan, input, data, evaluation);
  } catch (error) {
    if (!(error instanceof Suspension)) throw error;
    suspension = error;
  }
  const deadline = options.timeMs ? AbortSignal.timeout(options.timeMs) : undefined;
  const signal = AbortSignal.any([deadline, options.signal].filter((one) => one !== undefined));
  for (;;) {
    try {
      await record.answer(suspension, signal);
    } catch {
      const why = deadline?.aborted ? 'query execution timed out' : 'caller cancelled query execution';
      throw new EvaluationError('eval_cancel_error', why);
    }
    evaluation.again();
    try {
      return run(executable, plan, input, data, evaluation);
    } catch (error) {
      if (!(error instanceof Suspension)) throw error;
      suspension = error;
    }
  }
}
