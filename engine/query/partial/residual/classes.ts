/** Variables that are equal to each other or to a constant. */

import type { Body, Expr, Term } from '../../../../compiler/index.js';
import { compareTerms, equalityExpr, isLiteral, isOperator, nowhere, varTerm } from '../../../../compiler/index.js';

/** `known`: the classes have it; `never`: it contradicts them. */
type Outcome = 'known' | 'never' | 'other';

export class Classes {
  readonly #live: ReadonlySet<string>;
  readonly #parents = new Map<string, string>();
  readonly #constants = new Map<string, Term>();

  constructor(live: ReadonlySet<string>) {
    this.#live = live;
  }

  /** Takes an equality of variables and constants. */
  add(expr: Expr): Outcome {
    if (expr.kind !== 'call' || expr.negated || expr.with.length > 0 || expr.args.length !== 2) return 'other';
    if (!isOperator(expr.operator, 'eq')) return 'other';
    const [a, b] = expr.args as [Term, Term];
    if (a.type === 'var') {
      if (b.type === 'var') return this.#unite(this.#root(a.name), this.#root(b.name));
      return isLiteral(b) ? this.#fix(this.#root(a.name), b) : 'other';
    }
    if (!isLiteral(a)) return 'other';
    if (b.type === 'var') return this.#fix(this.#root(b.name), a);
    return isLiteral(b) ? (compareTerms(a, b) === 0 ? 'known' : 'never') : 'other';
  }

  #unite(a: string, b: string): Outcome {
    if (a === b) return 'known';
    const [root, other] = this.#live.has(b) && !this.#live.has(a) ? [b, a] : [a, b];
    this.#parents.set(other, root);
    const constant = this.#constants.get(other);
    return constant === undefined ? 'known' : this.#fix(root, constant);
  }

  #fix(root: string, constant: Term): Outcome {
    const before = this.#constants.get(root);
    if (before !== undefined) return compareTerms(before, constant) === 0 ? 'known' : 'never';
    this.#constants.set(root, constant);
    if (!this.#parents.has(root)) this.#parents.set(root, root);
    return 'known';
  }

  #root(name: string): string {
    let root = name;
    for (let next = this.#parents.get(root); next !== undefined && next !== root; next = this.#parents.get(root))
      root = next;
    return root;
  }

  /** The constant or the other variable that stands for a variable. */
  termOf(name: string): Term | undefined {
    const root = this.#root(name);
    return this.#constants.get(root) ?? (root === name ? undefined : varTerm(nowhere, root));
  }

  /** The variables that something stands for, each with that. */
  each(visit: (name: string, term: Term) => void): void {
    for (const name of this.#parents.keys()) {
      const term = this.termOf(name);
      if (term !== undefined) visit(name, term);
    }
  }

  /** The equalities of variables that must be kept, in order of their names. */
  equalities(): Body {
    const names = [...this.#parents.keys()].filter((name) => this.#live.has(name)).sort();
    return names.flatMap((name) => {
      const term = this.termOf(name);
      return term === undefined ? [] : [equalityExpr([varTerm(nowhere, name), term])];
    });
  }
}
