/** Plans that tell where a run came by, for coverage and profiles: before each expression, and after the last one of a body, they call a built-in with a number. */
import type { Operand } from '../../ir-schema/plan.js';
import type { Body, Expr } from '../ast/nodes.js';
import { varsOf } from '../ast/vars.js';
import type { Span } from '../source/location.js';
import { local } from './emit.js';
import type { Planning } from './planning.js';

/** The built-in that a plan with marks calls. It takes a number and is true. */
export const markName = 'internal.mark';

/** Beside it, where values are wanted: it takes the number and an object of the variables bound by then. */
export const valuesName = 'internal.mark_values';

export interface Probes {
  /** The number for coming to an expression. */
  before(expr: Expr, index: number): number;
  /** Whether to tell the values of variables with the mark before an expression. */
  wantsValues(expr: Expr): boolean;
  /** The number for coming to a body's end. */
  after(body: Body): number;
}

export function planMark(p: Planning, mark: number, span: Span): void {
  call(p, markName, [numberOperand(p, mark, span)], span);
}

/** Tells what the variables of an expression, and those of the body at hand, are bound to. */
export function planValues(p: Planning, mark: number, expr: Expr): void {
  const { e } = p;
  const span = expr.loc;
  const object = e.newLocal();
  e.emit('MakeObjectStmt', span, { target: object });
  for (const name of new Set([...e.scope.names, ...varsOf(expr, { skipOperators: true })])) {
    const value = e.scope.get(name);
    if (value !== undefined) e.emit('ObjectInsertStmt', span, { object, key: e.string(name), value });
  }
  call(p, valuesName, [numberOperand(p, mark, span), local(object)], span);
}

function numberOperand({ e }: Planning, value: number, span: Span): Operand {
  const target = e.newLocal();
  e.emit('MakeNumberIntStmt', span, { value, target });
  return local(target);
}

function call(p: Planning, name: string, args: readonly Operand[], span: Span): void {
  const row = p.functions.builtins.get(name);
  if (row === undefined) throw new Error(`there is no built-in ${name}`);
  p.e.statics.builtin(row);
  p.e.emit('CallStmt', span, { func: name, args, result: p.e.newLocal() });
}
