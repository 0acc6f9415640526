/** Refs and calls that a body tests to be defined, among other uses. */

import { callTerm } from '../../../compiler/ast/make.js';
import { isRootName } from '../../../compiler/ast/names.js';
import type { Body, Expr, Term } from '../../../compiler/ast/nodes.js';
import { printTerm } from '../../../compiler/ast/print.js';
import { isOperator } from '../../../compiler/resolve/declared.js';
import { nowhere } from '../../../compiler/source/location.js';

export class DefinedTerms {
  readonly #printed = new Set<string>();

  has(term: Term): boolean {
    return this.#printed.has(printTerm(term));
  }

  /** Adds the terms that are defined where an expression holds. */
  add(expr: Expr): void {
    for (const { value } of expr.with) this.#term(value);
    if (expr.with.length > 0) return;
    if (expr.kind === 'every') this.#term(expr.domain);
    else if (expr.kind === 'and' && !expr.negated) for (const one of [...expr.lhs, ...expr.rhs]) this.add(one);
    else if (expr.kind === 'or' && !expr.negated) this.#either(expr.lhs, expr.rhs);
    else if (expr.kind === 'term') this.#side(expr.term, expr.negated);
    else if (expr.kind === 'call') {
      // `not x = y` holds where a ref on a side is undefined; operands of other calls are
      // evaluated before `not`.
      const isTest = expr.negated && isOperator(expr.operator, 'eq');
      for (const arg of expr.args) this.#side(arg, isTest);
      if (!expr.negated) this.#printed.add(printTerm(callTerm(nowhere, expr.operator, expr.args)));
    }
  }

  /** Adds what both bodies test. */
  #either(lhs: Body, rhs: Body): void {
    const [left, right] = [new DefinedTerms(), new DefinedTerms()];
    for (const one of lhs) left.add(one);
    for (const one of rhs) right.add(one);
    for (const one of left.#printed) if (right.#printed.has(one)) this.#printed.add(one);
  }

  /** @param isTested whether the term itself may be undefined */
  #side(term: Term, isTested: boolean): void {
    if (isTested && term.type === 'ref') for (const key of term.terms.slice(1)) this.#term(key);
    else this.#term(term);
  }

  #term(term: Term): void {
    switch (term.type) {
      case 'ref':
        term.terms.forEach((key, i) => {
          if (i > 0) this.#term(key);
          if (i > 0 || (key.type === 'var' && isRootName(key.name))) {
            this.#printed.add(printTerm({ ...term, terms: term.terms.slice(0, i + 1) }));
          }
        });
        break;
      case 'call':
        this.#printed.add(printTerm(term));
        for (const arg of term.args) this.#term(arg);
        break;
      case 'array':
      case 'set':
        for (const item of term.items) this.#term(item);
        break;
      case 'object':
        for (const { key, value } of term.entries) {
          this.#term(key);
          this.#term(value);
        }
        break;
      default:
    }
  }
}
