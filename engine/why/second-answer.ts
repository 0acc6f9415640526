/**
 * Explanations are made by the query evaluator, and the answer that they explain is the program's.
 * Where the evaluator comes to another one, the explanation cannot be trusted: that is a fault of
 * ours, which is reported and never shown as an answer.
 */
import type { EngineContext } from '../../runtime/evaluation/context.js';
import type { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import { compare } from '../../values/compare.js';
import { toJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';

/** A value, or undefined; of a query that is no path, whether it has a solution. */
export interface Answer {
  readonly value: Value | undefined;
  readonly error?: EvaluationError | undefined;
}

let areThrown = false;

/** From now on differences throw: for tests. */
export function throwDifferences(): void {
  areThrown = true;
}

/**
 * Reports a difference. Answers that ended with an error are not compared: of two errors a program
 * may come to the other one, and to conflicts at keys that the evaluator does not ask for.
 */
export function compareAnswers(asked: string, decided: Answer, explained: Answer, context: EngineContext): void {
  if (decided.error !== undefined || explained.error !== undefined) return;
  const [a, b] = [decided.value, explained.value];
  if (a === undefined || b === undefined ? a === b : compare(a, b) === 0) return;
  const fault = `internal fault: the explanation of ${asked} comes to ${digest(b, context)}, the program decided ${digest(a, context)}`;
  if (areThrown) throw new Error(fault);
  context.onFault?.(fault);
}

/** Values may be secret. */
function digest(value: Value | undefined, { host }: EngineContext): string {
  if (value === undefined) return 'undefined';
  const text = toJson(value);
  return host.crypto === undefined ? `a value of ${text.length} characters` : `sha256:${host.crypto.hashHex('sha256', text)}`;
}
