/** The variables of a body with their values, and the formula under which the body is reached. */
import type { Formula } from './formulas.js';
import type { SymbolicValue } from './symbolic-value.js';

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
}
