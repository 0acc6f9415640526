import type { Operand } from '../../../ir-schema/index.js';

/** The variables bound at a point of a body, and their operands. */
export class PlanScope {
  readonly #outer: PlanScope | undefined;
  readonly #outerBindings: number;
  readonly #bound = new Map<string, Operand>();
  readonly #names: string[] = [];
  /** Every binding in order; a later one of the same name counts. */
  readonly #bindings: (readonly [name: string, operand: Operand])[] = [];

  constructor(outer?: PlanScope) {
    this.#outer = outer;
    this.#outerBindings = outer?.bindings ?? 0;
  }

  get(name: string): Operand | undefined {
    for (let scope: PlanScope | undefined = this; scope !== undefined; scope = scope.#outer) {
      const operand = scope.#bound.get(name);
      if (operand !== undefined) return operand;
    }
    return undefined;
  }

  bind(name: string, operand: Operand): void {
    if (!this.#bound.has(name)) this.#names.push(name);
    this.#bound.set(name, operand);
    this.#bindings.push([name, operand]);
  }

  /** Notes a value that a variable of the author has; statements do not see it. */
  note(name: string, operand: Operand): void {
    this.#bindings.push([name, operand]);
  }

  /** How many bindings there have been here. */
  get bindings(): number {
    return this.#bindings.length;
  }

  /**
   * The operands by name of the first `count` bindings. Outer scopes do not change while an inner
   * one is open.
   */
  bindingsUntil(count: number): Map<string, Operand> {
    const operands = this.#outer?.bindingsUntil(this.#outerBindings) ?? new Map<string, Operand>();
    for (const [name, operand] of this.#bindings.slice(0, count)) operands.set(name, operand);
    return operands;
  }

  /** Names bound here, outer scopes left out, in the order in which they were. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** How many there are. */
  get size(): number {
    return this.#names.length;
  }

  /** The names that were bound after there were `size`. */
  namesFrom(size: number): readonly string[] {
    return this.#names.slice(size);
  }
}
