/** Calls of functions and built-ins. */

import type { CallExpr, Term } from '../../compiler/ast/nodes.js';
import { locationOf } from '../../compiler/source/location.js';
import { call1, call2, callAny } from '../../runtime/evaluation/builtin-calls.js';
import type { LinkedBuiltin } from '../../runtime/evaluation/linked-builtin.js';
import type { Value } from '../../values/value.js';
import { membersOf, targetOf } from '../calls.js';
import type { Compiling, GetDefined, Step } from './compiling.js';
import { NeedsSearch } from './needs-search.js';
import type { DirectFrame } from './run.js';
import type { Scope } from './scope.js';
import { match, plain } from './terms.js';

export function call(compiling: Compiling, { operator, args }: CallExpr, scope: Scope, then: () => Step): Step {
  const { name, arity, document, builtin } = targetOf(compiling, operator);
  const value = resultOf(compiling, { name, document, builtin }, args.slice(0, arity), scope);
  const output = args[arity];
  if (builtin?.row.relation === true) return relation(value, output, scope, then);
  if (output === undefined) {
    const next = then();
    return (frame) => {
      const result = value(frame);
      return result !== undefined && result !== false && next(frame);
    };
  }
  const matches = match(output, scope);
  const next = then();
  return (frame) => {
    const result = value(frame);
    return result !== undefined && matches(frame, result) && next(frame);
  };
}

/** A relation returns all values that the call has. */
function relation(value: GetDefined, output: Term | undefined, scope: Scope, then: () => Step): Step {
  const matches = output === undefined ? (_: DirectFrame, result: Value) => result !== false : match(output, scope);
  const next = then();
  return (frame) => {
    const results = value(frame);
    if (results === undefined) return false;
    for (const result of membersOf(results)) {
      frame.run.count();
      if (matches(frame, result) && next(frame)) return true;
    }
    return false;
  };
}

type Target = Pick<ReturnType<typeof targetOf>, 'name' | 'document' | 'builtin'>;

function resultOf(compiling: Compiling, { name, document, builtin }: Target, args: readonly Term[], scope: Scope): GetDefined {
  const operands = args.map((arg) => plain(arg, scope));
  if (document?.kind === 'function') {
    const rules = compiling.rules(document);
    return (frame) =>
      rules.call(
        frame.run,
        operands.map((operand) => operand(frame)),
        frame,
      );
  }
  // The result of a built-in without one shows nowhere, but the search counts its call as true.
  if (builtin?.row.result === undefined) throw new NeedsSearch(`a call of ${name}`);
  const { linked } = builtin;
  const [a, b] = operands;
  if (operands.length === 1) return (frame) => checked(frame, call1(linked, a!(frame), frame.run.evaluation));
  if (operands.length === 2) return (frame) => checked(frame, call2(linked, a!(frame), b!(frame), frame.run.evaluation));
  return (frame) => checked(frame, callWith(linked, frame, operands));
}

function callWith(linked: LinkedBuiltin, frame: DirectFrame, operands: readonly ((frame: DirectFrame) => Value)[]): Value | undefined {
  return callAny(
    linked,
    operands.map((operand) => operand(frame)),
    frame.run.evaluation,
  );
}

function checked(frame: DirectFrame, value: Value | undefined): Value | undefined {
  const { evaluation } = frame.run;
  if (value === undefined && evaluation.hasFailed) evaluation.reportFailure(locationOf(frame.at));
  return value;
}
