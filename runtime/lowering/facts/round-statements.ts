/** Statements of a round by what they do before the round does anything that is noticed. */
import type { Operand, Stmt } from '../../../ir-schema/index.js';
import { relations } from '../../operations/operators.js';
import type { PlanFacts } from './plan-facts.js';

type Call = Stmt & { readonly type: 'CallStmt' };

/** The built-in that asks for a member. */
export const membership = 'internal.member_2';

/**
 * Whether a statement does nothing and goes on: the reference's planner writes blocks that only
 * break out of themselves.
 */
export function isIdle(node: Stmt): boolean {
  return cutBy(node) === 0;
}

/**
 * How many enclosing blocks a statement cuts short that does nothing but break; undefined for any
 * other.
 */
function cutBy(node: Stmt): number | undefined {
  if (node.type === 'NopStmt') return 0;
  if (node.type === 'BreakStmt') return node.stmt.index + 1;
  if (node.type !== 'BlockStmt') return undefined;
  for (const block of node.stmt.blocks ?? []) {
    let cut: number | undefined = 0;
    for (const inner of block.stmts) {
      cut = cutBy(inner);
      if (cut !== 0) break;
    }
    if (cut === undefined) return undefined;
    if (cut > 1) return cut - 1;
  }
  return 0;
}

/**
 * Whether a statement does nothing but to end the round or not, and to write locals, which are
 * added to `touched`.
 */
export function isTestStatement({ type, stmt }: Stmt, plan: PlanFacts, touched: number[]): boolean {
  switch (type) {
    case 'NotEqualStmt':
    case 'IsDefinedStmt':
    case 'IsUndefinedStmt':
      return true;
    case 'CallStmt':
      if (plan.functions.has(stmt.func) || (!relations.has(stmt.func) && stmt.func !== membership)) return false;
      touched.push(stmt.result);
      return true;
    case 'NotStmt':
      return (stmt.block?.stmts ?? []).every((inner) => {
        if (inner.type === 'EqualStmt') return true;
        if (inner.type !== 'DotStmt') return isTestStatement(inner, plan, touched);
        touched.push(inner.stmt.target);
        return true;
      });
    default:
      return false;
  }
}

/** The question of a call for a member, if the next statement tests the answer. */
export function membersAsked(
  { stmt: { func, args, result } }: Call,
  test: Stmt | undefined,
  plan: PlanFacts,
): { readonly element: Operand; readonly collection: Operand } | undefined {
  if (func !== membership || plan.functions.has(func) || test?.type !== 'NotEqualStmt') return undefined;
  const { a, b } = test.stmt;
  if (a.type !== 'local' || a.value !== result || b.type !== 'bool' || b.value) return undefined;
  const [element, collection] = args ?? [];
  return element === undefined || collection === undefined ? undefined : { element, collection };
}

/** Whether a statement gives a local a number or null. */
export function makesScalar({ type }: Stmt): boolean {
  return type === 'MakeNullStmt' || type === 'MakeNumberIntStmt' || type === 'MakeNumberRefStmt';
}

/** The local that a statement assigns the same value in each round; undefined for others. */
export function stepTarget(
  { type, stmt }: Stmt,
  plan: PlanFacts,
  isUnchanged: (operand: Operand) => boolean,
): number | undefined {
  switch (type) {
    case 'MakeNullStmt':
    case 'MakeNumberIntStmt':
    case 'MakeNumberRefStmt':
      return stmt.target;
    case 'AssignVarStmt':
      return isUnchanged(stmt.source) ? stmt.target : undefined;
    case 'DotStmt':
      return isUnchanged(stmt.source) && isUnchanged(stmt.key) ? stmt.target : undefined;
    case 'CallStmt':
      return plan.repeatable.has(stmt.func) && (stmt.args ?? []).every(isUnchanged) ? stmt.result : undefined;
    default:
      return undefined;
  }
}
