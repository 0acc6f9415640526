import { effectsOf } from '../../ir-schema/effects.js';
import type { Block } from '../../ir-schema/plan.js';

/** The locals of a body that may hold something that the body made itself, or something looked up or come by in that. */
export function ownLocals(blocks: readonly Block[]): ReadonlySet<number> {
  const own = new Set<number>();
  const flows = new Map<number, number[]>();
  const visit = (block: Block): void => {
    for (const node of block.stmts) {
      const { type, stmt } = node;
      if (type === 'MakeArrayStmt' || type === 'MakeObjectStmt' || type === 'MakeSetStmt' || type === 'ObjectMergeStmt') {
        own.add(stmt.target);
      } else if (type === 'DotStmt' || type === 'AssignVarStmt' || type === 'AssignVarOnceStmt') {
        if (stmt.source.type === 'local') link(flows, stmt.source.value, stmt.target);
      } else if (type === 'ScanStmt') link(flows, stmt.source, stmt.value);
      for (const inner of effectsOf(node).blocks) visit(inner);
    }
  };
  for (const block of blocks) visit(block);
  const waiting = [...own];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const target of flows.get(next) ?? []) {
      if (own.has(target)) continue;
      own.add(target);
      waiting.push(target);
    }
  }
  return own;
}

function link(flows: Map<number, number[]>, from: number, to: number): void {
  const targets = flows.get(from);
  if (targets === undefined) flows.set(from, [to]);
  else targets.push(to);
}

/**
 * Whether everything that a body changes in place may still be its own. Engines refuse a plan where they see that it is not, even in statements that
 * never run: leaving out a statement that makes something can take their reason to believe it.
 */
export function changesOnlyItsOwn(blocks: readonly Block[]): boolean {
  const changed = new Set<number>();
  const visit = (block: Block): void => {
    for (const node of block.stmts) {
      const { mutates, blocks: inner } = effectsOf(node);
      for (const local of mutates) changed.add(local);
      for (const one of inner) visit(one);
    }
  };
  for (const block of blocks) visit(block);
  if (changed.size === 0) return true;
  const own = ownLocals(blocks);
  for (const local of changed) if (!own.has(local)) return false;
  return true;
}
