/**
 * Tests in a loop that have the same outcome in each of its rounds are made once, before the loop:
 * policies often name all variables first, and their conditions below.
 */
import type { Block, Stmt } from '../../../ir-schema/index.js';
import { effectsOf, type LocalUses, madeLocals } from '../../../ir-schema/index.js';
import { relations } from '../../operations/operators.js';
import type { PlanFacts } from '../facts/plan-facts.js';
import { membership } from '../facts/round-statements.js';

type Scan = Stmt & { readonly type: 'ScanStmt' };

/** Statements that test a value, and end the round or not. */
const tests: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['EqualStmt', 'NotEqualStmt', 'IsArrayStmt', 'IsDefinedStmt', 'IsObjectStmt', 'IsSetStmt'] as const),
  ...(['IsUndefinedStmt', 'NotStmt'] as const),
]);

/** Statements that give a local a value for a test, or end the round. */
const providers: ReadonlySet<Stmt['type']> = new Set<Stmt['type']>([
  ...(['DotStmt', 'LenStmt', 'MakeNullStmt', 'MakeNumberIntStmt', 'MakeNumberRefStmt'] as const),
]);

/** Whether a function has a loop. */
export function hasLoop(blocks: readonly Block[]): boolean {
  return blocks.some(({ stmts }) => stmts.some((node) => node.type === 'ScanStmt' || hasLoop(effectsOf(node).blocks)));
}

/**
 * The blocks of a function with such tests before their loops; the same blocks where there are
 * none. A test moves only over statements that nobody notices, out of a loop at the end of a block
 * that a failing test ends as the end of the loop does.
 */
export function hoistTests(blocks: readonly Block[], uses: LocalUses, plan: PlanFacts): readonly Block[] {
  const made = madeLocals(blocks, { scanned: true });
  let hasMoved = false;
  const rewritten = blocks.map((block, i) => {
    uses.enter(i);
    return rewrite(block, true);
  });
  return hasMoved ? rewritten : blocks;

  /** @param isPlain whether a test may stand before a loop at the end of the block */
  function rewrite(block: Block, isPlain: boolean): Block {
    let stmts: readonly Stmt[] = block.stmts;
    for (const [i, node] of block.stmts.entries()) {
      const inner = rewriteInner(node);
      if (inner !== node) stmts = stmts.with(i, inner);
    }
    const last = block.stmts.at(-1);
    if (isPlain && last?.type === 'ScanStmt') {
      const [moved, scan] = split(last, stmts.at(-1) as Scan);
      if (moved.length > 0) {
        hasMoved = true;
        stmts = [...stmts.slice(0, -1), ...moved, scan];
      }
    }
    return stmts === block.stmts ? block : { ...block, stmts };
  }

  function rewriteInner(node: Stmt): Stmt {
    switch (node.type) {
      case 'ScanStmt':
      case 'NotStmt':
      case 'WithStmt': {
        const { block } = node.stmt;
        const inner = block === null ? block : rewrite(block, node.type === 'ScanStmt');
        return inner === block ? node : ({ ...node, stmt: { ...node.stmt, block: inner } } as Stmt);
      }
      case 'BlockStmt': {
        const { blocks: given } = node.stmt;
        const inner = given?.map((block) => rewrite(block, true));
        return inner === undefined || inner.every((block, i) => block === given![i])
          ? node
          : { ...node, stmt: { ...node.stmt, blocks: inner } };
      }
      default:
        return node;
    }
  }

  /**
   * The tests of a loop to make before it, with what they read, and the loop without them.
   * @param original has the positions of its statements
   */
  function split(original: Scan, scan: Scan): readonly [readonly Stmt[], Scan] {
    const { block } = scan.stmt;
    const span = original.stmt.block;
    if (block === null || span === null) return [[], scan];
    const known = new Map<number, Stmt>();
    const moved = new Set<Stmt>();
    const isSame = (local: number): boolean =>
      !made.has(local) && (known.has(local) || uses.keeps(local, original, span));
    const move = (node: Stmt): void => {
      if (moved.has(node)) return;
      for (const local of readsOf(node)) if (known.has(local)) move(known.get(local)!);
      moved.add(node);
    };
    for (const node of block.stmts) {
      if (!isUnnoticed(node)) break;
      const writes = writesOf(node);
      const isOwn = (local: number): boolean => {
        const { firstRead, lastRead } = uses.of(local);
        return (
          uses.isAssignedOnce(local) && firstRead > uses.positions.get(node)! && lastRead < uses.blockEnds.get(span)!
        );
      };
      if (!writes.every(isOwn) || !readsOf(node).every((local) => writes.includes(local) || isSame(local))) continue;
      if (tests.has(node.type)) move(node);
      else for (const local of writes) known.set(local, node);
    }
    if (moved.size === 0) return [[], scan];
    const rest = { ...block, stmts: block.stmts.filter((node) => !moved.has(node)) };
    return [block.stmts.filter((node) => moved.has(node)), { ...scan, stmt: { ...scan.stmt, block: rest } }];
  }

  /** Whether a statement does nothing but to give locals values, and to end the round or not. */
  function isUnnoticed(node: Stmt): boolean {
    if (node.type === 'NotStmt') return node.stmt.block?.stmts.every(isUnnoticed) ?? true;
    if (node.type !== 'CallStmt') return tests.has(node.type) || providers.has(node.type);
    const { func } = node.stmt;
    return !plan.functions.has(func) && (relations.has(func) || func === membership);
  }
}

function readsOf(node: Stmt): readonly number[] {
  const { reads, blocks } = effectsOf(node);
  return blocks.length === 0 ? reads : [...reads, ...blocks.flatMap(({ stmts }) => stmts.flatMap(readsOf))];
}

function writesOf(node: Stmt): readonly number[] {
  const { writes, blocks } = effectsOf(node);
  return blocks.length === 0 ? writes : [...writes, ...blocks.flatMap(({ stmts }) => stmts.flatMap(writesOf))];
}
