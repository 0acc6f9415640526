/** Bodies and expressions. */

import { functionName } from '../../compiler/ast/names.js';
import type { Body, EveryExpr, Expr, Term } from '../../compiler/ast/nodes.js';
import { lookup } from '../../values/compare.js';
import { equal } from '../../values/equal.js';
import { isArray, isObject, isSet } from '../../values/value.js';
import { scanOf } from '../bodies/array-scans.js';
import { keysOf } from '../refs/elements.js';
import { staticPlaceOf } from '../refs/static-places.js';
import { call } from './calls.js';
import type { Compiling, Get, Step } from './compiling.js';
import { NeedsSearch } from './needs-search.js';
import { scan } from './scans.js';
import type { Scope } from './scope.js';
import { isBound, match, plain } from './terms.js';

/** More would use up JavaScript's stack: each expression calls the one after it. */
const maxExpressions = 100;

export function body(compiling: Compiling, exprs: Body, scope: Scope, end: () => Step): Step {
  if (exprs.length > maxExpressions) throw new NeedsSearch('a long body');
  const from = (i: number): Step => {
    const expr = exprs[i];
    if (expr === undefined) return end();
    const then = () => from(i + 1);
    const scanned = scanOf(expr, exprs[i + 1]);
    const following = { comparison: (rest: () => Step) => located(compiling, exprs[i + 1]!, scope, rest), rest: () => from(i + 2) };
    const step = scanned && scan(compiling, scanned, scope, following);
    return step === undefined ? located(compiling, expr, scope, then) : at(expr, step);
  };
  return from(0);
}

function located(compiling: Compiling, expr: Expr, scope: Scope, then: () => Step): Step {
  const step = expression(compiling, expr, scope, then);
  return mayFail(compiling, expr) ? at(expr, step) : step;
}

/** Notes where the evaluation is, for errors. */
function at({ loc }: Expr, step: Step): Step {
  return (frame) => {
    frame.at = loc;
    return step(frame);
  };
}

/** Whether an expression does more than compare documents and variables. */
function mayFail({ program }: Compiling, expr: Expr): boolean {
  if (expr.kind !== 'term' && !(expr.kind === 'call' && functionName(expr.operator) === 'eq')) return true;
  const terms = expr.kind === 'term' ? [expr.term] : expr.args;
  return terms.some((term) => {
    if (term.type !== 'ref') return needsSearch(term);
    const [head] = term.terms;
    return head?.type !== 'var' || (head.name === 'data' && staticPlaceOf(program, term).document !== undefined);
  });
}

function expression(compiling: Compiling, expr: Expr, scope: Scope, then: () => Step): Step {
  if (expr.with.length > 0) throw new NeedsSearch('a modifier');
  if (!expr.negated) return plainExpression(compiling, expr, scope, then);
  return condition(plainExpression(compiling, expr, scope.inner(), solved), then(), false);
}

const solved = (): Step => () => true;

/** Continues if there is a solution, or if there is none. */
function condition(test: Step, next: Step, wanted: boolean): Step {
  return (frame) => test(frame) === wanted && next(frame);
}

function plainExpression(compiling: Compiling, expr: Expr, scope: Scope, then: () => Step): Step {
  const inner = (exprs: Body): Step => body(compiling, exprs, scope.inner(), solved);
  switch (expr.kind) {
    case 'term':
      return truth(compiling, expr.term, scope, then);
    case 'call': {
      const [a, b] = expr.args;
      const isEquality = expr.args.length === 2 && functionName(expr.operator) === 'eq';
      return isEquality ? equality(compiling, a!, b!, scope, then) : call(compiling, expr, scope, then);
    }
    case 'every':
      return every(compiling, expr, scope, then);
    case 'not':
      return condition(inner(expr.body), then(), false);
    case 'and':
      return condition(inner(expr.lhs), condition(inner(expr.rhs), then(), true), true);
    case 'or': {
      const [left, right] = [inner(expr.lhs), inner(expr.rhs)];
      return condition((frame) => left(frame) || right(frame), then(), true);
    }
    case 'some':
      return then();
  }
}

/** A term alone must be defined and not false. */
function truth(compiling: Compiling, term: Term, scope: Scope, then: () => Step): Step {
  return compiling.operand(term, scope, (value) => {
    const next = then();
    return (frame) => value(frame) !== false && next(frame);
  });
}

/** In the order of the search's `unify`. */
function equality(compiling: Compiling, a: Term, b: Term, scope: Scope, then: () => Step): Step {
  const isUnbound = (term: Term) => term.type === 'var' && !scope.isBound(term.name);
  if (isUnbound(a)) return assignment(compiling, a, b, scope, then);
  if (isUnbound(b)) return assignment(compiling, b, a, scope, then);
  if (hasParts(a) && hasParts(b)) {
    if (isBound(a, scope)) return matching(plain(a, scope), b, scope, then);
    if (isBound(b, scope)) return matching(plain(b, scope), a, scope, then);
    throw new NeedsSearch('two terms with variables without values');
  }
  if (!isBound(a, scope)) return compiling.operand(b, scope, (value) => matching(value, a, scope, then));
  if (!needsSearch(b)) return compiling.operand(a, scope, (value) => matching(value, b, scope, then));
  return compiling.operand(a, scope, (left) =>
    compiling.operand(b, scope, (right) => {
      const next = then();
      return (frame) => equal(left(frame), right(frame)) && next(frame);
    }),
  );
}

/** A variable without a value gets the value of a term. */
function assignment(compiling: Compiling, variable: Term, term: Term, scope: Scope, then: () => Step): Step {
  const value = compiling.single(term, scope);
  if (value === undefined) return compiling.operand(term, scope, (found) => matching(found, variable, scope, then));
  const slot = scope.bind((variable as Term & { type: 'var' }).name);
  const next = then();
  return (frame) => {
    const found = value(frame);
    if (found === undefined) return false;
    frame.slots[slot] = found;
    return next(frame);
  };
}

function matching(value: Get, pattern: Term, scope: Scope, then: () => Step): Step {
  const matches = match(pattern, scope);
  const next = then();
  return (frame) => matches(frame, value(frame)) && next(frame);
}

function hasParts({ type }: Term): boolean {
  return type === 'array' || type === 'object';
}

function needsSearch({ type }: Term): boolean {
  return type === 'ref' || type === 'arraycomprehension' || type === 'setcomprehension' || type === 'objectcomprehension';
}

/** Holds unless the body is undefined for an element; a scalar domain makes it undefined. */
function every(compiling: Compiling, { domain, key, value, body: exprs }: EveryExpr, scope: Scope, then: () => Step): Step {
  return compiling.operand(domain, scope, (collection) => {
    const inner = scope.inner();
    const keySlot = key === undefined ? inner.temporary() : inner.bind(key.name);
    const slot = inner.bind(value.name);
    const holds = body(compiling, exprs, inner, solved);
    const next = then();
    return (frame) => {
      const elements = collection(frame);
      if (!isArray(elements) && !isObject(elements) && !isSet(elements)) return false;
      for (const at of keysOf(elements)) {
        frame.run.count();
        frame.slots[keySlot] = at;
        frame.slots[slot] = isSet(elements) ? at : lookup(elements, at)!;
        if (!holds(frame)) return false;
      }
      return next(frame);
    };
  });
}
