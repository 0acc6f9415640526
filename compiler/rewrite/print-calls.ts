/**
 * `print` goes, or becomes a call that takes a set for each operand, so that undefined operands do
 * not end the body.
 */

import { callExpr, operatorRef, trueBody } from '../ast/make.js';
import { isWildcard } from '../ast/names.js';
import type { Body, CallExpr, Expr, Rule, Term } from '../ast/nodes.js';
import { type Mapper, mapExprChildren, mapHeadChildren, mapTermChildren } from '../ast/walk.js';
import { type Bound, isBound } from '../check/bound.js';
import { outputsOf } from '../check/output-vars.js';
import { safetyVars } from '../check/safety-vars.js';
import { addVars, isOperator } from '../resolve/expression-kinds.js';
import { isGeneratedName } from '../resolve/local-names.js';
import { arityOf, type Context, report } from '../resolve/working-module.js';
import { bindToLocal } from './bodies.js';
import { rewriteBody, rewriteLink } from './closures.js';

/** A rule's link without `print`. */
export function rewritePrintsInLink(link: Rule, context: Context): Rule {
  if (!context.options.print) return rewriteLink(link, { body: erase });
  const params = new Set<string>();
  for (const arg of link.head.args ?? []) addVars(arg, params);
  const body = rewritePrints(link.body, params, context);
  const head = mapHeadChildren(link.head, mapperOf(params, context));
  return head === link.head && body === link.body ? link : { ...link, head, body };
}

/** A body without `print`; `outside` are the variables that are bound before it. */
export function rewritePrints(body: Body, outside: Bound, context: Context): Body {
  return context.options.print ? capture(body, outside, context) : rewriteBody(body, { body: erase });
}

function isPrint(expr: Expr): expr is CallExpr {
  return expr.kind === 'call' && isOperator(expr.operator, 'print');
}

function erase(body: Body): Body {
  const print = body.find(isPrint);
  if (print === undefined) return body;
  const rest = body.filter((expr) => !isPrint(expr));
  return rest.length > 0 ? rest : trueBody(print.loc);
}

function capture(body: Body, outside: Bound, context: Context): Body {
  const own = new Set<string>();
  const bound: Bound = { has: (name) => own.has(name) || outside.has(name) };
  let changed = false;
  const rewritten = body.map((expr) => {
    const next = isPrint(expr) ? capturePrint(expr, bound, context) : captureInside(expr, bound, context);
    for (const name of outputsOf(expr, (operator) => arityOf(context, operator), bound)) own.add(name);
    // Variables declared above are bound in every order of the body's expressions.
    const names = new Set<string>();
    addVars(expr, names);
    for (const name of names) if (isGeneratedName(name)) own.add(name);
    if (next !== expr) changed = true;
    return next;
  });
  return changed ? rewritten : body;
}

function capturePrint(expr: CallExpr, bound: Bound, context: Context): Expr {
  for (const arg of expr.args) {
    for (const name of [...safetyVars(arg)].sort()) {
      if (isBound(name, bound)) continue;
      const written = context.locals.written(name);
      report(context, 'varUndeclared', arg.loc, { name: isWildcard(written) ? '_' : written });
    }
  }
  const items = expr.args.map((arg): Term => {
    const { variable, binding } = bindToLocal(context, arg);
    return { type: 'setcomprehension', loc: arg.loc, term: variable, body: [{ ...binding, generated: false }] };
  });
  return callExpr(expr.loc, operatorRef(expr.loc, 'internal.print'), [{ type: 'array', loc: expr.loc, items }]);
}

function captureInside(expr: Expr, bound: Bound, context: Context): Expr {
  if (expr.kind !== 'every') return mapExprChildren(expr, mapperOf(bound, context));
  const names = new Set([expr.value.name, ...(expr.key ? [expr.key.name] : [])]);
  return mapExprChildren(expr, mapperOf({ has: (name) => names.has(name) || bound.has(name) }, context));
}

function mapperOf(bound: Bound, context: Context): Mapper {
  const mapper: Mapper = {
    term: (term) => mapTermChildren(term, mapper),
    body: (body) => capture(body, bound, context),
  };
  return mapper;
}
