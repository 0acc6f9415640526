/**
 * Loops whose rounds may run in any order: all they do is look for an element that suffices. A set
 * is then walked without sorting its members.
 */
import { effectsOf } from '../../../ir-schema/effects.js';
import { exposedReads, type LocalUses } from '../../../ir-schema/local-uses.js';
import type { Block, Stmt } from '../../../ir-schema/plan.js';
import { blocksOf } from '../../../ir-schema/walk.js';
import type { SilentCalls } from '../calls/silent-calls.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

/** Statements that change their own locals alone, and those of inner blocks that do. */
const quiet: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['ArrayAppendStmt', 'AssignIntStmt', 'AssignVarStmt', 'BlockStmt', 'BreakStmt', 'DotStmt', 'EqualStmt'] as const),
  ...(['IsArrayStmt', 'IsDefinedStmt', 'IsObjectStmt', 'IsSetStmt', 'IsUndefinedStmt', 'LenStmt', 'MakeArrayStmt'] as const),
  ...(['MakeNullStmt', 'MakeNumberIntStmt', 'MakeNumberRefStmt', 'MakeObjectStmt', 'MakeSetStmt', 'NopStmt'] as const),
  ...(['NotEqualStmt', 'NotStmt', 'ObjectInsertStmt', 'ResetLocalStmt', 'ScanStmt', 'SetAddStmt'] as const),
]);

/**
 * Whether rounds change nothing but their own locals, and one other that gets one constant. Errors
 * of built-ins in them may be others in another order, where these are looked for.
 */
export function isAnyOrder(scan: Scan, uses: LocalUses, silent: SilentCalls): boolean {
  const { key, value, block } = scan.stmt;
  if (block === null || key === value) return false;
  const start = uses.positions.get(scan)!;
  const end = uses.blockEnds.get(block)!;
  const exposed = exposedReads(block);
  const isOfRound = (local: number): boolean => {
    const { firstRead, lastRead, firstWrite, lastWrite } = uses.of(local);
    const isInside = Math.min(firstRead, firstWrite) >= start && Math.max(lastRead, lastWrite) < end;
    return isInside && !uses.shared.has(local) && (local === key || local === value || !exposed.has(local));
  };
  let given: number | undefined;
  const read = new Set<number>();
  const isFree = (node: Stmt): boolean => {
    if (node.type === 'AssignVarOnceStmt') {
      // It may conflict: a second one might do so at another place.
      const isOnly = given === undefined;
      given = node.stmt.target;
      return isOnly && node.stmt.source.type !== 'local';
    }
    if (node.type === 'CallStmt' ? !silent.has(node.stmt.func) : !quiet.has(node.type)) return false;
    const { reads, writes, mutates } = effectsOf(node);
    for (const local of reads) read.add(local);
    return writes.every(isOfRound) && mutates.every(isOfRound) && blocksOf(node).every(isFreeBlock);
  };
  const isFreeBlock = ({ stmts }: Block): boolean => stmts.every(isFree);
  return isOfRound(key) && isOfRound(value) && isFreeBlock(block) && (given === undefined || !read.has(given));
}
