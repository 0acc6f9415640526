/** Calls: functions, built-ins, and the comparisons and sums that need no call. */
import type { Operand as PlanOperand, Stmt } from '../../../ir-schema/index.js';
import { operators, relations } from '../../operations/operators.js';
import { membership } from '../facts/round-statements.js';
import type { Index, LoweredBlock, LoweredOperand, LoweredStmt, Register } from '../lowered.js';
import { constantMembers } from '../passes/literal-members.js';
import { loweredEquality } from './equality.js';
import type { LowerContext } from './lower-context.js';
import type { Tables } from './tables.js';

type Call = Stmt & { readonly type: 'CallStmt' };

/** The built-ins whose rows are `isPlaced`. */
const placed: ReadonlySet<string> = new Set(['internal.print', 'parse_config_file', 'parse_combined_config_files']);

export function lowerCall(call: Call, origin: Index, context: LowerContext): void {
  const { func: name, args: planArgs, result: target } = call.stmt;
  const { facts, tables } = context;
  const constant = context.constantResult(name);
  if (constant !== undefined) {
    if (facts.mutations === 'unaliased' && facts.uses.isAssignedOnce(target)) context.constants.set(target, constant);
    else context.push({ kind: 'move', origin, target: context.register(target), source: constant });
    return;
  }
  const args = (planArgs ?? []).map((operand) => context.operand(operand));
  const place = placed.has(name) && !tables.functions.has(name) ? tables.placeText(call) : undefined;
  if (place !== undefined) args.push(tables.constantOperand(place));
  context.push(callStatement(name, context.register(target), args, origin, tables));
}

/** A call of a function or built-in that is not known to return a constant. */
export function callStatement(
  name: string,
  result: Register,
  args: readonly LoweredOperand[],
  origin: Index,
  tables: Tables,
): LoweredStmt {
  const func = tables.functions.get(name);
  if (func !== undefined) return { kind: 'call', origin, func, result, args };
  const relation = relations.get(name);
  // A comparison and an arithmetic operator have two operands: the plan was verified.
  const [a, b] = args;
  if (relation !== undefined) return { kind: 'compare', origin, result, relation, a: a!, b: b! };
  const builtin = tables.builtin(name);
  const operator = operators.get(name);
  if (operator !== undefined) return { kind: 'arithmetic', origin, builtin, result, operator, a: a!, b: b! };
  return { kind: 'builtin', origin, builtin, result, args };
}

/**
 * A comparison whose result is only tested by the next statement; false for any other call.
 * @param values those of the literal that the call asks for a member, see `literal-members.ts`
 */
export function lowerTest(
  call: Call,
  test: Stmt | undefined,
  values: readonly PlanOperand[] | undefined,
  context: LowerContext,
): boolean {
  const { func, args, result } = call.stmt;
  const [left, right] = args ?? [];
  if (left === undefined || right === undefined) return false;
  if (context.tables.functions.has(func) || !context.facts.isOnlyTested(result, test)) return false;
  const relation = relations.get(func);
  if (relation === undefined && func !== membership) return false;
  const origin = context.tables.place(call);
  const a = context.operand(left);
  if (values !== undefined) {
    const operands = values.map((value) => context.operand(value));
    pushMemberTest(a, operands, origin, context);
    return true;
  }
  const b = context.operand(right);
  const members = relation === undefined && b < 0 ? constantMembers(context.tables.constants[-1 - b]) : undefined;
  if (relation !== undefined) context.push({ kind: 'compareTest', origin, relation, a, b });
  else if (members !== undefined) {
    const operands = members.map((member) => context.tables.constantOperand(member));
    pushMemberTest(a, operands, origin, context);
  } else {
    const lasting = right.type === 'local' && context.lookups.isData(right.value);
    context.push({ kind: 'member', origin, element: a, collection: b, lasting });
  }
  return true;
}

/** Cuts the block short if a value equals none of others, all of which are defined. */
function pushMemberTest(
  element: LoweredOperand,
  values: readonly LoweredOperand[],
  origin: Index,
  context: LowerContext,
): void {
  if (element >= 0) context.push({ kind: 'isDefined', origin, source: element });
  const block: LoweredBlock = values.map((value) =>
    loweredEquality(['notEqual', 'notEqualConst'], element, value, origin, context.tables),
  );
  context.push({ kind: 'not', origin, block });
}
