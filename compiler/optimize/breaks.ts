/** Breaks, and their numbers where a block around them is removed. */
import type { Block, Stmt } from '../../ir-schema/index.js';
import { blocksOf } from '../../ir-schema/index.js';
import { withBlocks } from './map-bodies.js';

export function isBreak(node: Stmt | undefined, index: number): boolean {
  return node?.type === 'BreakStmt' && node.stmt.index === index;
}

/** Whether a break in the statements cuts short the block so many blocks outward. */
export function breaksTo(stmts: readonly Stmt[], depth: number): boolean {
  return stmts.some((node) => isBreak(node, depth) || blocksOf(node).some((block) => breaksTo(block.stmts, depth + 1)));
}

/** Statements whose block is removed: breaks beyond it have one block less to cut. */
export function unwrapped(stmts: readonly Stmt[], depth: number): readonly Stmt[] {
  return stmts.map((node) => {
    if (node.type === 'BreakStmt') {
      return node.stmt.index > depth ? { type: 'BreakStmt', stmt: { ...node.stmt, index: node.stmt.index - 1 } } : node;
    }
    const blocks = blocksOf(node);
    return blocks.length === 0
      ? node
      : withBlocks(
          node,
          blocks.map((block) => inner(block, depth + 1)),
        );
  });
}

function inner(block: Block, depth: number): Block {
  const stmts = unwrapped(block.stmts, depth);
  return stmts.every((stmt, i) => stmt === block.stmts[i]) ? block : { stmts };
}
