/** Helpers that the rewritings of bodies share. */

import { refTerm, varTerm } from '../ast/make.js';
import type { Body, CallExpr, Expr, RefTerm, Term, VarTerm, With } from '../ast/nodes.js';
import type { Context } from '../resolve/working-module.js';
import type { Span } from '../source/location.js';

interface Bound {
  readonly variable: VarTerm;
  readonly binding: CallExpr;
}

/** A new variable bound to a term: `__local0__ = term`, located where the term stands. */
export function bindToLocal(context: Context, term: Term, modifiers: readonly With[] = noModifiers): Bound {
  const { loc } = term;
  const variable = varTerm(loc, context.locals.make());
  const operator = refTerm(loc, [varTerm(loc, 'eq')]);
  return { variable, binding: generatedCall(loc, operator, [variable, term], modifiers) };
}

const noModifiers: readonly With[] = [];

/** A call that stands for a part of another expression. */
export function generatedCall(
  loc: Span,
  operator: RefTerm,
  args: readonly Term[],
  modifiers: readonly With[] = noModifiers,
): CallExpr {
  return { type: 'expr', kind: 'call', loc, negated: false, generated: true, with: modifiers, operator, args };
}

/** The body with expressions at its end. A body that is only `true` makes room for them. */
export function append(body: Body, exprs: readonly Expr[]): Body {
  if (exprs.length === 0) return body;
  return isTrue(body) ? exprs : body.concat(exprs);
}

function isTrue(body: Body): boolean {
  const [expr] = body;
  return (
    body.length === 1 &&
    expr?.kind === 'term' &&
    expr.term.type === 'boolean' &&
    expr.term.value &&
    !expr.negated &&
    expr.with.length === 0
  );
}

/** The body with each expression replaced by one or more; the same body if nothing changed. */
export function flatMapBody(body: Body, map: (expr: Expr, into: Expr[]) => void): Body {
  const result: Expr[] = [];
  for (const expr of body) map(expr, result);
  // The copy has no room for more.
  return result.length === body.length && result.every((expr, i) => expr === body[i]) ? body : result.slice();
}
