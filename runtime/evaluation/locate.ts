import { BuiltinError, HaltError, NumberRangeError, rangeComplaint, SizeError } from '../../values/index.js';
import { EvaluationError, type StackEntry, Suspension } from './evaluation-errors.js';
import type { StatementPlace } from './place.js';

/** The maximum number of rules that an error names. */
export const maxStackEntries = 100;

/**
 * An error of an expression, with its location and the rules on the stack, innermost first. Errors
 * of the engine itself stay as they are.
 */
export function locate(error: unknown, location: StatementPlace, rules: readonly StackEntry[]): unknown {
  if (error instanceof Suspension) return Object.assign(error, { location, rules });
  if (error instanceof BuiltinError) return new EvaluationError(error.code, error.message, location, rules);
  if (error instanceof HaltError)
    return new EvaluationError(
      error.code,
      error.message,
      location,
      rules,
      error.cause === undefined ? undefined : { cause: error.cause },
    );
  if (error instanceof NumberRangeError)
    return new EvaluationError('eval_builtin_error', error.message, location, rules);
  if (error instanceof SizeError) return new EvaluationError('eval_cancel_error', error.message, location, rules);
  const complaint = rangeComplaint(error);
  return complaint === undefined ? error : new EvaluationError('eval_internal_error', complaint, location, rules);
}
