import type { Block } from './plan.js';
import { blocksOf } from './walk.js';

/**
 * Locals that may hold something that the function made itself, or looked up in what it made. All else (input, data, arguments, what calls answer) is
 * shared with others. With `scanned`, elements that a loop comes by count as looked up.
 */
export function madeLocals(blocks: readonly Block[], { scanned }: { readonly scanned: boolean }): ReadonlySet<number> {
  const own = new Set<number>();
  const flows = new Map<number, number[]>();
  const flow = (source: number, target: number): void => {
    const targets = flows.get(source);
    if (targets === undefined) flows.set(source, [target]);
    else targets.push(target);
  };
  const visit = (block: Block): void => {
    for (const node of block.stmts) {
      const { type, stmt } = node;
      if (type === 'DotStmt' || type === 'AssignVarStmt' || type === 'AssignVarOnceStmt') {
        if (stmt.source.type === 'local') flow(stmt.source.value, stmt.target);
      } else if (type === 'ScanStmt' && scanned) flow(stmt.source, stmt.value);
      else if (type === 'MakeArrayStmt' || type === 'MakeObjectStmt' || type === 'MakeSetStmt' || type === 'ObjectMergeStmt')
        own.add(stmt.target);
      for (const inner of blocksOf(node)) visit(inner);
    }
  };
  for (const block of blocks) visit(block);
  const pending = [...own];
  while (pending.length > 0) {
    for (const target of flows.get(pending.pop()!) ?? []) {
      if (own.has(target)) continue;
      own.add(target);
      pending.push(target);
    }
  }
  return own;
}
