/** Calls of functions and built-ins, and of their replacements by `with`. */

import { functionName } from '../compiler/ast/names.js';
import type { CallExpr, RefTerm, Term } from '../compiler/ast/nodes.js';
import { locationOf } from '../compiler/source/location.js';
import { callAny } from '../runtime/evaluation/builtin-calls.js';
import { sortedMembers } from '../runtime/values/compare.js';
import { isArray, isSet, type Value } from '../runtime/values/value.js';
import type { Frame } from './bindings.js';
import { documentHolding, documentOf } from './documents.js';
import type { Mock } from './environment.js';
import type { Next, Step, WithValue } from './machine.js';
import type { CallTarget, Program, Search } from './search.js';
import { termValue } from './terms.js';
import { unify } from './unify.js';

export function targetOf({ program }: Search, operator: RefTerm): CallTarget {
  let target = program.targets.get(operator);
  if (target === undefined) program.targets.set(operator, (target = findTarget(program, operator)));
  return target;
}

function findTarget({ root, builtins }: Program, operator: RefTerm): CallTarget {
  const name = functionName(operator);
  if (name === undefined) throw new Error('the operator of a call is no name');
  const document = documentOf(root, operator);
  const builtin = document === undefined ? builtins.get(name) : undefined;
  const arity = document === undefined ? builtin?.row.args.length : document.rules[0]?.rule.head.args?.length;
  return { name, document, builtin, arity: arity ?? 0 };
}

export function evaluateCall(search: Search, { operator, args }: CallExpr, frame: Frame, then: Step): Next {
  const target = targetOf(search, operator);
  const { name, arity } = target;
  if (name === 'eq' && args.length === 2) return unify(search, args[0]!, args[1]!, frame, then);
  const output = args[arity];
  const finish: WithValue = (value) => {
    const holds = output === undefined ? value !== false : search.matches('output', output, value, frame);
    return holds ? then : search.machine.fail();
  };
  const operands = args.slice(0, arity);
  const mock = search.machine.environment.mockOf(name);
  if (mock !== undefined) return callMock(search, mock, operands, frame, finish);
  return callFunction(search, target, operands, frame, finish, then);
}

/** A function that replaces another one calls the functions that nothing replaces. */
function callMock(search: Search, mock: Mock, args: readonly Term[], frame: Frame, finish: WithValue): Next {
  if (mock.type === 'value') return finish(mock.value);
  const { machine, program } = search;
  const { environment } = machine;
  const leave: WithValue = (value) => {
    machine.environment = environment;
    return finish(value);
  };
  machine.environment = environment.withoutMocks;
  const document = documentHolding(program.root, mock.ref);
  if (document !== undefined && document.kind !== 'function') return search.ref(mock.ref, frame, leave);
  const isTrue = () => leave(true);
  return callFunction(search, targetOf(search, mock.ref), args, frame, leave, isTrue);
}

/** @param isTrue how the search continues after a built-in without a result */
function callFunction(
  search: Search,
  { name, document, builtin }: CallTarget,
  args: readonly Term[],
  frame: Frame,
  finish: WithValue,
  isTrue: Step,
): Next {
  const { machine, evaluation } = search;
  const operands = args.map((arg) => termValue(arg, frame));
  if (document?.kind === 'function') return search.call(document, operands, frame, finish);
  if (document !== undefined) return search.document(document, frame, finish);
  if (builtin === undefined) throw new Error(`there is no built-in ${name}`);
  const value = callAny(builtin.linked, operands, evaluation);
  if (value === undefined) {
    if (evaluation.hasFailed) evaluation.reportFailure(locationOf(frame.at));
    return machine.fail();
  }
  if (builtin.row.result === undefined) return isTrue;
  // A relation returns all values that the call has.
  return builtin.row.relation === true ? machine.each(membersOf(value), finish) : finish(value);
}

export function membersOf(value: Value): readonly Value[] {
  if (isArray(value)) return value;
  return isSet(value) ? sortedMembers(value) : [];
}
