/** Helpers that the rewritings of bodies share. */

import { refTerm, varTerm } from '../ast/make.js';
import type { Body, CallExpr, Expr, RefTerm, Term, With } from '../ast/nodes.js';
import type { Context } from '../resolve/working-module.js';
import type { Span } from '../source/location.js';

/** A new variable bound to a term: `__local0__ = term`, located where the term stands. */
export function bindToLocal(context: Context, term: Term, modifiers: readonly With[] = noModifiers): CallExpr {
  const { loc } = term;
  const operator = refTerm(loc, [varTerm(loc, 'eq')]);
  return generatedCall(loc, operator, [varTerm(loc, context.locals.make()), term], modifiers);
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
  const expr = body[0]!;
  return (
    body.length === 1 &&
    expr.kind === 'term' &&
    expr.term.type === 'boolean' &&
    expr.term.value &&
    !expr.negated &&
    expr.with.length === 0
  );
}

/** The body with each expression replaced by one or more; the same body if nothing changed. */
export function flatMapBody(body: Body, map: (expr: Expr, into: Expr[]) => void): Body {
  const result: Expr[] = [];
  for (let i = 0; i < body.length; i++) map(body[i]!, result);
  // The copy has no room for more.
  if (result.length !== body.length) return result.slice();
  for (let i = 0; i < body.length; i++) if (result[i] !== body[i]) return result.slice();
  return body;
}
