import type { Func, Policy, Stmt } from '../../ir-schema/plan.js';
import { pathKey } from '../../values/path-key.js';
import { internalized } from '../../values/text/internalized.js';
import type { Value } from '../../values/value.js';
import { SilentCalls } from './calls/silent-calls.js';
import type { Index, Operand } from './lowered.js';
import { RepeatableCalls } from './scans/repeatable.js';
import { SearchedPaths } from './scans/searched-paths.js';

/** The lists that lowered functions of one plan share and point into by index. */
export class Tables {
  readonly constants: Value[] = [];
  /** Names of the built-ins that are called. */
  readonly builtins: string[] = [];
  /** Paths into documents and elements. */
  readonly documentPaths: string[][] = [];
  /** File, row and column of statements, three numbers each. */
  readonly places: number[] = [0, 0, 0];
  /** Functions by name. */
  readonly functions = new Map<string, Index>();
  /** The same as the plan has them. */
  readonly funcs: ReadonlyMap<string, Func>;
  /** Constants of the functions that only return one, by name. */
  readonly constantFunctions = new Map<string, Index>();
  readonly #constantIndexes = new Map<unknown, Index>();
  readonly #builtinIndexes = new Map<string, Index>();
  readonly #pathIndexes = new Map<string, Index>();
  /** Calls that may be left out where they repeat an earlier one. */
  readonly repeatable: RepeatableCalls;
  /** Calls that nobody notices. */
  readonly silent: SilentCalls;
  /** Paths below elements by which some loop looks for a value. */
  readonly searched: SearchedPaths;
  /** Functions of whose arrays only the first element is read, see `scans/first-element.ts`. */
  firstElementRules: ReadonlySet<string> = new Set();
  readonly #given: readonly { readonly value: string }[];
  /** The same, internalized when they are first wanted. */
  readonly #strings: (string | undefined)[];

  constructor(policy: Policy) {
    this.#given = policy.static?.strings ?? [];
    this.#strings = new Array(this.#given.length);
    this.funcs = new Map((policy.funcs?.funcs ?? []).map((func) => [func.name, func]));
    this.repeatable = new RepeatableCalls(this.funcs);
    this.silent = new SilentCalls(this.funcs);
    this.searched = new SearchedPaths(this.string);
  }

  /** A string of the plan. */
  readonly string = (index: number): string => (this.#strings[index] ??= internalized(this.#given[index]!.value));

  constant(value: Value): Index {
    let index = this.#constantIndexes.get(value);
    if (index === undefined) {
      index = this.constants.push(value) - 1;
      this.#constantIndexes.set(value, index);
    }
    return index;
  }

  constantOperand(value: Value): Operand {
    return -1 - this.constant(value);
  }

  /** Whether a constant equals identical values only: numbers have more than one form. */
  isIdentity(index: Index): boolean {
    const value = this.constants[index];
    return typeof value === 'string' || typeof value === 'boolean' || value === null;
  }

  builtin(name: string): Index {
    let index = this.#builtinIndexes.get(name);
    if (index === undefined) {
      index = this.builtins.push(name) - 1;
      this.#builtinIndexes.set(name, index);
    }
    return index;
  }

  /** @param above a path for which this one is another than elsewhere */
  path(keys: readonly string[], above?: readonly string[]): Index {
    const key = above === undefined ? pathKey(keys) : `${pathKey(above)}*${pathKey(keys)}`;
    let index = this.#pathIndexes.get(key);
    if (index === undefined) {
      index = this.documentPaths.push(keys.map(internalized)) - 1;
      this.#pathIndexes.set(key, index);
    }
    return index;
  }

  place({ stmt }: Stmt): Index {
    const { file, row, col } = stmt;
    // Statements of one expression follow each other.
    const last = this.places.length - 3;
    if (this.places[last] === file && this.places[last + 1] === row && this.places[last + 2] === col) return last / 3;
    return this.places.push(file, row, col) / 3 - 1;
  }
}
