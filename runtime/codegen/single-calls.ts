/** Rules that an evaluation calls at most once: their results need not be remembered. */
import { type Index, innerBlocks, type LoweredBlock, type LoweredFunction } from '../lowering/lowered.js';

/** The functions that plans alone call, each plan at one place outside of loops. */
export function singleCalls(functions: readonly LoweredFunction[]): ReadonlySet<Index> {
  const single = new Set<Index>();
  const others = new Set<Index>();
  for (const { kind, body } of functions) {
    const here = new Set<Index>();
    const visit = (block: LoweredBlock, mayRepeat: boolean): boolean => {
      for (const stmt of block) {
        if (stmt.kind === 'callDynamic') return false;
        if (stmt.kind === 'call') (mayRepeat || here.has(stmt.func) ? others : here).add(stmt.func);
        for (const inner of innerBlocks(stmt)) if (!visit(inner, mayRepeat || stmt.kind === 'scan')) return false;
      }
      return true;
    };
    for (const part of body) {
      const blocks = part.kind === 'block' ? [part.block] : part.rules.flatMap((rule) => rule.blocks);
      for (const block of blocks) if (!visit(block, kind !== 'plan')) return new Set();
    }
    for (const func of here) single.add(func);
  }
  for (const func of others) single.delete(func);
  return single;
}
