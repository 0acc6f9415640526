/**
 * Loops whose rounds may run in any order. A set is then walked without sorting its members. Some
 * loops only look for an element that suffices. Others only add to sets and objects, or to an array
 * that an aggregate reads: their order shows where equal values print differently, as 1 and 1.0 do,
 * or where a sum rounds. Such a loop starts again in order at the first value that may. It finds
 * what it has added already: texts are the same again, entries of an object are replaced, and an
 * array is emptied before.
 */
import { type Block, blocksOf, effectsOf } from '../../../ir-schema/index.js';
import type { OrderFree } from '../../operations/any-order.js';
import type { ArrayUses, Scan } from '../facts/array-uses.js';
import type { FunctionFacts } from '../facts/function-facts.js';
import { roundEffects } from '../facts/round-effects.js';

/** The values for which the order of rounds does not matter. */
export type OrderTest = 'any' | OrderFree;

/** The locals to which rounds add, by their test; none where a loop only looks for an element. */
type Targets = ReadonlyMap<number, OrderTest>;

const testOfAggregate: Readonly<Record<string, OrderTest>> = {
  count: 'any',
  max: 'scalar',
  min: 'scalar',
  sum: 'whole',
};

/**
 * Undefined where rounds must run in order. Errors of built-ins in them may be others in another
 * order, where these are looked for.
 */
export function anyOrder(scan: Scan, facts: FunctionFacts): Targets | undefined {
  const effects = roundEffects(scan, facts);
  if (effects === undefined) return undefined;
  const { assigned, extended, added, mayConflict } = effects;
  const targets = new Map<number, OrderTest>();
  if (extended.size === 0 && added.size === 0) return mayConflict ? undefined : targets;
  if (assigned !== undefined || extended.size > 1 || facts.mutations !== 'unaliased') return undefined;
  const block = scan.stmt.block!;
  for (const local of added) {
    // Values of one statement are told apart by the elements that they are, see `keepOrder`.
    if (addingTo(local, block) !== 1) return undefined;
    targets.set(local, 'text');
  }
  for (const local of extended) {
    const test = facts.arrays.isFilledBy(scan, block, local) ? testOfArray(local, facts.arrays) : undefined;
    if (test === undefined) return undefined;
    targets.set(local, test);
  }
  return targets;
}

/** The number of statements that add to a collection. */
function addingTo(local: number, { stmts }: Block): number {
  let count = 0;
  for (const node of stmts) {
    if (effectsOf(node).mutates.includes(local)) count++;
    for (const inner of blocksOf(node)) count += addingTo(local, inner);
  }
  return count;
}

/** The test of an array that aggregates alone read. */
function testOfArray(array: number, arrays: ArrayUses): OrderTest | undefined {
  let found: OrderTest | undefined;
  for (const { type, stmt } of arrays.readers(array)) {
    const test = type === 'CallStmt' && stmt.args?.length === 1 ? testOfAggregate[stmt.func] : undefined;
    if (test === undefined || (found !== undefined && found !== test)) return undefined;
    found = test;
  }
  return found;
}
