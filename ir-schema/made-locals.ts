import { mutatedBy } from './effects.js';
import type { Block, Stmt } from './plan.js';
import { blocksOf } from './walk.js';

const makers = ['MakeArrayStmt', 'MakeObjectStmt', 'MakeSetStmt', 'ObjectMergeStmt'] as const;

type Maker = Stmt & { readonly type: (typeof makers)[number] };

function makesCollection(node: Stmt): node is Maker {
  return (makers as readonly Stmt['type'][]).includes(node.type);
}

/**
 * Locals of a body that may hold a collection that the body made, or a part of one that was
 * looked up. Other locals hold values that others see too: input, data, arguments, results of
 * calls. With `scanned`, elements that a scan visits count as looked up.
 */
export function madeLocals(blocks: readonly Block[], { scanned }: { readonly scanned: boolean }): ReadonlySet<number> {
  const made = new Set<number>();
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
      else if (makesCollection(node)) made.add(node.stmt.target);
      for (const inner of blocksOf(node)) visit(inner);
    }
  };
  for (const block of blocks) visit(block);
  const pending = [...made];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const target of flows.get(next) ?? []) {
      if (made.has(target)) continue;
      made.add(target);
      pending.push(target);
    }
  }
  return made;
}

/**
 * The locals that are mutated in place although they cannot hold a value that the body made.
 * Engines refuse a plan that has one, even in statements that never run.
 */
export function mutatedForeignLocals(blocks: readonly Block[]): readonly number[] {
  const mutated = new Set<number>();
  const targets = new Set<number>();
  const visit = (block: Block): void => {
    for (const node of block.stmts) {
      const local = mutatedBy(node);
      if (local !== undefined) mutated.add(local);
      if (makesCollection(node)) targets.add(node.stmt.target);
      for (const inner of blocksOf(node)) visit(inner);
    }
  };
  for (const block of blocks) visit(block);
  if (mutated.isSubsetOf(targets)) return [];
  const made = madeLocals(blocks, { scanned: false });
  return [...mutated].filter((local) => !made.has(local));
}
