/** The variables of a body with their values, and the formula under which the body is reached. */
import type { Term } from '../../../compiler/index.js';
import type { Formula } from './formulas.js';
import type { Guarded, SymbolicValue } from './symbolic-value.js';

export class Bindings {
  readonly #values: ReadonlyMap<string, SymbolicValue>;
  /** Under this an evaluation comes here: a conflict that it meets later ends it there. */
  readonly reached: Formula;

  private constructor(values: ReadonlyMap<string, SymbolicValue>, reached: Formula) {
    this.#values = values;
    this.reached = reached;
  }

  static empty(reached: Formula): Bindings {
    return new Bindings(new Map(), reached);
  }

  get(name: string): SymbolicValue | undefined {
    return this.#values.get(name);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  with(name: string, value: SymbolicValue): Bindings {
    return new Bindings(new Map(this.#values).set(name, value), this.reached);
  }

  under(reached: Formula): Bindings {
    return reached === this.reached ? this : new Bindings(this.#values, reached);
  }

  /** Whether a term has a variable without a value. */
  isOpen(term: Term): boolean {
    if (term.type === 'var') return term.name !== 'input' && term.name !== 'data' && !this.has(term.name);
    if (term.type === 'array' || term.type === 'set') return term.items.some((item) => this.isOpen(item));
    return term.type === 'object' && term.entries.some(({ key, value }) => this.isOpen(key) || this.isOpen(value));
  }
}

/** A solution of a body. */
export interface Solution {
  readonly guard: Formula;
  readonly bindings: Bindings;
}

/** A value of a term, with the variables that it binds: keys of references. */
export interface BoundTerm extends Guarded {
  readonly bindings: Bindings;
}
