/** Numbers for terms. */

import type { Expr, Term } from '../../../../compiler/index.js';
import { FromInside, printTerm, setMembers, sortedTermEntries } from '../../../../compiler/index.js';

/** Equal numbers for equal terms, in time that the depth of a term does not multiply. */
export class TermNumbers {
  /** Numbers by the kind and parts of terms. */
  readonly #numbers = new Map<string, number>();
  readonly #known = new Map<Term | Expr, number>();
  readonly #made = new FromInside<number>((node) => this.#make(node));

  of(term: Term): number {
    let number = this.#known.get(term);
    if (number === undefined) {
      number = this.#made.of(term);
      this.#known.set(term, number);
    }
    return number;
  }

  /** The number of the beginning of a ref with one more term. */
  further(beginning: number, term: Term): number {
    return this.#number(`${beginning}[${this.of(term)}]`);
  }

  /** The number of a call. */
  call(operator: Term, args: readonly Term[]): number {
    return this.#number(`${this.of(operator)}(${this.#list(args)})`);
  }

  #make(node: Term | Expr): number {
    switch (node.type) {
      case 'ref': {
        const [head, ...keys] = node.terms;
        return keys.reduce((number, key) => this.further(number, key), this.of(head));
      }
      case 'call':
        return this.call(node.operator, node.args);
      case 'array':
        return this.#number(`[${this.#list(node.items)}]`);
      case 'set':
        return this.#number(`{${this.#list(setMembers(node.items))}}`);
      case 'object':
        return this.#number(
          `{:${this.#list(sortedTermEntries(node.entries).flatMap(({ key, value }) => [key, value]))}}`,
        );
      default:
        return this.#number(`=${printTerm(node as Term)}`);
    }
  }

  #list(terms: readonly Term[]): string {
    return terms.map((term) => this.of(term)).join(',');
  }

  #number(key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}
