/** Interfaces between the parts of the evaluator. */

import type { Body, Term, With } from '../../compiler/ast/nodes.js';
import type { Value } from '../../values/value.js';
import type { Program } from './rules.js';

/** Values of variables. Immutable: a new binding makes a new map. */
export type Bindings = ReadonlyMap<string, Value>;

/** One value of a term, and the bindings that it requires. */
export interface TermValue {
  readonly value: Value;
  readonly bindings: Bindings;
}

/** Values of several terms, and the bindings that they require. */
export interface Combination {
  readonly values: readonly Value[];
  readonly bindings: Bindings;
}

/** The environment of an evaluation, which `with` may change. */
export interface Environment {
  readonly input: Value | undefined;
  readonly data: Value;
  /** Paths of `data` replaced by `with`, whose rules are ignored; as JSON. */
  readonly replaced: ReadonlySet<string>;
  /** Replacements of functions, by name: another function or rule, or a value. */
  readonly mocks: ReadonlyMap<string, { readonly path: readonly Term[] } | { readonly value: Value }>;
}

/** Thrown if a variable has no value yet: another expression must be evaluated first. */
export class Unbound extends Error {}
/** A shared instance: it is thrown often, and its stack trace is not used. */
export const unbound = new Unbound('a variable has no value yet');

export class OutOfSteps extends Error {}

/** Rules or keys that contradict each other. */
export class Conflict extends Error {}

/** A `with` where no document can be. */
export class BadPath extends Conflict {}

export interface Evaluation {
  readonly program: Program;
  /** Counts a step. Throws OutOfSteps. */
  step(): void;
  /** All solutions of a body. Throws Unbound if no order of its expressions is safe. */
  solutions(body: Body, environment: Environment, bindings: Bindings): readonly Bindings[];
  /** All values of a term. */
  values(term: Term, environment: Environment, bindings: Bindings): readonly TermValue[];
  /** The environments under modifiers, for each combination of their values. */
  environments(
    modifiers: readonly With[],
    environment: Environment,
    bindings: Bindings,
  ): readonly { readonly environment: Environment; readonly bindings: Bindings }[];
  /** All combinations of the values of some terms. */
  combinations(terms: readonly Term[], environment: Environment, bindings: Bindings): readonly Combination[];
  /** All ways to unify a term with a value. */
  match(term: Term, value: Value, environment: Environment, bindings: Bindings): readonly Bindings[];
  /** The results of a function: several for a relation, none if undefined. */
  apply(operator: readonly Term[], operands: readonly Value[], environment: Environment): readonly Value[];
  /** The number of a function's operands. */
  arity(operator: readonly Term[]): number;
  /** Records that the order of a body's solutions depends on the order of evaluation. */
  markUnordered(): void;
}

/** Look-ups along a ref, starting from a value. */
export interface RefAccess {
  /** The values at a path below a value; `find` looks up one key. */
  access(value: Value, path: readonly Term[], environment: Environment, bindings: Bindings, find?: Find): readonly TermValue[];
  /** The keys among `all` that a term of a ref matches. */
  keys(term: Term, all: () => readonly Value[], environment: Environment, bindings: Bindings): readonly TermValue[];
}

/** Looks up a key in a value. */
type Find = (value: Value, key: Value) => Value | undefined;
