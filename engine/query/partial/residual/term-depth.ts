/** A bound on how deep the terms of a residual nest. */

import { forEachChild, type Node, type Term } from '../../../../compiler/index.js';
import { HaltError } from '../../../../values/index.js';

/** Each term that is made is read whole, so a growing term takes the square of its depth. */
const maxLevels = 300;

const depths = new WeakMap<Node, number>();

/** Throws a HaltError for a term of the residual that nests too deeply. Its parts have passed. */
export function checkDepth(term: Term): void {
  if (depthOf(term) > maxLevels)
    throw new HaltError('eval_internal_error', `the residual has terms that nest more than ${maxLevels} levels`);
}

function depthOf(node: Node): number {
  if (isLeaf(node)) return 0;
  const known = depths.get(node);
  if (known !== undefined) return known;
  let inside = 0;
  forEachChild(node, (child) => {
    inside = Math.max(inside, depthOf(child));
  });
  depths.set(node, inside + 1);
  return inside + 1;
}

function isLeaf({ type }: Node): boolean {
  return type === 'var' || type === 'string' || type === 'number' || type === 'boolean' || type === 'null';
}
