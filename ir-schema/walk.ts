import type { Block, Func, Plan, Policy, Stmt } from './plan.js';
import { pointTo } from './plan-error.js';

/** Where a statement stands. */
interface Place {
  readonly owner: { readonly kind: 'plan'; readonly plan: Plan } | { readonly kind: 'func'; readonly func: Func };
  /** How many blocks are around the statement; 1 directly in a plan's or a function's block. */
  readonly depth: number;
  /** JSON pointer to the statement's envelope. */
  pointer(): string;
}

const noBlocks: readonly Block[] = [];

/** The blocks directly inside a statement, in the order in which they run. */
export function blocksOf(stmt: Stmt): readonly Block[] {
  switch (stmt.type) {
    case 'BlockStmt':
      return stmt.stmt.blocks ?? noBlocks;
    case 'NotStmt':
    case 'ScanStmt':
    case 'WithStmt':
      return stmt.stmt.block ? [stmt.stmt.block] : noBlocks;
    default:
      return noBlocks;
  }
}

/** The number of statements in some blocks, inner ones included. */
export function countBlockStatements(blocks: readonly Block[] | null | undefined): number {
  let count = 0;
  for (const { stmts } of blocks ?? noBlocks) {
    count += stmts.length;
    for (const stmt of stmts) count += countBlockStatements(blocksOf(stmt));
  }
  return count;
}

/**
 * Visits each statement of a policy, outer ones before those inside them, plans before functions.
 * @example walk(policy, (stmt) => { if (stmt.type === 'CallStmt') called.add(stmt.stmt.func); });
 */
export function walkStatements(policy: Policy, visit: (stmt: Stmt, place: Place) => void): void {
  for (const [i, plan] of (policy.plans?.plans ?? []).entries()) {
    walkBlocks(plan.blocks ?? [], { kind: 'plan', plan }, () => pointTo('', 'plans', 'plans', i), visit);
  }
  for (const [i, func] of (policy.funcs?.funcs ?? []).entries()) {
    walkBlocks(func.blocks ?? [], { kind: 'func', func }, () => pointTo('', 'funcs', 'funcs', i), visit);
  }
}

/** Visits each statement of some blocks of a plan or a function. */
export function walkBlocks(
  blocks: readonly Block[],
  owner: Place['owner'],
  pointer: () => string,
  visit: (stmt: Stmt, place: Place) => void,
): void {
  for (const [i, block] of blocks.entries())
    walkBlock(block, { owner, depth: 1, pointer: () => pointTo(pointer(), 'blocks', i) }, visit);
}

/** @param at the block's own place; a pointer is made when it is asked for */
function walkBlock(block: Block, at: Place, visit: (stmt: Stmt, place: Place) => void): void {
  for (const [i, stmt] of block.stmts.entries()) {
    const place: Place = { owner: at.owner, depth: at.depth, pointer: () => pointTo(at.pointer(), 'stmts', i) };
    visit(stmt, place);
    for (const [j, inner] of blocksOf(stmt).entries()) {
      const steps = stmt.type === 'BlockStmt' ? ['stmt', 'blocks', j] : ['stmt', 'block'];
      walkBlock(
        inner,
        { owner: at.owner, depth: at.depth + 1, pointer: () => pointTo(place.pointer(), ...steps) },
        visit,
      );
    }
  }
}
