/** Unreachable code, and blocks that are not needed. */
import { alwaysGoesOn, type Block, blocksOf, type Policy, type Stmt } from '../../ir-schema/index.js';
import { failing, mapBodies, withBlocks } from './map-bodies.js';

interface Simplified<T> {
  readonly value: T;
  readonly ways: Ways;
}

/**
 * Removes statements after one that never goes on, and blocks after such a block. Replaces blocks
 * by their statements where nothing cuts them short, or where being cut short and ending lead to
 * the same place. Breaks are renumbered.
 */
export function simplifyBlocks(policy: Policy): Policy {
  return mapBodies(policy, ({ blocks }) => simplifySequence(blocks).value);
}

/** Blocks that run one after the other, as far as they are reached. Each may be cut short. */
function simplifySequence(blocks: readonly Block[]): Simplified<readonly Block[]> & { readonly each: readonly Ways[] } {
  const value: Block[] = [];
  const each: Ways[] = [];
  const cuts = new Set<number>();
  let ends = true;
  for (const block of blocks) {
    const simplified = simplifyBlock(block, true);
    value.push(simplified.value);
    each.push(simplified.ways);
    for (const cut of simplified.ways.cuts) if (cut > 0) cuts.add(cut - 1);
    ends = simplified.ways.ends || simplified.ways.cuts.has(0);
    if (!ends) break;
  }
  const same = value.length === blocks.length && value.every((block, i) => block === blocks[i]);
  return { value: same ? blocks : value, each, ways: { ends, cuts } };
}

/** @param same whether the end of the block and its being cut short lead to the same place */
function simplifyBlock(block: Block, same: boolean): Simplified<Block> {
  const stmts: Stmt[] = [];
  const cuts = new Set<number>();
  let ends = true;
  /** Whether a statement other than a break may cut the block short. */
  let fails = false;
  const take = (nodes: readonly Stmt[], ways: Ways): void => {
    for (const node of nodes) stmts.push(node);
    if (ways.cuts.has(0) && !(nodes.length === 1 && isBreak(nodes[0], 0))) fails = true;
    for (const cut of ways.cuts) cuts.add(cut);
    ends = ways.ends;
  };
  block.stmts.every((node, i) => {
    simplify(node, same && i === block.stmts.length - 1, take);
    return ends;
  });
  const last = stmts.at(-1);
  if (same && last?.type === 'BreakStmt' && last.stmt.index === 0) {
    stmts.pop();
    ends = true;
    if (!fails) cuts.delete(0);
  }
  const unchanged = stmts.length === block.stmts.length && stmts.every((stmt, i) => stmt === block.stmts[i]);
  return { value: unchanged ? block : { stmts }, ways: { ends, cuts } };
}

/** @param last whether the statement's end and its being cut short lead to the same place */
function simplify(node: Stmt, last: boolean, take: (nodes: readonly Stmt[], ways: Ways) => void): void {
  switch (node.type) {
    case 'BlockStmt':
      return simplifyBlockStmt(node, last, take);
    case 'NotStmt': {
      const { value, ways } = simplifyBlock(blocksOf(node)[0] ?? { stmts: [] }, false);
      // Nothing cuts it short, so it ends or leaves for good.
      if (!ways.cuts.has(0)) {
        const outward = shifted(ways);
        take(unwrapped(value.stmts, 0), outward);
        if (ways.ends) take([failing(node)], { ends: false, cuts: itself });
        return;
      }
      const cuts = new Set(shifted(ways).cuts);
      if (ways.ends) cuts.add(0);
      return take([node.stmt.block === null ? node : withBlocks(node, [value])], { ends: true, cuts });
    }
    case 'WithStmt': {
      const { value, ways } = simplifyBlock(blocksOf(node)[0] ?? { stmts: [] }, false);
      const cuts = new Set(shifted(ways).cuts);
      if (ways.cuts.has(0)) cuts.add(0);
      return take([node.stmt.block === null ? node : withBlocks(node, [value])], { ends: ways.ends, cuts });
    }
    case 'ScanStmt': {
      const { value, ways } = simplifyBlock(blocksOf(node)[0] ?? { stmts: [] }, true);
      const cuts = new Set(shifted(ways).cuts).add(0);
      return take([node.stmt.block === null ? node : withBlocks(node, [value])], { ends: true, cuts });
    }
    default:
      return take([node], waysOf(node));
  }
}

function simplifyBlockStmt(
  node: Stmt & { type: 'BlockStmt' },
  last: boolean,
  take: (nodes: readonly Stmt[], ways: Ways) => void,
): void {
  const only = onlyAlternative(node);
  if (only !== undefined) {
    let reached = true;
    only.forEach((stmt, i) => {
      if (!reached) return;
      simplify(stmt, last && i === only.length - 1, (nodes, ways) => {
        reached = ways.ends;
        take(nodes, ways);
      });
    });
    if (only.length === 0) take([], { ends: true, cuts: noCuts });
    return;
  }
  const { value, each, ways } = simplifySequence(blocksOf(node));
  const waiting: { readonly block: Block; readonly own: Ways }[] = [];
  const hold = (): void => {
    if (waiting.length === 0) return;
    const cuts = new Set(waiting.flatMap(({ own }) => [...shifted(own).cuts]));
    const blocks = waiting.splice(0).map(({ block }) => block);
    take([withBlocks(node, blocks)], { ends: true, cuts });
  };
  value.forEach((block, i) => {
    // Each block has its ways.
    const own = each[i]!;
    if (!own.cuts.has(0)) {
      hold();
      take(unwrapped(block.stmts, 0), shifted(own));
    } else if (last && i === value.length - 1) {
      hold();
      take(unwrapped(block.stmts, 0), { ends: own.ends, cuts: new Set([0, ...shifted(own).cuts]) });
    } else waiting.push({ block, own });
  });
  hold();
  if (value.length === 0) take([], ways);
}

/**
 * Compilers write alternatives as blocks that leave the enclosing block at their end, with a
 * break after them for when none does. A single alternative is the same as its statements: these
 * fail where the whole fails.
 */
function onlyAlternative(node: Stmt & { type: 'BlockStmt' }): readonly Stmt[] | undefined {
  const [outer, ...others] = blocksOf(node);
  const [choice, fails, ...more] = outer?.stmts ?? [];
  if (choice?.type !== 'BlockStmt' || others.length + more.length > 0 || !isBreak(fails, 1)) return undefined;
  const [alternative, ...further] = blocksOf(choice);
  if (alternative === undefined || further.length > 0 || !isBreak(alternative.stmts.at(-1), 1)) return undefined;
  const stmts = alternative.stmts.slice(0, -1);
  // Two blocks less, and no statement inside breaks to the outer of them only.
  return breaksTo(stmts, 1) ? undefined : unwrapped(unwrapped(stmts, 1), 0);
}

function isBreak(node: Stmt | undefined, index: number): boolean {
  return node?.type === 'BreakStmt' && node.stmt.index === index;
}

/** Whether a break in the statements cuts short the block `depth` blocks outward. */
function breaksTo(stmts: readonly Stmt[], depth: number): boolean {
  return stmts.some((node) => isBreak(node, depth) || blocksOf(node).some((block) => breaksTo(block.stmts, depth + 1)));
}

/** Statements whose block is removed: breaks beyond it have one block less to cut. */
function unwrapped(stmts: readonly Stmt[], depth: number): readonly Stmt[] {
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

/** How a statement or a block may end. */
interface Ways {
  /** It may run to its end. */
  readonly ends: boolean;
  /**
   * How many blocks outward it may cut short: 0 is the block of a statement, or the block itself.
   */
  readonly cuts: ReadonlySet<number>;
}

const noCuts: ReadonlySet<number> = new Set();
const itself: ReadonlySet<number> = new Set([0]);

/** The ends of a block for the block around its statement, without its own being cut short. */
function shifted({ ends, cuts }: Ways): Ways {
  if (cuts.size === 0) return { ends, cuts: noCuts };
  return { ends, cuts: new Set([...cuts].filter((cut) => cut > 0).map((cut) => cut - 1)) };
}

/** The ends of a statement without blocks. */
function waysOf({ type, stmt }: Stmt): Ways {
  switch (type) {
    case 'BreakStmt':
      return { ends: false, cuts: new Set([stmt.index]) };
    case 'ReturnLocalStmt':
      return { ends: false, cuts: noCuts };
    default:
      return { ends: true, cuts: alwaysGoesOn.has(type) ? noCuts : itself };
  }
}
