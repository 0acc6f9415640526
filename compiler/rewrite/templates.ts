/**
 * Template strings become calls: `$"a {x}"` is
 * `internal.template_string(["a ", {__local0__ | __local0__ = x}])`. A part that is undefined makes
 * an empty set.
 */

import { callTerm, operatorRef, stringTerm } from '../ast/make.js';
import { isWildcard } from '../ast/names.js';
import type { Body, Expr, Rule, TemplateString, Term } from '../ast/nodes.js';
import { type Mapper, mapExprChildren, mapHeadChildren, mapTermChildren } from '../ast/walk.js';
import { type Bound, isBound } from '../check/bound.js';
import { outputsOfBody } from '../check/output-vars.js';
import { safetyVars } from '../check/safety-vars.js';
import { addVars } from '../resolve/expression-kinds.js';
import { arityOf, type Context, report } from '../resolve/working-module.js';
import { bindToLocal } from './bodies.js';

/** A rule's link without template strings. */
export function rewriteTemplatesInLink(link: Rule, context: Context): Rule {
  const params = new Set<string>();
  for (const arg of link.head.args ?? []) addVars(arg, params);
  const body = rewriteTemplates(link.body, params, context);
  const mapper = mapperOf(around(params, link.body, context), context);
  const head = mapHeadChildren(link.head, mapper);
  return head === link.head && body === link.body ? link : { ...link, head, body };
}

/** A body without template strings; `outside` are the variables that are bound before it. */
export function rewriteTemplates(body: Body, outside: Bound, context: Context): Body {
  const mapper = mapperOf(around(outside, body, context), context);
  let changed = false;
  const rewritten = body.map((expr) => {
    const next = rewriteExpr(expr, mapper, around(outside, body, context), context);
    if (next !== expr) changed = true;
    return next;
  });
  return changed ? rewritten : body;
}

/** The variables bound in a body or before it; computed on first use. */
function around(outside: Bound, body: Body, context: Context): Bound {
  let own: ReadonlySet<string> | undefined;
  return {
    has: (name) =>
      outside.has(name) || (own ??= outputsOfBody(body, (operator) => arityOf(context, operator), outside)).has(name),
  };
}

function rewriteExpr(expr: Expr, mapper: Mapper, bound: Bound, context: Context): Expr {
  if (expr.kind !== 'every') return mapExprChildren(expr, mapper);
  const names = new Set([expr.value.name, ...(expr.key ? [expr.key.name] : [])]);
  const body = rewriteTemplates(expr.body, { has: (name) => names.has(name) || bound.has(name) }, context);
  const outer = mapExprChildren({ ...expr, body: [] }, mapper) as typeof expr;
  return outer.domain === expr.domain && outer.with === expr.with && body === expr.body ? expr : { ...outer, body };
}

function mapperOf(bound: Bound, context: Context): Mapper {
  const mapper: Mapper = {
    term: (term) => {
      switch (term.type) {
        case 'templatestring':
          return rewriteTemplate(term, bound, context, mapper);
        case 'arraycomprehension':
        case 'setcomprehension':
        case 'objectcomprehension': {
          const inner = mapperOf(around(bound, term.body, context), context);
          return mapTermChildren(term, { term: inner.term, body: (body) => rewriteTemplates(body, bound, context) });
        }
        default:
          return mapTermChildren(term, mapper);
      }
    },
    body: (body) => rewriteTemplates(body, bound, context),
  };
  return mapper;
}

function rewriteTemplate({ loc, parts }: TemplateString, bound: Bound, context: Context, mapper: Mapper): Term {
  const features = context.options.capabilities?.features;
  if ((features && !features.includes('template_strings')) || !context.builtins.get('internal.template_string')) {
    report(context, 'templateStringsUnsupported', loc, {});
    return stringTerm(loc, '');
  }
  const items = parts.map((part) =>
    part.type === 'expr' ? rewritePart(part, bound, context, mapper) : mapper.term(part),
  );
  const array: Term = { type: 'array', loc, items: items.length === 0 ? [stringTerm(loc, '')] : items };
  return callTerm(loc, operatorRef(loc, 'internal.template_string'), [array]);
}

function rewritePart(part: Expr, bound: Bound, context: Context, mapper: Mapper): Term {
  const { loc } = part;
  if (part.kind !== 'term' && part.kind !== 'call') {
    report(context, 'templateExpression', loc, { kind: part.kind });
    return stringTerm(loc, '');
  }
  if (part.kind === 'call') {
    const builtin = context.builtins.of(part.operator);
    if (builtin?.relation === true) report(context, 'templateRelation', loc, { name: builtin.name });
  }
  const term = part.kind === 'term' ? part.term : callTerm(loc, part.operator, part.args);
  // A variable has a value, or is unsafe.
  if (term.type === 'var') return { type: 'set', loc, items: [term] };
  for (const name of [...safetyVars(term)].sort()) {
    if (isBound(name, bound)) continue;
    const written = context.locals.written(name);
    report(context, 'varUndeclared', term.loc, { name: isWildcard(written) ? '_' : written });
  }
  const { variable, binding } = bindToLocal(context, mapper.term(term));
  const modifiers = part.with.map((modifier) => ({
    ...modifier,
    target: mapper.term(modifier.target),
    value: mapper.term(modifier.value),
  }));
  const capture = { ...binding, generated: false, loc, with: modifiers };
  return { type: 'setcomprehension', loc, term: variable, body: [capture] };
}
