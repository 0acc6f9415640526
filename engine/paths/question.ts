/** How to answer a path or a query: run some plans, then put their results together. */
import type { Value } from '../../values/index.js';
import type { EvaluationTarget, ResultSets } from '../evaluation/evaluate.js';

export interface Question {
  readonly targets: readonly EvaluationTarget[];
  /** Whether base documents are part of the answer. */
  readonly readsData: boolean;
  /** Whether the answer is the whole result of the one target. */
  readonly isWhole: boolean;
  /** Whether it is so over these base documents; left out where `isWhole` tells. */
  readonly isWholeOver?: (data: Value) => boolean;
  /**
   * The document, given the plans' result sets in order and the base documents; undefined where
   * there is none.
   */
  answer(results: ResultSets, data: Value): Value | undefined;
  /** The document, given the one target's value of `result`; left out where that is not enough. */
  readonly answerOf?: (result: Value | undefined, data: Value) => Value | undefined;
}
