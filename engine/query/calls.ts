/** Calls of functions and built-ins, and of their replacements by `with`. */

import { type CallExpr, functionName, locationOf, type RefTerm, type Term } from '../../compiler/index.js';
import { call1, call2, callAny } from '../../runtime/index.js';
import { isArray, isSet, sortedMembers, type Value } from '../../values/index.js';
import type { Frame } from './bindings.js';
import type { QueryMock } from './environment.js';
import type { Next, Step, WithValue } from './machine.js';
import { documentNamed, functionNamed } from './package-documents.js';
import type { CallableBuiltin, CallTarget, Search, SearchProgram } from './search.js';
import { termValue } from './term-value.js';
import { unify } from './unify.js';

export function callTargetOf({ program }: Pick<Search, 'program'>, operator: RefTerm): CallTarget {
  let target = program.targets.get(operator);
  if (target === undefined) program.targets.set(operator, (target = findTarget(program, operator)));
  return target;
}

function findTarget({ root, builtins }: SearchProgram, operator: RefTerm): CallTarget {
  const name = functionName(operator);
  if (name === undefined) throw new Error('the operator of a call is no name');
  const called = functionNamed(root, operator);
  const builtin = called === undefined ? builtins.get(name) : undefined;
  // A rule without parameters may be written with parentheses.
  const document = called ?? (builtin === undefined ? documentNamed(root, operator) : undefined);
  const arity = called === undefined ? builtin?.row.args.length : called.rules[0]?.rule.head.args?.length;
  return { name, operator, document, builtin, arity: arity ?? 0 };
}

export function evaluateCall(search: Search, { operator, args }: CallExpr, frame: Frame, then: Step): Next {
  const target = callTargetOf(search, operator);
  const { name, arity } = target;
  const [first, second] = args;
  if (name === 'eq' && first && second && args.length === 2) return unify(search, first, second, frame, then);
  const output = args[arity];
  const { machine } = search;
  const mock = machine.environment.mockOf(name);
  const finish: WithValue = (value) => {
    const holds = output === undefined ? value !== false : search.matches('output', output, value, frame);
    return holds ? then : machine.fail();
  };
  const operands = args.slice(0, arity);
  if (mock !== undefined) return callMock(search, mock, operands, frame, finish);
  return callFunction(search, target, operands, frame, { finish, isTrue: then });
}

function callBuiltin(
  { evaluation }: Search,
  { linked }: CallableBuiltin,
  args: readonly Term[],
  frame: Frame,
): Value | undefined {
  let value: Value | undefined;
  const isPlaced = linked.fixed > args.length;
  const operands = args.map((arg) => termValue(arg, frame));
  const [first, second] = operands;
  if (args.length === 1 && first !== undefined && !isPlaced) value = call1(linked, first, evaluation);
  else if (args.length === 2 && first !== undefined && second !== undefined)
    value = call2(linked, first, second, evaluation);
  else {
    const { file, row } = locationOf(frame.at);
    if (isPlaced && file !== '') operands.push(`${file}:${row}`);
    value = callAny(linked, operands, evaluation);
  }
  if (value === undefined && evaluation.hasFailed) evaluation.reportFailure(locationOf(frame.at));
  return value;
}

/** A function that replaces another one calls the functions that nothing replaces. */
function callMock(search: Search, mock: QueryMock, args: readonly Term[], frame: Frame, finish: WithValue): Next {
  if (mock.type === 'value') return finish(mock.value);
  const { machine, program } = search;
  const { environment } = machine;
  const leave: WithValue = (value) => {
    machine.environment = environment;
    return finish(value);
  };
  machine.environment = environment.withoutMocks;
  const document = documentNamed(program.root, mock.ref);
  if (document !== undefined && document.kind !== 'function') return search.ref(mock.ref, frame, leave);
  const isTrue = () => leave(true);
  return callFunction(search, callTargetOf(search, mock.ref), args, frame, { finish: leave, isTrue });
}

interface Continuation {
  readonly finish: WithValue;
  /** How the search continues after a built-in without a result. */
  readonly isTrue: Step;
}

function callFunction(
  search: Search,
  { name, operator, document, builtin }: CallTarget,
  args: readonly Term[],
  frame: Frame,
  { finish, isTrue }: Continuation,
): Next {
  const { machine } = search;
  if (document?.kind === 'function') return search.call(document, valuesOf(args, frame), frame, finish);
  if (document !== undefined) return search.ref(operator, frame, finish);
  if (builtin === undefined) throw new Error(`there is no built-in ${name}`);
  const value = callBuiltin(search, builtin, args, frame);
  if (value === undefined) return machine.fail();
  if (builtin.row.result === undefined) return isTrue;
  // A relation returns all values that the call has.
  return builtin.row.relation === true ? machine.each(operandMembers(value), finish) : finish(value);
}

function valuesOf(args: readonly Term[], frame: Frame): readonly Value[] {
  return args.map((arg) => termValue(arg, frame));
}

export function operandMembers(value: Value): readonly Value[] {
  if (isArray(value)) return value;
  return isSet(value) ? sortedMembers(value) : [];
}
