import type { Register } from '../lowered.js';

/** The registers of a function's frame, given to its locals. */
export class Registers {
  readonly #shared = new Map<number, Register>();
  /** The registers of locals of the current outermost block. */
  readonly #own = new Map<number, Register>();
  #next = 0;
  #count = 0;

  /** @param shared locals that pass values between outermost blocks, parameters first */
  constructor(shared: Iterable<number>) {
    for (const local of shared) if (!this.#shared.has(local)) this.#shared.set(local, this.#next++);
    this.#count = this.#next;
  }

  /** How many locals are shared: they have the first registers. */
  get shared(): number {
    return this.#shared.size;
  }

  /** How many registers a frame needs. */
  get count(): number {
    return this.#count;
  }

  /** The first of `count` new registers. */
  temporaries(count: number): Register {
    const first = this.#next;
    this.#next += count;
    this.#count = Math.max(this.#count, this.#next);
    return first;
  }

  /** The number that the next new register gets: where the locals of each outermost block start. */
  get next(): Register {
    return this.#next;
  }

  /** Begins an outermost block: its locals get registers from `first` on. */
  enter(first: Register): void {
    this.#next = first;
    this.#own.clear();
  }

  /** The register of a local; a local of the block gets one where it is first mentioned. */
  of(local: number): Register {
    const known = this.#shared.get(local) ?? this.#own.get(local);
    if (known !== undefined) return known;
    const register = this.temporaries(1);
    this.#own.set(local, register);
    return register;
  }

  /** Whether a local of the current block has a register. */
  hasOwn(local: number): boolean {
    return this.#own.has(local);
  }

  /** Lets a local of the current block share a register. */
  share(local: number, register: Register): void {
    this.#own.set(local, register);
  }
}
