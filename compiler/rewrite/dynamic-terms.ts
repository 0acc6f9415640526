/**
 * Refs and comprehensions inside of other terms are bound before: `f(data.x)` is
 * `__local0__ = data.x; f(__local0__)`. A ref or comprehension that is a whole expression or a side
 * of a unification stays.
 */

import type { Body, Expr, ObjectEntry, RefTerm, Term } from '../ast/nodes.js';
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
        const args = isEquality(expr) ? this.#sides(written) : this.#parts(written, 0);
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
    const terms = this.#parts(term.terms, 1);
    return terms === term.terms ? term : { ...term, terms };
  }

  #sides(terms: readonly Term[]): readonly Term[] {
    let mapped: Term[] | undefined;
    for (let i = 0; i < terms.length; i++) {
      const next = this.#whole(terms[i]!);
      if (next !== terms[i]) (mapped ??= terms.slice())[i] = next;
    }
    return mapped ?? terms;
  }

  /** The terms from some place on as parts. */
  #parts(terms: readonly Term[], start: number): readonly Term[] {
    let mapped: Term[] | undefined;
    for (let i = start; i < terms.length; i++) {
      const next = this.#part(terms[i]!);
      if (next !== terms[i]) (mapped ??= terms.slice())[i] = next;
    }
    return mapped ?? terms;
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
        const binding = bindToLocal(this.#context, this.#whole(term), this.#origin.with);
        this.#into.push(binding);
        return binding.args[0]!;
      }
      case 'array':
      case 'set': {
        const items = this.#parts(term.items, 0);
        return items === term.items ? term : { ...term, items };
      }
      case 'object': {
        let entries: ObjectEntry[] | undefined;
        for (let i = 0; i < term.entries.length; i++) {
          const entry = term.entries[i]!;
          const key = this.#part(entry.key);
          const value = this.#part(entry.value);
          if (key !== entry.key || value !== entry.value) (entries ??= term.entries.slice())[i] = { key, value };
        }
        return entries ? { ...term, entries } : term;
      }
      default:
        return term;
    }
  }
}
