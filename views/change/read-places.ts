/** The places of an input that a decision reads. */

import type { DecideOptions, Engine, Prepared } from '../../engine/index.js';
import { Evaluator, ReadTree, recordedInput } from '../../engine/index.js';
import { EvaluationError } from '../../runtime/index.js';
import { jsonCopy, type Value } from '../../values/index.js';

/** An evaluator for noted decisions: on the machine, as generated code gets slower by views. */
export function readingEvaluator({ store, context }: Engine): Evaluator {
  return new Evaluator(store, { ...context, codegen: 'never' }, undefined);
}

/** The places that a decision reads; an error that it ends with is one of its answers. */
export function readsOf(prepared: Prepared, input: Value, options: DecideOptions): ReadTree {
  const reads = new ReadTree();
  try {
    const value = prepared.atOnce(recordedInput(input, reads), options);
    // Parts of the input in the result are read by its readers.
    if (value !== undefined) jsonCopy(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
  }
  return reads;
}

/** The first of some places that a decision has read; undefined where it has read none. */
export function readAmong({ root }: ReadTree, places: readonly (readonly string[])[]): readonly string[] | undefined {
  return places.find((path) => root.isTouchedBy({ op: 'write', path, value: null }));
}
