import type { Operand } from '../../../ir-schema/plan.js';

/** The variables bound at a point of a body, and their operands. */
export class Scope {
  readonly #outer: Scope | undefined;
  readonly #bound = new Map<string, Operand>();
  readonly #names: string[] = [];

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  get(name: string): Operand | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#outer) {
      const operand = scope.#bound.get(name);
      if (operand !== undefined) return operand;
    }
    return undefined;
  }

  bind(name: string, operand: Operand): void {
    if (!this.#bound.has(name)) this.#names.push(name);
    this.#bound.set(name, operand);
  }

  /** Names bound here, outer scopes left out, in the order in which they were. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** How many there are. */
  get size(): number {
    return this.#names.length;
  }

  /** Those bound after there were `size`. */
  namesFrom(size: number): readonly string[] {
    return this.#names.slice(size);
  }
}
