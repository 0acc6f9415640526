/**
 * Explanations are made by the query evaluator, and the answer that they explain is the program's.
 * Where the evaluator comes to another one, the explanation cannot be trusted: that is a fault of
 * ours, which is reported and never shown as an answer.
 */
import type { EngineContext, EvaluationError } from '../../runtime/index.js';
import { compare, toJson, type Value } from '../../values/index.js';

/** A value, or undefined; of a query that is no path, whether it has a solution. */
export interface ComparedAnswer {
  readonly value: Value | undefined;
  readonly error?: EvaluationError | undefined;
}

/** Set once by the set-up of tests, which fail at a difference that a server only reports. */
let areThrown = false;

/** From now on differences throw: for tests. */
export function throwDifferences(): void {
  areThrown = true;
}

/**
 * Where the explanation evaluates in another order, as a trace does, it may come to a conflict that
 * the program passes over.
 */
export type Order = 'same' | 'other';

/** Reports a difference. */
export function compareAnswers(
  asked: string,
  decided: ComparedAnswer,
  explained: ComparedAnswer,
  context: EngineContext,
  order: Order = 'same',
): void {
  if (isSame(decided, explained, order)) return;
  const fault = `internal fault: the explanation of ${asked} comes to ${digest(explained, context)}, the program decided ${digest(decided, context)}`;
  if (areThrown) throw new Error(fault);
  context.onFault?.(fault);
}

/**
 * Either of two errors may come first. A program may come to a conflict at keys that an explanation
 * does not ask for: it evaluates the whole of a document of which a statement reads many keys.
 */
function isSame(
  { value: a, error: one }: ComparedAnswer,
  { value: b, error: other }: ComparedAnswer,
  order: Order,
): boolean {
  if (one !== undefined && other !== undefined) return true;
  const error = one ?? other;
  if (error !== undefined)
    return hasNoPlace.has(error.code) || (error.code === 'eval_conflict_error' && (error === one || order === 'other'));
  return a === undefined || b === undefined ? a === b : compare(a, b) === 0;
}

/**
 * Limits are reached at any place. A call whose error is strict may stand behind what need not be
 * evaluated.
 */
const hasNoPlace: ReadonlySet<string> = new Set([
  'eval_cancel_error',
  'eval_preempted_error',
  'eval_wait_error',
  'eval_builtin_error',
]);

/** Values may be secret. */
function digest({ value, error }: ComparedAnswer, { host }: EngineContext): string {
  if (error !== undefined) return error.code;
  if (value === undefined) return 'undefined';
  const text = toJson(value);
  return host.crypto === undefined
    ? `a value of ${text.length} characters`
    : `sha256:${host.crypto.hashHex('sha256', text)}`;
}
