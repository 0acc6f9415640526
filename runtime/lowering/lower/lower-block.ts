/** Blocks, and statements that have blocks. */

import { type Block, constantsOf, mutatedBy, ownConflictAt, type Stmt } from '../../../ir-schema/index.js';
import { escapes } from '../facts/escapes.js';
import type { Index, LoweredBlock, Register } from '../lowered.js';
import { literalMembers } from '../passes/literal-members.js';
import { lowerTest } from './lower-call.js';
import type { LowerContext } from './lower-context.js';
import { lowerLeaf } from './lower-leaf.js';
import { lowerScan } from './lower-scan.js';

type Of<T extends Stmt['type']> = Stmt & { readonly type: T };

/**
 * A block's look-ups are known to its later statements, and those inside them, only.
 * @param withs how many `with` are open around it
 * @param exits whether the outermost block may end behind it, see `endsWithConstant`
 */
export function lowerBlock(block: Block | null, withs: number, exits: boolean, context: LowerContext): LoweredBlock {
  if (block === null) return [];
  const before = context.lookups.mark();
  const outer = context.open(withs);
  lowerStatements(block, exits, context);
  const lowered = context.close(outer);
  context.lookups.forget(before);
  return lowered;
}

function lowerStatements(block: Block, exits: boolean, context: LowerContext): void {
  const done = takeConstants(block, context);
  const literals = literalMembers(block, context.facts);
  const { stmts } = block;
  for (let i = 0; i < stmts.length; i++) {
    const node = stmts[i]!;
    if (done?.has(node)) continue;
    if (literals?.makers.has(node)) {
      checkDefined(node, context);
      continue;
    }
    const text = ownConflictAt(block, i);
    if (text !== undefined) {
      context.push({
        kind: 'raise',
        origin: context.tables.place(node),
        text: context.tables.constant(context.string(text)),
      });
      continue;
    }
    if (context.tracker !== undefined) checkEscapes(node, context.tracker, context);
    if (node.type === 'CallStmt' && lowerTest(node, stmts[i + 1], literals?.values.get(node), context)) i++;
    else lowerStatement(node, block, exits && i === stmts.length - 1, context);
    const { loopEnd } = context;
    if (loopEnd?.node === node)
      context.push({ kind: 'endLoop', origin: context.tables.place(node), index: loopEnd.depth });
  }
}

/** In place of a statement that puts a value into a collection. */
function checkDefined(node: Stmt, context: LowerContext): void {
  if (node.type !== 'SetAddStmt' && node.type !== 'ArrayAppendStmt') return;
  const value = context.operand(node.stmt.value);
  if (value >= 0) context.push({ kind: 'isDefined', origin: context.tables.place(node), source: value });
}

/** The constants that the block builds. A value that is mutated in place must not be a constant. */
function takeConstants(
  block: Block,
  { facts, tables, constants, string }: LowerContext,
): ReadonlySet<Stmt> | undefined {
  if (facts.mutations !== 'unaliased') return undefined;
  const { values, done } = constantsOf(block, facts.uses, string);
  for (const [local, value] of values) constants.set(local, tables.constantOperand(value));
  return done;
}

/**
 * Before a statement: copies the collection that it mutates if that has escaped, and records the
 * values that escape by the statement.
 */
function checkEscapes(node: Stmt, tracker: Register, context: LowerContext): void {
  const { anyKeys, roots } = context.facts;
  const origin = context.tables.place(node);
  const mutated = mutatedBy(node);
  if (mutated !== undefined) {
    context.push({
      kind: 'copyIfEscaped',
      origin,
      tracker,
      changed: context.register(mutated),
      anyKeys: anyKeys.has(mutated),
    });
  }
  for (const local of escapes(node)) {
    if (!roots.has(local)) context.push({ kind: 'escape', origin, tracker, value: context.register(local) });
  }
}

function lowerStatement(node: Stmt, block: Block, exits: boolean, context: LowerContext): void {
  if (node.type === 'NopStmt') return;
  const origin = context.tables.place(node);
  const withs = context.withs();
  const { type, stmt } = node;
  switch (type) {
    case 'ReturnLocalStmt':
      return lowerReturn(stmt.source, origin, withs, context);
    case 'BreakStmt':
      return context.push({ kind: 'break', origin, index: stmt.index, withs: withs - context.withs(stmt.index) });
    case 'BlockStmt': {
      const blocks = stmt.blocks ?? [];
      const lowered = blocks.map((inner, i) => lowerBlock(inner, withs, exits && i === blocks.length - 1, context));
      return context.push({ kind: 'blocks', origin, blocks: lowered });
    }
    case 'NotStmt':
      return context.push({ kind: 'not', origin, block: lowerBlock(stmt.block, withs, false, context) });
    case 'WithStmt':
      return lowerWith(node, origin, withs, context);
    case 'ScanStmt':
      return context.push(lowerScan(node, origin, context, () => lowerBlock(stmt.block, withs, exits, context)));
    default:
      return lowerLeaf(node, origin, block, exits, context);
  }
}

function lowerReturn(local: number, origin: Index, withs: number, context: LowerContext): void {
  if (withs === 0) return context.push({ kind: 'return', origin, source: context.register(local), withs });
  // The local may be one that a `with` restores.
  const source = context.registers.temporaries(1);
  context.push({ kind: 'move', origin, target: source, source: context.register(local) });
  context.push({ kind: 'return', origin, source, withs });
}

function lowerWith({ stmt }: Of<'WithStmt'>, origin: Index, withs: number, context: LowerContext): void {
  const { tables } = context;
  const register = context.register(stmt.local);
  const path = tables.path((stmt.path ?? []).map(context.string));
  const value = context.operand(stmt.value);
  context.push({
    kind: 'with',
    origin,
    register,
    path,
    value,
    block: lowerBlock(stmt.block, withs + 1, false, context),
  });
}
