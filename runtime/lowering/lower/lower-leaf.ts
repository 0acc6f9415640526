/** Statements without blocks. */
import type { Block, Operand as PlanOperand, Stmt } from '../../../ir-schema/index.js';
import { numberFromText, type Value } from '../../../values/index.js';
import type { Index } from '../lowered.js';
import { loweredEquality } from './equality.js';
import { lowerCall } from './lower-call.js';
import type { LowerContext } from './lower-context.js';
import { lowerAssignVar, lowerDot } from './lower-lookup.js';

/** @param exits whether the outermost block may end after the statement if it assigns a constant */
export function lowerLeaf(node: Stmt, origin: Index, block: Block, exits: boolean, context: LowerContext): void {
  const { anyKeys, uses } = context.facts;
  const { type, stmt } = node;
  switch (type) {
    case 'MakeNullStmt':
      return assign(stmt.target, null, origin, context);
    case 'MakeNumberIntStmt':
    case 'AssignIntStmt':
      return assign(stmt.target, stmt.value, origin, context);
    case 'MakeNumberRefStmt':
      return assign(stmt.target, numberFromText(context.string(stmt.index)), origin, context);
    case 'MakeArrayStmt':
      context.push({ kind: 'makeArray', origin, target: context.register(stmt.target) });
      return track(stmt.target, origin, context);
    case 'MakeObjectStmt':
      context.push({
        kind: 'makeObject',
        origin,
        target: context.register(stmt.target),
        anyKeys: anyKeys.has(stmt.target),
      });
      return track(stmt.target, origin, context);
    case 'MakeSetStmt':
      context.push({ kind: 'makeSet', origin, target: context.register(stmt.target) });
      return track(stmt.target, origin, context);
    case 'ResetLocalStmt':
      if (uses.isRead(stmt.target)) context.push({ kind: 'reset', origin, target: context.register(stmt.target) });
      return;
    case 'AssignVarStmt':
      return lowerAssignVar(node, origin, block, context);
    case 'AssignVarOnceStmt': {
      const target = context.register(stmt.target);
      const source = context.operand(stmt.source);
      return context.push({ kind: 'moveOnce', origin, target, source, exits: exits && stmt.source.type !== 'local' });
    }
    case 'ArrayAppendStmt': {
      keepOrder(node, stmt.array, [stmt.value], origin, context);
      const array = context.register(stmt.array);
      return context.push({ kind: 'arrayAppend', origin, array, value: context.operand(stmt.value) });
    }
    case 'SetAddStmt': {
      keepOrder(node, stmt.set, [stmt.value], origin, context);
      const set = context.register(stmt.set);
      return context.push({ kind: 'setAdd', origin, set, value: context.operand(stmt.value) });
    }
    case 'ObjectInsertStmt':
    case 'ObjectInsertOnceStmt': {
      keepOrder(node, stmt.object, [stmt.key, stmt.value], origin, context);
      const object = context.register(stmt.object);
      const key = context.operand(stmt.key);
      const value = context.operand(stmt.value);
      return context.push({ kind: 'objectInsert', origin, object, key, value, once: type === 'ObjectInsertOnceStmt' });
    }
    case 'ObjectMergeStmt': {
      const target = context.register(stmt.target);
      context.push({ kind: 'objectMerge', origin, target, a: context.register(stmt.a), b: context.register(stmt.b) });
      return track(stmt.target, origin, context);
    }
    case 'DotStmt':
      return lowerDot(node, origin, context);
    case 'EqualStmt':
      return lowerEquality(['equal', 'equalConst'], stmt.a, stmt.b, origin, context);
    case 'NotEqualStmt':
      return lowerEquality(['notEqual', 'notEqualConst'], stmt.a, stmt.b, origin, context);
    case 'IsArrayStmt':
      return context.push({ kind: 'isArray', origin, source: context.operand(stmt.source) });
    case 'IsObjectStmt':
      return context.push({ kind: 'isObject', origin, source: context.operand(stmt.source) });
    case 'IsSetStmt':
      return context.push({ kind: 'isSet', origin, source: context.operand(stmt.source) });
    case 'IsDefinedStmt':
      return context.push({ kind: 'isDefined', origin, source: context.register(stmt.source) });
    case 'IsUndefinedStmt':
      return context.push({ kind: 'isUndefined', origin, source: context.register(stmt.source) });
    case 'LenStmt':
      return context.push({
        kind: 'len',
        origin,
        target: context.register(stmt.target),
        source: context.operand(stmt.source),
      });
    case 'ResultSetAddStmt':
      return context.push({ kind: 'resultAdd', origin, value: context.register(stmt.value) });
    case 'CallStmt':
      return lowerCall(node, origin, context);
    case 'CallDynamicStmt': {
      const path = (stmt.path ?? []).map((operand) => context.operand(operand));
      const args = (stmt.args ?? []).map((local) => context.register(local));
      return context.push({ kind: 'callDynamic', origin, result: context.register(stmt.result), path, args });
    }
  }
}

/**
 * Before a round of a loop adds operands. Where the first one is an element of the loop, no other
 * round adds one that is equal.
 */
function keepOrder(
  { type }: Stmt,
  local: number,
  added: readonly PlanOperand[],
  origin: Index,
  context: LowerContext,
): void {
  const loop = context.freeLoops.get(local);
  if (loop === undefined || loop.test === 'any') return;
  const isArray = type === 'ArrayAppendStmt';
  const operands = added.map((operand) => context.operand(operand));
  if (!isArray && loop.inner === 0 && loop.elements.includes(operands[0]!)) return;
  const parts = { kind: 'inOrder' as const, origin, free: loop.register };
  const array = isArray ? context.register(local) : undefined;
  // The value of an entry replaces an earlier one.
  for (const [i, value] of operands.entries())
    context.push({ ...parts, value, unless: i === 0 ? loop.test : 'scalar', array });
}

function assign(target: number, value: Value, origin: Index, context: LowerContext): void {
  context.push({
    kind: 'move',
    origin,
    target: context.register(target),
    source: context.tables.constantOperand(value),
  });
}

/** Behind a statement that made a value. */
function track(local: number, origin: Index, context: LowerContext): void {
  const { facts, tracker } = context;
  if (tracker === undefined) return;
  context.push({ kind: 'track', origin, tracker, made: context.register(local), anyKeys: facts.anyKeys.has(local) });
}

function lowerEquality(
  kinds: Parameters<typeof loweredEquality>[0],
  a: PlanOperand,
  b: PlanOperand,
  origin: Index,
  context: LowerContext,
): void {
  context.push(loweredEquality(kinds, context.operand(a), context.operand(b), origin, context.tables));
}
