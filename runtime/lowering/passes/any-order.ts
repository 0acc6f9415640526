/**
 * Loops whose rounds may run in any order. A set is then walked without sorting its members. Some
 * loops only look for an element that suffices. Others only add to sets and objects, or to an array
 * that an aggregate reads: their order shows where equal values print differently, as 1 and 1.0 do,
 * or where a sum rounds. Such a loop starts again in order at the first value that may. It finds
 * what it has added already: texts are the same again, entries of an object are replaced, and an
 * array is emptied before.
 */
import { type Block, blocksOf, effectsOf, type Stmt } from '../../../ir-schema/index.js';
import type { OrderFree } from '../../operations/any-order.js';
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
export function anyOrder(scan: Stmt & { readonly type: 'ScanStmt' }, facts: FunctionFacts): Targets | undefined {
  const effects = roundEffects(scan, facts);
  if (effects === undefined) return undefined;
  const { assigned, extended, added, mayConflict } = effects;
  const targets = new Map<number, OrderTest>();
  if (extended.size === 0 && added.size === 0) return mayConflict ? undefined : targets;
  if (assigned !== undefined || extended.size > 1 || facts.mutations !== 'unaliased') return undefined;
  for (const local of added) targets.set(local, 'text');
  for (const local of extended) {
    const test = testOfArray(local, facts);
    if (test === undefined) return undefined;
    targets.set(local, test);
  }
  return targets;
}

/** Where aggregates alone read an array. */
function testOfArray(array: number, { blocks }: FunctionFacts): OrderTest | undefined {
  let found: OrderTest | undefined;
  const areAggregates = (block: Block): boolean =>
    block.stmts.every((node) => {
      const { type, stmt } = node;
      if (!blocksOf(node).every(areAggregates)) return false;
      const isAppend = type === 'ArrayAppendStmt' && stmt.array === array;
      if (isAppend) return stmt.value.type !== 'local' || stmt.value.value !== array;
      if (!effectsOf(node).reads.includes(array)) return true;
      const test = type === 'CallStmt' && stmt.args?.length === 1 ? testOfAggregate[stmt.func] : undefined;
      if (test === undefined || (found !== undefined && found !== test)) return false;
      found = test;
      return true;
    });
  return blocks.every(areAggregates) ? found : undefined;
}
