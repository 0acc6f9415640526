/**
 * Whether a function mutates only values that have not escaped. The VM mutates arrays, objects and
 * sets in place: that is right for values that the function made and that have not escaped since,
 * and wrong for documents, arguments, constants, remembered results and members of sets.
 *
 * A local is fresh where, on every path, it holds nothing, a scalar, or a value that was made into
 * it and that has no other name.
 */

import { type Block, blocksOf, mutatedBy } from '../../../ir-schema/index.js';
import { holdOnlyUnescaped } from './alias-groups.js';
import { MutationFlow } from './mutation-flow.js';

/**
 * A fact that holds for all values that a function mutates.
 * - unaliased: each has one name and is in no collection.
 * - unescaped: it may have several names or be in other values that have not escaped either.
 * - unknown: it may have escaped, so the function tracks its values when it runs.
 */
export type Escape = 'unaliased' | 'unescaped' | 'unknown';

/**
 * Linear in the size of the blocks.
 * @param shared locals that pass values between outermost blocks
 */
export function escapeOf(blocks: readonly Block[], params: readonly number[], shared: ReadonlySet<number>): Escape {
  if (!blocks.some(hasMutations)) return 'unaliased';
  const mutated = new MutationFlow(blocks, params).mutatedUnlessFresh();
  if (mutated === undefined) return 'unknown';
  if (mutated.length === 0) return 'unaliased';
  return holdOnlyUnescaped(mutated, blocks, params, shared) ? 'unescaped' : 'unknown';
}

function hasMutations(block: Block): boolean {
  return block.stmts.some((stmt) => mutatedBy(stmt) !== undefined || blocksOf(stmt).some(hasMutations));
}
