/** Calls: functions, built-ins, and the comparisons and sums that need no call. */
import type { Operand as PlanOperand, Stmt } from '../../ir-schema/plan.js';
import { operators, relations } from '../operations/operators.js';
import type { Context } from './context.js';
import type { Index, LoweredStmt, Operand, Register } from './lowered.js';
import type { Tables } from './tables.js';

type Call = Stmt & { readonly type: 'CallStmt' };

export function lowerCall({ stmt: { func: name, args: planArgs, result: target } }: Call, origin: Index, context: Context): void {
  const { facts, tables } = context;
  const constant = tables.constantFunctions.get(name);
  if (constant !== undefined) {
    if (facts.mutations === 'unaliased' && facts.uses.isAssignedOnce(target)) context.constants.set(target, -1 - constant);
    else context.push({ kind: 'move', origin, target: context.register(target), source: -1 - constant });
    return;
  }
  const args = (planArgs ?? []).map((operand) => context.operand(operand));
  context.push(callStatement(name, context.register(target), args, origin, tables));
}

/** A call of a function or built-in that is not known to return a constant. */
export function callStatement(name: string, result: Register, args: readonly Operand[], origin: Index, tables: Tables): LoweredStmt {
  const func = tables.functions.get(name);
  if (func !== undefined) return { kind: 'call', origin, func, result, args };
  const relation = relations.get(name);
  const [a, b] = args;
  if (relation !== undefined) return { kind: 'compare', origin, result, relation, a: a!, b: b! };
  const builtin = tables.builtin(name);
  const operator = operators.get(name);
  if (operator !== undefined) return { kind: 'arithmetic', origin, builtin, result, operator, a: a!, b: b! };
  return { kind: 'builtin', origin, builtin, result, args };
}

/** A comparison whose result is only tested by the next statement; false for any other call. */
export function lowerTest(call: Call, test: Stmt | undefined, context: Context): boolean {
  const { func, args, result } = call.stmt;
  if (context.tables.functions.has(func) || !isOnlyTested(result, test, context)) return false;
  const relation = relations.get(func);
  if (relation === undefined && func !== 'internal.member_2') return false;
  const origin = context.tables.place(call);
  const [a, b] = (args ?? []).map((operand) => context.operand(operand)) as [number, number];
  if (relation === undefined) context.push({ kind: 'member', origin, element: a, collection: b });
  else context.push({ kind: 'compareTest', origin, relation, a, b });
  return true;
}

/** Whether a statement tests that a local is not false, and nothing else reads the local. */
function isOnlyTested(local: number, test: Stmt | undefined, { facts: { uses } }: Context): boolean {
  if (test?.type !== 'NotEqualStmt') return false;
  const { a, b } = test.stmt;
  if (!isLocal(a, local) || b.type !== 'bool' || b.value) return false;
  const { firstRead, lastRead } = uses.of(local);
  const at = uses.positions.get(test)!;
  return firstRead === at && lastRead === at;
}

function isLocal(operand: PlanOperand, local: number): boolean {
  return operand.type === 'local' && operand.value === local;
}
