/** How evaluations end, to compare the VM with generated code. */

import type { Evaluation } from '../../../runtime/evaluation/evaluation.js';
import { EvaluationError } from '../../../runtime/evaluation/evaluation-errors.js';
import { watchWork } from '../../../values/work.js';

/** A result and the work that was left, or an error with its places. */
export type End = { readonly results: string; readonly left: number } | { readonly code: string; readonly detail: string };

export function endOf<Result>(evaluation: Evaluation, run: () => Result, show: (result: Result) => string): End {
  const before = watchWork(evaluation.meter);
  try {
    const results = run();
    watchWork(undefined);
    return { results: show(results), left: evaluation.meter.left };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { code, message, detail, location, rules } = error;
    // The place at which a limit ends a function that has just begun is not exact.
    if (code === 'eval_cancel_error') return { code, detail, ...{ rules: rules.map(({ name }) => name) } };
    return { code, detail, ...{ message, location, rules } };
  } finally {
    watchWork(before);
  }
}
