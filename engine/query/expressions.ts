/** Bodies and expressions. */

import type { Body, EveryExpr, Expr, LogicalExpr, Term } from '../../compiler/index.js';
import { isArray, isObject, isSet, type Value } from '../../values/index.js';
import type { Frame } from './bindings.js';
import { evaluateCall } from './calls.js';
import type { Next, Step } from './machine.js';
import { elementAt, elementKeys } from './refs/elements.js';
import type { Search } from './search.js';
import { evaluateWith } from './with.js';

export function evaluateBody(search: Search, body: Body, frame: Frame, then: Step): Next {
  const from = (i: number): Next => {
    const expr = body[i];
    return expr === undefined ? then : expression(search, expr, frame, () => from(i + 1));
  };
  return () => from(0);
}

function expression(search: Search, expr: Expr, frame: Frame, then: Step): Next {
  frame.at = expr.loc;
  search.frame = frame;
  if (!expr.negated) return modified(search, expr, frame, then);
  // Modifiers of a negated expression apply inside the negation.
  return search.machine.test(
    (found) => modified(search, expr, frame, found),
    () => search.machine.fail(),
    then,
  );
}

function modified(search: Search, expr: Expr, frame: Frame, then: Step): Next {
  if (expr.with.length === 0) return plain(search, expr, frame, then);
  return evaluateWith(search, expr.with, frame, (found) => plain(search, expr, frame, found), then);
}

function plain(search: Search, expr: Expr, frame: Frame, then: Step): Next {
  const { machine } = search;
  switch (expr.kind) {
    case 'term':
      return truth(search, expr.term, frame, then);
    case 'call':
      return evaluateCall(search, expr, frame, then);
    case 'every':
      return every(search, expr, frame, then);
    case 'not':
      return machine.test(
        (found) => search.body(expr.body, frame, found),
        () => machine.fail(),
        then,
      );
    case 'and':
    case 'or':
      return logical(search, expr, frame, then);
    case 'some':
      return then;
  }
}

/** A term alone must be defined and not false. */
function truth(search: Search, term: Term, frame: Frame, then: Step): Next {
  return search.operand(term, frame, (value) => (value === false ? search.machine.fail() : then));
}

/** Holds unless the body is undefined for an element; a scalar domain makes it undefined. */
function every(search: Search, { domain, key, value, body }: EveryExpr, frame: Frame, then: Step): Next {
  const { machine } = search;
  return search.operand(domain, frame, (collection) => {
    if (!isCollection(collection)) return machine.fail();
    const counterexample = (found: Step): Next =>
      machine.each(elementKeys(collection), (at) => {
        if (key !== undefined) machine.bind(frame, key.name, at);
        machine.bind(frame, value.name, elementAt(collection, at));
        return machine.test(
          (holds) => search.body(body, frame, holds),
          () => machine.fail(),
          found,
        );
      });
    return machine.test(counterexample, () => machine.fail(), then);
  });
}

function isCollection(value: Value): boolean {
  return isArray(value) || isObject(value) || isSet(value);
}

/** Each operand is a condition: it holds once, and its bindings are its own. */
function logical(search: Search, { kind, lhs, rhs }: LogicalExpr, frame: Frame, then: Step): Next {
  const { machine } = search;
  const condition = (body: Body, isTrue: Step, isFalse: Step): Next =>
    machine.test((found) => search.body(body, frame, found), isTrue, isFalse);
  const fail = () => machine.fail();
  const second = () => condition(rhs, then, fail);
  return kind === 'and' ? condition(lhs, second, fail) : condition(lhs, then, second);
}
