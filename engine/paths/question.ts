/** How to answer a path or a query: run some plans, then put their results together. */
import { lookup } from '../../runtime/values/compare.js';
import type { Value } from '../../runtime/values/value.js';
import type { ResultSets, Target } from '../evaluation/evaluate.js';

export interface Question {
  readonly targets: readonly Target[];
  /** Whether base documents are part of the answer. */
  readonly readsData: boolean;
  /** Whether the answer is the whole result of the one target. */
  readonly isWhole: boolean;
  /**
   * The document, given the plans' result sets in order and the base documents; undefined where
   * there is none.
   */
  answer(results: ResultSets, data: Value): Value | undefined;
}

/** The document that a plan made for a decision binds to `result`. */
export function resultOf(results: readonly Value[]): Value | undefined {
  const [first] = results;
  return first === undefined ? undefined : lookup(first, 'result');
}
