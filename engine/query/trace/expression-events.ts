/** Expressions with their events: evaluated, failed, evaluated again. */

import { type Body, type CallExpr, type Expr, functionName, type TermExpr, varTerm } from '../../../compiler/index.js';
import { termText } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import { evaluateCall } from '../calls.js';
import type { QueryEnvironment } from '../environment.js';
import type { Next, Step } from '../machine.js';
import { termValue } from '../term-value.js';
import type { TracedQuery } from '../tracer.js';
import { evaluateWith } from '../with.js';
import { tracedEvery } from './every.js';
import type { Traced } from './traced.js';
import { tracedUnify } from './unification-events.js';

export function tracedBody(search: Traced, body: Body, query: TracedQuery, frame: Frame, then: Step): Next {
  const from = (index: number): Next => {
    const expr = body[index];
    return expr === undefined ? then : tracedExpression(search, expr, { query, index }, frame, () => from(index + 1));
  };
  return () => from(0);
}

interface Position {
  readonly query: TracedQuery;
  readonly index: number;
  /** Whether the term had the value false. */
  isFalse?: boolean;
}

export function tracedExpression(search: Traced, expr: Expr, position: Position, frame: Frame, then: Step): Next {
  const { machine } = search;
  const { query, index } = position;
  const place = { query, node: { type: 'expr', expr, index } as const, frame, at: expr.loc };
  machine.place = place;
  frame.at = expr.loc;
  search.frame = frame;
  search.report('eval');
  let holds = false;
  let environment: QueryEnvironment | undefined;
  machine.onBacktrack('expr', () => {
    if (!holds) search.report('fail', { environment, ...(position.isFalse === true && { value: false }) });
  });
  const found = (): Next => {
    holds = true;
    machine.place = place;
    if (!expr.negated) machine.onBacktrack('expr', () => search.report('redo', { environment }));
    return then;
  };
  if (expr.with.length === 0) return plain(search, expr, position, frame, found);
  const evaluate = (inner: Step): Next => {
    environment = machine.environment;
    return plain(search, expr, position, frame, inner);
  };
  return evaluateWith(search, expr.with, frame, evaluate, found);
}

const negatedBodies = new WeakMap<Expr, Body>();

/** The body below a `not`: one object, since texts of events are known by their nodes. */
function negatedBody(expr: Expr): Body {
  let body = negatedBodies.get(expr);
  if (body === undefined) negatedBodies.set(expr, (body = [{ ...expr, negated: false, with: [] }]));
  return body;
}

/** An expression without its modifiers. */
function plain(search: Traced, expr: Expr, position: Position, frame: Frame, found: Step): Next {
  const { machine } = search;
  const fail = (): Next => machine.fail();
  if (expr.negated) return condition(search, negatedBody(expr), frame, fail, found);
  switch (expr.kind) {
    case 'term':
      return truth(search, expr, position, frame, found);
    case 'call':
      return call(search, expr, frame, found);
    case 'every':
      return tracedEvery(search, expr, frame, found);
    case 'not':
      return condition(search, expr.body, frame, fail, found);
    case 'and':
      return condition(search, expr.lhs, frame, () => condition(search, expr.rhs, frame, found, fail), fail);
    case 'or':
      return condition(search, expr.lhs, frame, found, () => condition(search, expr.rhs, frame, found, fail));
    case 'some':
      return found;
  }
}

/** Whether a body has a solution. All are looked for, as the reference does. */
function condition(search: Traced, body: Body, frame: Frame, isTrue: Step, isFalse: Step): Next {
  const { machine } = search;
  let holds = false;
  machine.push(() => (holds ? isTrue() : isFalse()));
  return search.inner(body, frame, () => {
    holds = true;
    return machine.fail();
  });
}

/** The value of a term has a variable of its own, which no author can write. */
function truth(search: Traced, { term, loc }: TermExpr, position: Position, frame: Frame, found: Step): Next {
  const { machine } = search;
  const variable = varTerm(loc, `$_term_${position.query.id}_${position.index}`);
  const isTrue = (): Next => {
    if (frame.values.get(variable.name) !== false) return found;
    position.isFalse = true;
    return machine.fail();
  };
  if (search.tracer.wantsUnify) return tracedUnify(search, term, variable, frame, isTrue);
  return search.operand(term, frame, (value) => {
    machine.bind(frame, variable.name, value);
    return isTrue();
  });
}

function call(search: Traced, expr: CallExpr, frame: Frame, found: Step): Next {
  const { operator, args } = expr;
  const name = functionName(operator);
  const [first, second] = args;
  if (name === 'eq' && first && second && args.length === 2 && search.tracer.wantsUnify)
    return tracedUnify(search, first, second, frame, found);
  if (name === 'internal.test_case')
    return evaluateCall(search, expr, frame, () => {
      search.report('testCase', { message: termText(termValue(first!, frame)) });
      return found;
    });
  const isNote = name === 'trace' && search.machine.environment.mockOf(name) === undefined;
  if (!isNote || first === undefined) return evaluateCall(search, expr, frame, found);
  return evaluateCall(search, expr, frame, () => {
    search.report('note', { message: String(termValue(first, frame)) });
    return found;
  });
}
