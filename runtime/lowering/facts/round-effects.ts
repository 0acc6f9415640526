/** Loops whose rounds may be left out or run in any order, since they leave so little. */

import { type Block, blocksOf, effectsOf, exposedReads, isLocalOperand, type Stmt } from '../../../ir-schema/index.js';
import type { FunctionFacts } from './function-facts.js';
import { quietStatements } from './silent-calls.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

const quiet: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...quietStatements,
  'ObjectInsertOnceStmt',
  'ScanStmt',
]);

/** The effects that rounds of a loop leave behind them. */
interface RoundEffects {
  /** The local that one statement gives a constant, which no round reads. */
  readonly assigned: number | undefined;
  /** Arrays to which the statements append. */
  readonly extended: ReadonlySet<number>;
  /** Sets and objects to which they add members and entries, and which no round reads. */
  readonly added: ReadonlySet<number>;
  /** Whether entries of an object may be in conflict. */
  readonly mayConflict: boolean;
}

/**
 * The effects of the rounds of a loop; undefined where they have others, or one ends the loop
 * otherwise than with the constant.
 * Errors of built-ins in them are noticed where these are looked for.
 */
export function roundEffects(scan: Scan, { plan, uses }: FunctionFacts): RoundEffects | undefined {
  const { key, value, block } = scan.stmt;
  if (block === null || key === value) return undefined;
  const [start, end] = uses.span(scan, block);
  const exposed = exposedReads(block);
  const isOfRound = (local: number): boolean => {
    const { firstRead, lastRead, firstWrite, lastWrite } = uses.of(local);
    const isInside = Math.min(firstRead, firstWrite) >= start && Math.max(lastRead, lastWrite) < end;
    return isInside && !uses.shared.has(local) && (local === key || local === value || !exposed.has(local));
  };
  let assigned: number | undefined;
  const extended = new Set<number>();
  const added = new Set<number>();
  let mayConflict = false;
  const read = new Set<number>();
  const isFree = (node: Stmt, depth: number, before: Stmt | undefined): boolean => {
    const { type, stmt } = node;
    if (type === 'AssignVarOnceStmt') {
      // It may conflict: a second one might do so at another place.
      const isOnly = assigned === undefined;
      assigned = stmt.target;
      return isOnly && stmt.source.type !== 'local';
    }
    if (type === 'CallStmt' ? !plan.silent.has(stmt.func) : !quiet.has(type)) return false;
    // A loop may end with the constant: that is the same in another order.
    if (type === 'BreakStmt' && stmt.index > depth && before?.type !== 'AssignVarOnceStmt') return false;
    const { reads, writes, mutates } = effectsOf(node);
    if (type === 'ObjectInsertOnceStmt') mayConflict = true;
    const grown = grownBy(node);
    for (const local of reads) if (local !== grown) read.add(local);
    const others = mutates.filter((local) => !isOfRound(local));
    if (type === 'ArrayAppendStmt') for (const local of others) extended.add(local);
    else if (type === 'SetAddStmt' || type === 'ObjectInsertOnceStmt') for (const local of others) added.add(local);
    else if (others.length > 0) return false;
    return writes.every(isOfRound) && blocksOf(node).every((inner) => isFreeBlock(inner, depth + 1));
  };
  const isFreeBlock = ({ stmts }: Block, depth: number): boolean =>
    stmts.every((node, i) => isFree(node, depth, stmts[i - 1]));
  const areFree =
    isOfRound(key) && isOfRound(value) && isFreeBlock(block, 0) && (assigned === undefined || !read.has(assigned));
  return areFree && [...added].every((local) => !read.has(local))
    ? { assigned, extended, added, mayConflict }
    : undefined;
}

/** The collection to which a statement adds an operand that is another local. */
function grownBy({ type, stmt }: Stmt): number | undefined {
  if (type !== 'SetAddStmt' && type !== 'ObjectInsertOnceStmt') return undefined;
  const grown = type === 'SetAddStmt' ? stmt.set : stmt.object;
  const operands = type === 'SetAddStmt' ? [stmt.value] : [stmt.key, stmt.value];
  return operands.some((operand) => isLocalOperand(operand, grown)) ? undefined : grown;
}
