/** Emits the calls of probes. */
import type { Operand } from '../../../ir-schema/index.js';
import type { Expr } from '../../ast/nodes.js';
import { varsOf } from '../../ast/vars.js';
import type { Span } from '../../source/location.js';
import type { Planning } from '../planning.js';
import { probeName, probeValuesName } from '../probes.js';
import { local } from './emit.js';

export function planProbe(p: Planning, probe: number, span: Span): void {
  call(p, probeName, [numberOperand(p, probe, span)], span);
}

/** Records the values of the variables of an expression and of the current body. */
export function planProbeValues(p: Planning, probe: number, expr: Expr): void {
  const { e } = p;
  const span = expr.loc;
  const object = e.newLocal();
  e.emit('MakeObjectStmt', span, { target: object });
  for (const name of new Set([...e.scope.names, ...varsOf(expr, { skipOperators: true })])) {
    const value = e.scope.get(name);
    if (value !== undefined) e.emit('ObjectInsertStmt', span, { object, key: e.string(name), value });
  }
  call(p, probeValuesName, [numberOperand(p, probe, span), local(object)], span);
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
