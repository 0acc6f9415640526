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
  for (const local of added) {
    // Values of one statement are told apart by the elements that they are, see `keepOrder`.
    if (addingTo(local, [scan.stmt.block!]) !== 1) return undefined;
    targets.set(local, 'text');
  }
  for (const local of extended) {
    const test = isEmptyBefore(scan, local, facts) ? testOfArray(local, facts) : undefined;
    if (test === undefined) return undefined;
    targets.set(local, test);
  }
  return targets;
}

/**
 * Whether only the rounds of a loop append to an array: it is made anew before the loop begins, and
 * no loop around them goes on with it.
 */
function isEmptyBefore(scan: Stmt & { readonly type: 'ScanStmt' }, array: number, { blocks }: FunctionFacts): boolean {
  const isMadeIn = ({ stmts }: Block, isMade: boolean): boolean | undefined => {
    let made = isMade;
    for (const node of stmts) {
      if (node === scan) return made;
      if (node.type === 'MakeArrayStmt' && node.stmt.target === array) made = true;
      for (const inner of blocksOf(node)) {
        const found = isMadeIn(inner, made && node.type !== 'ScanStmt');
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  const isMade = blocks.some((block) => isMadeIn(block, false) === true);
  return isMade && addingTo(array, blocks) === addingTo(array, [scan.stmt.block!]);
}

/** The number of statements that add to a collection. */
function addingTo(local: number, blocks: readonly Block[]): number {
  let count = 0;
  const visit = ({ stmts }: Block): void => {
    for (const node of stmts) {
      if (effectsOf(node).mutates.includes(local)) count++;
      blocksOf(node).forEach(visit);
    }
  };
  blocks.forEach(visit);
  return count;
}

/** The test of an array that aggregates alone read. */
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
