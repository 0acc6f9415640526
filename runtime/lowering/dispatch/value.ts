/** The value that a dispatch compares: its look-ups, and the calls that compute it. */

import { internalized } from '../../../values/text/internalized.js';
import type { DispatchConstant } from '../../operations/dispatch-key.js';
import type { Context } from '../context.js';
import { callStatement } from '../lower-call.js';
import type { Dispatch, Index, LoweredStmt, Operand, Register } from '../lowered.js';
import type { Run } from './dispatch.js';
import type { Part } from './guards.js';

export function dispatchedPart(
  { part, further, rules }: Run,
  context: Context,
): Pick<Dispatch, 'origin' | 'ahead' | 'root' | 'path' | 'further'> {
  const { facts, tables } = context;
  const origin = tables.place(facts.blocks[rules[0]!.start]!.stmts[0]!);
  const ahead: LoweredStmt[] = [];
  const placeOf = (one: Part) => ({
    root: rootOf(one, origin, ahead, context),
    path: one.path.map((key) => tables.constant(typeof key === 'string' ? internalized(key) : key)),
  });
  return { origin, ...placeOf(part), ahead, further: further.map(placeOf) };
}

/** The register of a part's root; `ahead` gets the statements that compute it. */
function rootOf({ root }: Part, origin: Index, ahead: LoweredStmt[], context: Context): Register {
  const { facts, registers, tables } = context;
  if (root.kind === 'param') return registers.of(root.local);
  const args = root.args.map((arg) => operandOf(arg, origin, ahead, context));
  const operands = tables.functions.has(root.name) ? facts.params.slice(0, 2).map((param) => registers.of(param)) : args;
  const result = registers.temporaries(1);
  ahead.push(callStatement(root.name, result, operands, origin, tables));
  return result;
}

function operandOf(arg: Part | DispatchConstant, origin: Index, ahead: LoweredStmt[], context: Context): Operand {
  const { registers, tables } = context;
  if (typeof arg !== 'object') return tables.constantOperand(arg);
  let source = rootOf(arg, origin, ahead, context);
  for (const key of arg.path) {
    const target = registers.temporaries(1);
    ahead.push({ kind: 'dot', origin, target, source, key: tables.constantOperand(key), isBase: false });
    source = target;
  }
  return source;
}
