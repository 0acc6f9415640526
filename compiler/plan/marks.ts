/** Plans that tell where a run came by, for coverage and profiles: before each expression, and after the last one of a body, they call a built-in with a number. */
import type { Body, Expr } from '../ast/nodes.js';
import type { Span } from '../source/location.js';
import { local } from './emit.js';
import type { Planning } from './planning.js';

/** The built-in: whoever asks for marks has it among the compilation's built-ins. It takes a number and is true. */
export const markName = 'internal.mark';

export interface Marks {
  /** What must hold for the body to be looked at: the reference's rule index passes a body over, and says nothing of it, where one of these does not. */
  guards(body: Body): readonly Expr[];
  /** The number for coming to an expression. */
  before(expr: Expr, index: number): number;
  /** The number for coming to a body's end. */
  after(body: Body): number;
}

export function planMark(p: Planning, mark: number, span: Span): void {
  const { e } = p;
  const row = p.functions.builtins.get(markName);
  if (row === undefined) throw new Error(`there is no built-in ${markName}`);
  e.statics.builtin(row);
  const number = e.newLocal();
  e.emit('MakeNumberIntStmt', span, { value: mark, target: number });
  e.emit('CallStmt', span, { func: markName, args: [local(number)], result: e.newLocal() });
}
