import { type Value, type Walk, walkOf } from '../../values/index.js';
import { failed } from '../evaluation/builtin-calls.js';
import type { Evaluation } from '../evaluation/evaluation.js';

/** The walk of a value without its pairs. Its errors are those of a call of the built-in. */
export function listedWalk(root: Value, evaluation: Evaluation): Walk | undefined {
  try {
    return walkOf(root, evaluation);
  } catch (error) {
    return failed(error, { name: 'walk' }, evaluation);
  }
}
