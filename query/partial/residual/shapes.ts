/** Equalities whose sides can never be equal, as their terms show. */

import { compareTerms } from '../../../compiler/ast/compare.js';
import { numberTerm } from '../../../compiler/ast/make.js';
import { isLiteral } from '../../../compiler/ast/names.js';
import type { Body, CallExpr, Expr, ObjectTerm, Term } from '../../../compiler/ast/nodes.js';
import { varsOf } from '../../../compiler/ast/vars.js';
import { mapExprChildren, mapTermChildren } from '../../../compiler/ast/walk.js';
import { isOperator } from '../../../compiler/resolve/declared.js';
import { nowhere } from '../../../compiler/source/location.js';

interface Equality extends CallExpr {
  readonly args: readonly [Term, Term];
}

export function isEquality(expr: Expr): expr is Equality {
  return expr.kind === 'call' && expr.args.length === 2 && isOperator(expr.operator, 'eq');
}

/** Whether two terms may be equal for some values of their variables, refs and calls. */
export function canBeEqual(a: Term, b: Term): boolean {
  const [kind, other] = [kindOf(a), kindOf(b)];
  if (kind === undefined || other === undefined) return true;
  if (kind !== other) return false;
  if (isLiteral(a) && isLiteral(b)) return compareTerms(a, b) === 0;
  if (a.type === 'array' && b.type === 'array') {
    return a.items.length === b.items.length && a.items.every((item, i) => canBeEqual(item, b.items[i]!));
  }
  return a.type !== 'object' || b.type !== 'object' || canObjectsBeEqual(a, b);
}

function canObjectsBeEqual(a: ObjectTerm, b: ObjectTerm): boolean {
  if (![...a.entries, ...b.entries].every(({ key }) => isLiteral(key))) return true;
  if (a.entries.length !== b.entries.length) return false;
  return a.entries.every(({ key, value }) => {
    const other = b.entries.find((entry) => compareTerms(entry.key, key) === 0);
    return other !== undefined && canBeEqual(value, other.value);
  });
}

/** The kind of a term's value; undefined where the term does not show it. */
function kindOf({ type }: Term): string | undefined {
  switch (type) {
    case 'arraycomprehension':
      return 'array';
    case 'setcomprehension':
      return 'set';
    case 'objectcomprehension':
      return 'object';
    case 'var':
    case 'ref':
    case 'call':
    case 'templatestring':
      return undefined;
    default:
      return type;
  }
}

/**
 * Equalities in closures that can never hold bind no variables, and would be unsafe. The side that
 * is known outside is looked up in an array: `[x, y] = 1` becomes `[x, y] = [1][0]`.
 * @param live variables that are known outside of the body
 */
export function withSafePatterns(body: Body, live: ReadonlySet<string>): Body {
  let outer: ReadonlySet<string> | undefined;
  const isKnown = (term: Term): boolean => {
    if (isLiteral(term)) return true;
    outer ??= new Set([...live, ...varsOf(body, { skipClosures: true })]);
    return [...varsOf(term)].every((name) => outer!.has(name));
  };
  const mapper = { term: (term: Term): Term => mapTermChildren(term, mapper), body: (inner: Body): Body => inner.map(mapExpr) };
  const mapExpr = (given: Expr): Expr => {
    const expr = mapExprChildren(given, mapper);
    if (!isEquality(expr) || canBeEqual(...expr.args)) return expr;
    const [a, b] = expr.args;
    if (isKnown(b)) return { ...expr, args: [a, looked(b)] };
    return isKnown(a) ? { ...expr, args: [looked(a), b] } : expr;
  };
  return body.map((expr) => mapExprChildren(expr, mapper));
}

function looked(term: Term): Term {
  const array: Term = { type: 'array', loc: nowhere, items: [term] };
  return { type: 'ref', loc: nowhere, terms: [array, numberTerm(nowhere, '0')] };
}
