/**
 * Refs and comprehensions inside of other terms are bound before: `f(data.x)` is
 * `__local0__ = data.x; f(__local0__)`. A ref or comprehension that is a whole expression or a side
 * of a unification stays.
 */

import type { Body, Expr, RefTerm, Term } from '../ast/nodes.js';
import { mapEntries, mapList } from '../ast/walk.js';
import { isEquality } from '../resolve/expression-kinds.js';
import type { Context } from '../resolve/working-module.js';
import { bindToLocal, flatMapBody } from './bodies.js';

export function rewriteDynamicTerms(body: Body, context: Context): Body {
  return flatMapBody(body, (expr, into) => {
    const rewriter = new Rewriter(context, expr, into);
    into.push(rewriter.expr(expr));
  });
}

class Rewriter {
  readonly #context: Context;
  readonly #origin: Expr;
  readonly #into: Expr[];

  /** `origin` is the expression of the terms: terms moved out of it keep its modifiers. */
  constructor(context: Context, origin: Expr, into: Expr[]) {
    this.#context = context;
    this.#origin = origin;
    this.#into = into;
  }

  expr(expr: Expr): Expr {
    switch (expr.kind) {
      case 'term': {
        const term = this.#whole(expr.term);
        return term === expr.term ? expr : { ...expr, term };
      }
      case 'call': {
        const { args: written } = expr;
        const args = isEquality(expr) ? mapList(written, (side) => this.#whole(side)) : this.#parts(written);
        return args === written ? expr : { ...expr, args };
      }
      case 'every': {
        const domain = this.#part(expr.domain);
        const body = this.#body(expr.body);
        return domain === expr.domain && body === expr.body ? expr : { ...expr, domain, body };
      }
      case 'not': {
        const body = this.#body(expr.body);
        return body === expr.body ? expr : { ...expr, body };
      }
      case 'and':
      case 'or': {
        const lhs = this.#body(expr.lhs);
        const rhs = this.#body(expr.rhs);
        return lhs === expr.lhs && rhs === expr.rhs ? expr : { ...expr, lhs, rhs };
      }
      default:
        return expr;
    }
  }

  #body(body: Body): Body {
    return rewriteDynamicTerms(body, this.#context);
  }

  /** A term that stays, with rewritten parts. */
  #whole(term: Term): Term {
    switch (term.type) {
      case 'ref':
        return this.#refParts(term);
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension': {
        const body = this.#body(term.body);
        return body === term.body ? term : { ...term, body };
      }
      default:
        return this.#part(term);
    }
  }

  #refParts(term: RefTerm): RefTerm {
    const terms = mapList(term.terms, (part, i) => (i === 0 ? part : this.#part(part)));
    return terms === term.terms ? term : { ...term, terms };
  }

  #parts(terms: readonly Term[]): readonly Term[] {
    return mapList(terms, (term) => this.#part(term));
  }

  #part(term: Term): Term {
    switch (term.type) {
      case 'var':
      case 'string':
      case 'number':
        return term;
      case 'ref':
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension': {
        const { variable, binding } = bindToLocal(this.#context, this.#whole(term), this.#origin.with);
        this.#into.push(binding);
        return variable;
      }
      case 'array':
      case 'set': {
        const items = this.#parts(term.items);
        return items === term.items ? term : { ...term, items };
      }
      case 'object': {
        const entries = mapEntries(term.entries, (part) => this.#part(part));
        return entries === term.entries ? term : { ...term, entries };
      }
      default:
        return term;
    }
  }
}
