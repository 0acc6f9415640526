/** What the parts of the evaluator know of each other. */

import type { Body, Term, With } from '../compiler/ast/nodes.js';
import type { Value } from '../runtime/values/value.js';
import type { Program } from './rules.js';

/** Values of variables. Never changed: what binds more makes a larger one. */
export type Bindings = ReadonlyMap<string, Value>;

/** One value of a term, and what it takes. */
export interface Valued {
  readonly value: Value;
  readonly bindings: Bindings;
}

/** Values of several terms. */
export interface Combination {
  readonly values: readonly Value[];
  readonly bindings: Bindings;
}

/** What `with` may change. */
export interface World {
  readonly input: Value | undefined;
  readonly data: Value;
  /** Paths of data for which no rule answers, as JSON. */
  readonly replaced: ReadonlySet<string>;
  /** What stands in for a function, by its name: another function or rule, or a value. */
  readonly mocks: ReadonlyMap<string, { readonly path: readonly Term[] } | { readonly value: Value }>;
}

/** Thrown where a variable is needed that has no value yet: something else must come first. */
export class Unbound extends Error {}
/** One for all: it is thrown often, and its place is of no use. */
export const unbound = new Unbound('a variable has no value yet');

export class OutOfSteps extends Error {}

/** Rules that contradict each other, or keys that do. */
export class Conflict extends Error {}

export interface Evaluation {
  readonly program: Program;
  /** Counts work. Throws OutOfSteps. */
  step(): void;
  /** All ways to make a body true. Throws Unbound where no order of its expressions is safe. */
  solutions(body: Body, world: World, bindings: Bindings): readonly Bindings[];
  /** All values of a term. */
  values(term: Term, world: World, bindings: Bindings): readonly Valued[];
  /** The world under modifiers, for each combination of their values. */
  worlds(modifiers: readonly With[], world: World, bindings: Bindings): readonly { readonly world: World; readonly bindings: Bindings }[];
  /** All combinations of values of some terms. */
  combinations(terms: readonly Term[], world: World, bindings: Bindings): readonly Combination[];
  /** All ways to make a term equal to a value. */
  match(term: Term, value: Value, world: World, bindings: Bindings): readonly Bindings[];
  /** What a function answers: several values for a relation, none where it is undefined. */
  apply(operator: readonly Term[], operands: readonly Value[], world: World): readonly Value[];
  /** How many operands a function takes. */
  arity(operator: readonly Term[]): number;
  /**
   * Notes that the order of a body's solutions depends on the order in which its parts are looked
   * at.
   */
  noteMixed(): void;
}

/** Steps along a ref from a value. */
export interface RefAccess {
  /** The values at a path below a value; `find` looks one key up. */
  access(value: Value, path: readonly Term[], world: World, bindings: Bindings, find?: Find): readonly Valued[];
  /** The keys that a term of a ref stands for, of those that there are. */
  keys(term: Term, all: () => readonly Value[], world: World, bindings: Bindings): readonly Valued[];
}

/** Looks a key up in a value. */
export type Find = (value: Value, key: Value) => Value | undefined;
