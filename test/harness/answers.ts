/** Outcomes of plans, for tests that compare two ways to run them. */

import { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import { BuiltinError, HaltError } from '../../values/builtins/builtin-errors.js';
import { equal } from '../../values/equal.js';
import { toJson } from '../../values/json/json.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';

type Answer = { readonly results: RegoSet } | { readonly error: string };

/** @param options `withPlace`: the text of an error has its place in the source */
export function answerOf(evaluate: () => readonly Value[], options?: { readonly withPlace: boolean }): Answer {
  try {
    return { results: new RegoSet(evaluate()) };
  } catch (error) {
    if (error instanceof EvaluationError) return { error: options?.withPlace ? error.message : `${error.code}: ${error.detail}` };
    if (error instanceof HaltError || error instanceof BuiltinError) return { error: `${error.code}: ${error.message}` };
    throw error;
  }
}

export function showAnswer(answer: Answer): string {
  return 'error' in answer ? answer.error : toJson(answer.results);
}

export function sameAnswer(a: Answer, b: Answer): boolean {
  return 'error' in a || 'error' in b ? 'error' in a && 'error' in b && a.error === b.error : equal(a.results, b.results);
}
