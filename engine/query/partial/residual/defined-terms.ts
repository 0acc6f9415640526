/** Refs and calls that a body tests to be defined, among other uses. */

import { type Body, type Expr, isOperator, isRootName, type RefTerm, type Term } from '../../../../compiler/index.js';
import { TermNumbers } from './term-numbers.js';

export class DefinedTerms {
  readonly #numbers: TermNumbers;
  readonly #defined = new Set<number>();

  constructor(numbers = new TermNumbers()) {
    this.#numbers = numbers;
  }

  has(term: Term): boolean {
    return this.#defined.has(this.#numbers.of(term));
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
      if (!expr.negated) this.#defined.add(this.#numbers.call(expr.operator, expr.args));
    }
  }

  /** Adds what both bodies test. */
  #either(lhs: Body, rhs: Body): void {
    const [left, right] = [new DefinedTerms(this.#numbers), new DefinedTerms(this.#numbers)];
    for (const one of lhs) left.add(one);
    for (const one of rhs) right.add(one);
    for (const one of left.#defined) if (right.#defined.has(one)) this.#defined.add(one);
  }

  /** @param isTested whether the term itself may be undefined */
  #side(term: Term, isTested: boolean): void {
    if (isTested && term.type === 'ref') for (const key of term.terms.slice(1)) this.#term(key);
    else this.#term(term);
  }

  #term(root: Term): void {
    // No recursion: a term may be deep.
    const left = [root];
    for (let term = left.pop(); term !== undefined; term = left.pop()) {
      if (term.type === 'ref') this.#ref(term, left);
      else if (term.type === 'call') {
        this.#defined.add(this.#numbers.of(term));
        for (const arg of term.args) left.push(arg);
      } else if (term.type === 'array' || term.type === 'set') for (const item of term.items) left.push(item);
      else if (term.type === 'object') for (const { key, value } of term.entries) left.push(key, value);
    }
  }

  /** Adds the beginnings of a ref. */
  #ref({ terms }: RefTerm, left: Term[]): void {
    const head = terms[0];
    let number = this.#numbers.of(head);
    if (head.type === 'var' && isRootName(head.name)) this.#defined.add(number);
    for (const key of terms.slice(1)) {
      left.push(key);
      number = this.#numbers.further(number, key);
      this.#defined.add(number);
    }
  }
}
