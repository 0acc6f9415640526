import { type CallExpr, nowhere } from '../../../compiler/index.js';
import { callAny } from '../../../runtime/index.js';
import type { Value } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { callTargetOf, operandMembers } from '../calls.js';
import type { QueryMock } from '../environment.js';
import type { Next, Step } from '../machine.js';
import { documentNamed } from '../package-documents.js';
import type { CallTarget } from '../search.js';
import { partialEquality } from './equality.js';
import { anyTerm, type OpenCall, type PartialSearch, type WithSymbolic } from './partial-search.js';
import { plug } from './plug.js';
import { save, saveTruth } from './save.js';
import { isOpen, resolved, termOfSymbolic } from './symbolic.js';
import { matchSymbolic } from './symbolic-unification.js';

export function partialCall(search: PartialSearch, expr: CallExpr, frame: Frame, then: Step): Next {
  const target = callTargetOf(search, expr.operator);
  const { name, arity } = target;
  const [a, b] = expr.args;
  if ((name === 'eq' || name === 'equal') && a && b && expr.args.length === 2)
    return partialEquality(search, a, b, frame, then);
  const output = expr.args[arity];
  const finish: WithSymbolic = (value) => {
    if (output !== undefined) return matchSymbolic(search, output, value, frame) ? then : search.machine.fail();
    if (!isOpen(value)) return value === false ? search.machine.fail() : then;
    if (value.term.type === 'var' || value.term.type === 'ref') saveTruth(search, value);
    return then;
  };
  const args = expr.args.slice(0, arity).map((arg) => resolved(arg, frame));
  const leave = (operator = expr.operator): Next => {
    const outputs = output === undefined ? [] : [plug(search, output, frame)];
    save(search, {
      ...expr,
      loc: nowhere,
      generated: false,
      operator,
      args: [...args.map(termOfSymbolic), ...outputs],
      with: [],
    });
    return then;
  };
  const call: OpenCall = { expr, frame, args, finish, leave };
  const mock = search.machine.environment.mockOf(name);
  if (mock !== undefined) return callMock(search, mock, call);
  return callTarget(search, target, call);
}

function callMock(search: PartialSearch, mock: QueryMock, call: OpenCall): Next {
  if (mock.type === 'value') return call.finish(mock.value, 'term');
  const { machine, program } = search;
  const { environment } = machine;
  const document = documentNamed(program.root, mock.ref);
  const back = <T extends readonly unknown[]>(next: (...given: T) => Next) => {
    return (...given: T): Next => {
      machine.environment = environment;
      return next(...given);
    };
  };
  machine.environment = environment.withoutMocks;
  const finish = back(call.finish);
  if (document !== undefined && document.kind !== 'function')
    return search.symbolic(mock.ref, call.frame, anyTerm, finish);
  return callTarget(search, callTargetOf(search, mock.ref), {
    ...call,
    finish,
    leave: back((operator = mock.ref) => call.leave(operator)),
  });
}

function callTarget(search: PartialSearch, { name, document, builtin }: CallTarget, call: OpenCall): Next {
  const { machine, evaluation, options } = search;
  if (document?.kind === 'function') return search.applied(document, call);
  if (document !== undefined) return search.symbolic(call.expr.operator, call.frame, anyTerm, call.finish);
  if (builtin === undefined) throw new Error(`there is no built-in ${name}`);
  const isLeft = builtin.row.nondeterministic === true && options.nondeterministicBuiltins !== true;
  if (isLeft || call.args.some(isOpen)) return call.leave();
  const value = callAny(builtin.linked, call.args as Value[], evaluation);
  if (value === undefined) return machine.fail();
  if (builtin.row.result === undefined) return call.finish(true, 'term');
  if (builtin.row.relation === true) return machine.each(operandMembers(value), (one) => call.finish(one, 'term'));
  return call.finish(value, 'term');
}
