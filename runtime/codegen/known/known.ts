import type { Value } from '../../../values/index.js';
import type { Register } from '../../lowering/lowered.js';

/**
 * The known kind of a register: undefined, some value, or a value of a type. A `number` is a
 * double, an `object` a plain one or one of any keys.
 */
export type Kind = 'undefined' | 'value' | 'array' | 'set' | 'object' | 'string' | 'number' | 'boolean' | 'null';

/** The kind of a constant. */
export function kindOf(value: Value): Kind {
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'array' : 'value';
  return typeof value as Kind;
}

/** The kinds of registers before a block, and the registers that it has written so far. */
interface OpenBlock {
  readonly before: ReadonlyMap<Register, Kind>;
  readonly written: Set<Register>;
}

/** The known kinds of registers at the current place of a text. */
export class Known {
  #kinds = new Map<Register, Kind>();
  readonly #open: OpenBlock[] = [];

  of(register: Register): Kind | undefined {
    return this.#kinds.get(register);
  }

  isDefined(register: Register): boolean {
    const kind = this.#kinds.get(register);
    return kind !== undefined && kind !== 'undefined';
  }

  /** The register got another value. */
  write(register: Register, kind: Kind | undefined): void {
    this.#open.at(-1)?.written.add(register);
    if (kind === undefined) this.#kinds.delete(register);
    else this.#kinds.set(register, kind);
  }

  /** A test was passed: the register has a value, or one of a type. */
  learn(register: Register, kind: Kind): void {
    if (kind !== 'value' || !this.isDefined(register)) this.#kinds.set(register, kind);
  }

  /** A block begins. */
  enter(): void {
    this.#open.push({ before: this.#kinds, written: new Set() });
    this.#kinds = new Map(this.#kinds);
  }

  /** It ends, or is left anywhere inside. */
  leave(): void {
    const { before, written } = this.#open.pop()!;
    this.#kinds = new Map(before);
    for (const register of written) this.write(register, undefined);
  }

  /** Other statements may have written the registers. */
  forget(registers: Iterable<Register>): void {
    for (const register of registers) this.write(register, undefined);
  }

  /** Parts of the function may have run. */
  clear(): void {
    this.#kinds.clear();
  }
}
