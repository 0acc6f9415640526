/** The variables of a rule while it is compiled: their slots, and which of them have values. */

export class Scope {
  readonly #slots: Map<string, number>;
  readonly #bound: Set<string>;
  readonly #count: { slots: number };

  constructor(slots = new Map<string, number>(), bound = new Set<string>(), count = { slots: 0 }) {
    this.#slots = slots;
    this.#bound = bound;
    this.#count = count;
  }

  /** The scope of a body inside: the variables that it binds have no values outside. */
  inner(): Scope {
    return new Scope(this.#slots, new Set(this.#bound), this.#count);
  }

  isBound(name: string): boolean {
    return this.#bound.has(name);
  }

  /** The slot of a variable, which has a value from now on. */
  bind(name: string): number {
    this.#bound.add(name);
    let slot = this.#slots.get(name);
    if (slot === undefined) this.#slots.set(name, (slot = this.temporary()));
    return slot;
  }

  slotOf(name: string): number {
    return this.#slots.get(name)!;
  }

  /** A slot without a name. */
  temporary(): number {
    return this.#count.slots++;
  }
}
