/**
 * Loops whose rounds may run in any order: all they do is look for an element that suffices. A set
 * is then walked without sorting its members.
 */
import { effectsOf } from '../../../ir-schema/effects.js';
import { exposedReads, type LocalUses } from '../../../ir-schema/local-uses.js';
import type { Stmt } from '../../../ir-schema/plan.js';
import type { SilentCalls } from '../calls/silent-calls.js';
import { inRounds } from '../sets/free-rounds.js';
import { eachStatement } from '../sets/uses.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

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
  let isFree = isOfRound(key) && isOfRound(value);
  let given: number | undefined;
  const read = new Set<number>();
  eachStatement([block], (node) => {
    if (!isFree) return;
    if (node.type === 'AssignVarOnceStmt') {
      // It may conflict: a second one might do so at another place.
      isFree = node.stmt.source.type !== 'local' && given === undefined;
      given = node.stmt.target;
      return;
    }
    const { reads, writes, mutates } = effectsOf(node);
    isFree =
      (inRounds.has(node.type) || node.type === 'ScanStmt' || (node.type === 'CallStmt' && silent.of(node.stmt.func) !== undefined)) &&
      writes.every(isOfRound) &&
      mutates.every(isOfRound);
    for (const local of reads) read.add(local);
  });
  return isFree && (given === undefined || !read.has(given));
}
