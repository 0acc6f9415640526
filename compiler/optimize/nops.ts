/** Statements that do nothing. */
import { type Block, blocksOf, type Policy, type Stmt } from '../../ir-schema/index.js';
import { failing, mapBodies, withBlocks } from './map-bodies.js';

/**
 * Removes statements that change nothing and cut nothing short: `Nop`, blocks without statements,
 * and statements that hold only such blocks.
 */
export function removeNops(policy: Policy): Policy {
  return mapBodies(policy, ({ blocks }) => cleanBlocks(blocks));
}

function cleanBlocks(blocks: readonly Block[]): readonly Block[] {
  const copies = blocks.map(cleanBlock);
  return copies.every((copy, i) => copy === blocks[i]) ? blocks : copies;
}

function cleanBlock(block: Block): Block {
  const stmts = block.stmts.flatMap((node) => clean(node) ?? []);
  return stmts.length === block.stmts.length && stmts.every((stmt, i) => stmt === block.stmts[i]) ? block : { stmts };
}

/** The statement in place of another; undefined for none. */
function clean(node: Stmt): Stmt | undefined {
  switch (node.type) {
    case 'NopStmt':
      return undefined;
    case 'BlockStmt': {
      const blocks = cleanBlocks(blocksOf(node)).filter((block) => !isIdle(block));
      return blocks.length === 0 ? undefined : withBlocks(node, blocks);
    }
    case 'NotStmt':
    case 'WithStmt':
    case 'ScanStmt': {
      const [block] = cleanBlocks(blocksOf(node));
      if (block === undefined) return node;
      const isEmpty = block.stmts.length === 0;
      if (node.type === 'NotStmt' && isEmpty) return failing(node);
      if (node.type === 'NotStmt' && isIdle(block)) return undefined;
      return node.type === 'WithStmt' && isEmpty ? undefined : withBlocks(node, [block]);
    }
    default:
      return node;
  }
}

/** Whether a block ends at once, at its end or cut short by itself. */
function isIdle({ stmts }: Block): boolean {
  const [first] = stmts;
  return first === undefined || (first.type === 'BreakStmt' && first.stmt.index === 0);
}
