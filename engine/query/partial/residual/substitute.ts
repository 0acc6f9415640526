/** Replaces variables of the residual by terms. */

import type { Body, Expr, RefTerm, Term, VarTerm } from '../../../../compiler/index.js';
import { isRootName, mapExprChildren, mapTermChildren } from '../../../../compiler/index.js';
import { extended } from './extended.js';

type Replacement = (name: string) => Term | undefined;

export class Substitution {
  readonly #replace: Replacement;
  /** In closures. */
  readonly #inside: Replacement;

  constructor(replace: Replacement, inside: Replacement = replace) {
    this.#replace = replace;
    this.#inside = inside;
  }

  readonly term = (term: Term): Term => {
    switch (term.type) {
      case 'var':
        return this.#replace(term.name) ?? term;
      case 'ref':
        return this.#ref(term);
      case 'call':
        return { ...term, args: term.args.map(this.term) };
      case 'arraycomprehension':
      case 'setcomprehension':
      case 'objectcomprehension': {
        const inner = this.#inner();
        return mapTermChildren(term, { term: inner.term, body: inner.body });
      }
      default:
        return mapTermChildren(term, { term: this.term, body: this.body });
    }
  };

  readonly body = (body: Body): Body => body.map((expr) => this.expr(expr));

  expr(expr: Expr): Expr {
    const modified = this.modifiers(expr);
    if (expr.kind === 'call') return { ...modified, args: expr.args.map(this.term) } as Expr;
    const inner = this.#inner();
    if (expr.kind === 'every') {
      const [key, value] = [expr.key && (inner.term(expr.key) as VarTerm), inner.term(expr.value) as VarTerm];
      return { ...modified, key, value, domain: this.term(expr.domain), body: inner.body(expr.body) } as Expr;
    }
    const mapped = mapExprChildren({ ...modified, with: [] }, { term: this.term, body: inner.body });
    return { ...mapped, with: modified.with };
  }

  /** Replaces variables in the values of modifiers only. */
  modifiers(expr: Expr): Expr {
    if (expr.with.length === 0) return expr;
    return {
      ...expr,
      with: expr.with.map((one) => (one.value.type === 'ref' ? one : { ...one, value: this.term(one.value) })),
    };
  }

  #inner(): Substitution {
    return this.#inside === this.#replace ? this : new Substitution(this.#inside);
  }

  #ref(ref: RefTerm): Term {
    const [head, ...rest] = ref.terms as [Term, ...Term[]];
    const keys = rest.map(this.term);
    if (head.type === 'var' && isRootName(head.name)) return { ...ref, terms: [head, ...keys] };
    return extended(this.term(head), keys, ref.loc);
  }
}
