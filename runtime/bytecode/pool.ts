import type { Policy, Stmt } from '../../ir-schema/plan.js';
import { pathKey } from '../values/path-key.js';
import type { Value } from '../values/value.js';

/** What the functions of a program share. */
export class Pool {
  readonly constants: Value[] = [];
  readonly builtins: string[] = [];
  readonly documentPaths: string[][] = [];
  readonly tables: ReadonlyMap<string | boolean, readonly number[]>[] = [];
  readonly places: number[] = [0, 0, 0];
  readonly functions = new Map<string, number>();
  /** Constants that functions stand for, by name. */
  readonly constantFunctions = new Map<string, number>();
  readonly #constantIndexes = new Map<unknown, number>();
  readonly #builtinIndexes = new Map<string, number>();
  readonly #pathIndexes = new Map<string, number>();
  readonly #strings: readonly string[];

  constructor(policy: Policy) {
    this.#strings = (policy.static?.strings ?? []).map(({ value }) => internalized(value));
  }

  string(index: number): string {
    return this.#strings[index]!;
  }

  constant(value: Value): number {
    let index = this.#constantIndexes.get(value);
    if (index === undefined) {
      index = this.constants.push(value) - 1;
      this.#constantIndexes.set(value, index);
    }
    return index;
  }

  /** Whether a constant equals only what is identical to it. */
  isPlainScalar(index: number): boolean {
    const value = this.constants[index];
    return typeof value === 'string' || typeof value === 'boolean' || value === null;
  }

  builtin(name: string): number {
    let index = this.#builtinIndexes.get(name);
    if (index === undefined) {
      index = this.builtins.push(name) - 1;
      this.#builtinIndexes.set(name, index);
    }
    return index;
  }

  path(keys: readonly string[]): number {
    const key = pathKey(keys);
    let index = this.#pathIndexes.get(key);
    if (index === undefined) {
      index = this.documentPaths.push(keys.map(internalized)) - 1;
      this.#pathIndexes.set(key, index);
    }
    return index;
  }

  place({ stmt }: Stmt): number {
    const { file, row, col } = stmt;
    // Statements of one expression come one after the other.
    const last = this.places.length - 3;
    if (this.places[last] === file && this.places[last + 1] === row && this.places[last + 2] === col) return last / 3;
    return this.places.push(file, row, col) / 3 - 1;
  }
}

/** A string that is a property name finds properties faster than an equal one that is not. */
export function internalized(text: string): string {
  return Object.keys({ [text]: 0 })[0]!;
}
