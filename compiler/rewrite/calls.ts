/**
 * Calls in terms become expressions of their own before the one that uses them: `f(g(x))` is
 * `g(x, __local0__); f(__local0__)`.
 */

import { varTerm } from '../ast/make.js';
import type { Body, Expr, RefTerm, Rule, Term, With } from '../ast/nodes.js';
import { mapEntries, mapList } from '../ast/walk.js';
import type { Context } from '../resolve/working-module.js';
import { append, bindToLocal, flatMapBody, generatedCall } from './bodies.js';

/** A rule's link without calls in terms. */
export function rewriteCalls(link: Rule, context: Context): Rule {
  const { head } = link;
  const support: Expr[] = [];
  const args = head.args && mapTerms(head.args, context, support);
  const key = head.key && expandTerm(head.key, context, support);
  const value = head.value && expandTerm(head.value, context, support);
  const changed = args !== head.args || key !== head.key || value !== head.value;
  const body = rewriteCallsInBody(append(link.body, support), context);
  if (!changed && body === link.body) return link;
  return { ...link, head: changed ? { ...head, args, key, value } : head, body };
}

export function rewriteCallsInBody(body: Body, context: Context): Body {
  return flatMapBody(body, (expr, into) => expandExpr(expr, context, into));
}

function expandExpr(written: Expr, context: Context, into: Expr[]): void {
  const expr = written.with.length > 0 ? withValues(written, context, into) : written;
  switch (expr.kind) {
    case 'term': {
      const support: Expr[] = [];
      const term = expandTerm(expr.term, context, support);
      addAll(into, support, expr.with);
      into.push(term === expr.term ? expr : { ...expr, term });
      return;
    }
    case 'call': {
      const support: Expr[] = [];
      const args = mapTerms(expr.args, context, support);
      addAll(into, support, expr.with);
      into.push(args === expr.args ? expr : { ...expr, args });
      return;
    }
    case 'every': {
      const { variable, binding } = bindToLocal(context, expr.domain, expr.with);
      const support: Expr[] = [];
      const domain = expandTerm(expr.domain, context, support);
      addAll(into, support, expr.with);
      into.push({ ...binding, args: [variable, domain] });
      into.push({ ...expr, domain: variable, body: rewriteCallsInBody(expr.body, context) });
      return;
    }
    case 'not': {
      const body = rewriteCallsInBody(expr.body, context);
      into.push(body === expr.body ? expr : { ...expr, body });
      return;
    }
    case 'and':
    case 'or': {
      const lhs = rewriteCallsInBody(expr.lhs, context);
      const rhs = rewriteCallsInBody(expr.rhs, context);
      into.push(lhs === expr.lhs && rhs === expr.rhs ? expr : { ...expr, lhs, rhs });
      return;
    }
    default:
      into.push(expr);
  }
}

/** Values of `with` are evaluated before, without the modifiers. */
function withValues(expr: Expr, context: Context, into: Expr[]): Expr {
  let changed = false;
  const modifiers = expr.with.map((modifier) => {
    const value = expandTerm(modifier.value, context, into);
    if (value === modifier.value) return modifier;
    changed = true;
    return { ...modifier, value };
  });
  return changed ? { ...expr, with: modifiers } : expr;
}

/** Calls moved out of an expression keep its modifiers. */
function addAll(into: Expr[], support: readonly Expr[], modifiers: readonly With[]): void {
  if (support.length === 0) return;
  for (const expr of support) into.push(modifiers.length > 0 ? { ...expr, with: modifiers } : expr);
}

function mapTerms(terms: readonly Term[], context: Context, support: Expr[]): readonly Term[] {
  return mapList(terms, (term) => expandTerm(term, context, support));
}

/** The term without calls, which go to `support` in the order of evaluation. */
function expandTerm(term: Term, context: Context, support: Expr[]): Term {
  switch (term.type) {
    case 'var':
    case 'string':
    case 'number':
      return term;
    case 'call': {
      const args = mapTerms(term.args, context, support);
      const output = varTerm(term.loc, context.locals.make());
      support.push(generatedCall(term.loc, term.operator, args.concat(output)));
      return output;
    }
    case 'ref':
      return expandRef(term, context, support);
    case 'array':
    case 'set': {
      const items = mapTerms(term.items, context, support);
      return items === term.items ? term : { ...term, items };
    }
    case 'object': {
      const entries = mapEntries(term.entries, (part) => expandTerm(part, context, support));
      return entries === term.entries ? term : { ...term, entries };
    }
    case 'arraycomprehension':
    case 'setcomprehension': {
      const inner: Expr[] = [];
      const head = expandTerm(term.term, context, inner);
      const body = rewriteCallsInBody(append(term.body, inner), context);
      return head === term.term && body === term.body ? term : { ...term, term: head, body };
    }
    case 'objectcomprehension': {
      const inner: Expr[] = [];
      const key = expandTerm(term.key, context, inner);
      const value = expandTerm(term.value, context, inner);
      const body = rewriteCallsInBody(append(term.body, inner), context);
      return key === term.key && value === term.value && body === term.body ? term : { ...term, key, value, body };
    }
    default:
      return term;
  }
}

/** A ref's head is a variable: `[1, 2][i]` is `__local0__ = [1, 2]; __local0__[i]`. */
function expandRef(term: RefTerm, context: Context, support: Expr[]): Term {
  const terms = mapList(term.terms, (part) => expandTerm(part, context, support));
  const [head, ...keys] = terms;
  if (head.type === 'var') return terms === term.terms ? term : { ...term, terms };
  const { variable, binding } = bindToLocal(context, head);
  support.push(binding);
  return { ...term, terms: [variable, ...keys] };
}
