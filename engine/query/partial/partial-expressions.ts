/** Bodies and expressions. */

import type { Body, EveryExpr, Expr, TermExpr } from '../../../compiler/index.js';
import { nowhere, termExpr, varTerm } from '../../../compiler/index.js';
import { HaltError } from '../../../values/index.js';
import type { Frame } from '../bindings.js';
import type { Next, Step } from '../machine.js';
import type { TracedQuery } from '../tracer.js';
import { partialCall } from './calls.js';
import { negatePartially } from './negation.js';
import { anyTerm, type PartialSearch } from './partial-search.js';
import { plugExpr } from './plug.js';
import { save, saveTruth } from './save.js';
import { isOpen, type Open } from './symbolic.js';
import { saveEquality } from './symbolic-unification.js';
import { partialWith } from './with.js';

export function partialBody(search: PartialSearch, body: Body, frame: Frame, then: Step): Next {
  const query = search.trace?.query;
  const from = (index: number): Next => {
    const expr = body[index];
    return expr === undefined ? then : expression(search, expr, { query, index }, frame, () => from(index + 1));
  };
  return () => from(0);
}

/** Where an expression stands, for events. */
interface Position {
  readonly query: TracedQuery | undefined;
  readonly index: number;
}

function expression(search: PartialSearch, expr: Expr, { query, index }: Position, frame: Frame, then: Step): Next {
  frame.at = expr.loc;
  search.frame = frame;
  search.context = { ...search.context, at: expr.loc };
  const { trace } = search;
  if (search.context.modifiers.length === 0 && search.isKnown(expr, frame)) {
    return trace && query ? trace.knownExpression(expr, index, query, frame, then) : search.body([expr], frame, then);
  }
  const evaluate = (found: Step): Next => open(search, expr, frame, found);
  return trace && query ? trace.openExpression(expr, { query, index }, frame, evaluate, then) : evaluate(then);
}

function open(search: PartialSearch, expr: Expr, frame: Frame, then: Step): Next {
  if (!expr.negated) return modified(search, expr, frame, then);
  const positive: Expr = { ...expr, negated: false };
  return negatePartially(search, undefined, (found) => partialBody(search, [positive], frame, found), then);
}

function modified(search: PartialSearch, expr: Expr, frame: Frame, then: Step): Next {
  if (expr.with.length === 0) return plain(search, expr, frame, then);
  return partialWith(search, expr, frame, (found) => plain(search, { ...expr, with: [] }, frame, found), then);
}

function plain(search: PartialSearch, expr: Expr, frame: Frame, then: Step): Next {
  switch (expr.kind) {
    case 'term':
      return truth(search, expr, frame, then);
    case 'call':
      return partialCall(search, expr, frame, then);
    case 'every':
      return every(search, expr, frame, then);
    case 'not':
      return negatePartially(search, expr.explicit, (found) => partialBody(search, expr.body, frame, found), then);
    case 'and':
    case 'or':
      save(search, plugExpr(search, expr, frame));
      return then;
    case 'some':
      return then;
  }
}

/** A term alone must be defined and not false. */
function truth(search: PartialSearch, { term, loc }: TermExpr, frame: Frame, then: Step): Next {
  const { trace } = search;
  const variable = trace?.termVariable(loc);
  if (trace && variable) trace.unify(term, variable, frame);
  return search.symbolic(term, frame, anyTerm, (value, source) => {
    if (!isOpen(value)) {
      if (trace && variable) trace.bindTerm(variable, value, frame);
      return value === false ? search.machine.fail() : then;
    }
    if (isCollection(value)) {
      // The caller of the query may ask for the value.
      if (frame === search.queryFrame) search.bind(frame, search.names.fresh(frame), value);
      return then;
    }
    const { context, options } = search;
    const isNamed =
      source === 'rule' && !context.isNegated && (options.shallowInlining === true || context.modifiers.length > 0);
    if (!isNamed || value.term.type !== 'ref') {
      saveTruth(search, value);
      return then;
    }
    const name = varTerm(nowhere, search.names.fresh(frame));
    saveEquality(search, value.term, name);
    save(search, termExpr(nowhere, name));
    return then;
  });
}

function isCollection({ term: { type } }: Open): boolean {
  return type === 'array' || type === 'object' || type === 'set';
}

/** Stays as it is, over a domain that is known as far as possible. */
function every(search: PartialSearch, expr: EveryExpr, frame: Frame, then: Step): Next {
  const { domain } = expr;
  if (domain.type !== 'var') throw new HaltError('eval_internal_error', 'the domain of every is no variable');
  save(search, plugExpr(search, expr, frame));
  return then;
}
