/** Unification: all ways to make two terms equal, or a term equal to a value. */

import type { ObjectTerm, Term } from '../../compiler/ast/nodes.js';
import { compare, objectGet, objectSize } from '../../values/compare.js';
import { equal } from '../../values/equal.js';
import { isArray, isObject, type Value } from '../../values/value.js';
import { type Bindings, type Environment, type Evaluation, Unbound, unbound } from './evaluation.js';

/** A term, or a known value. */
type Side = { readonly term: Term } | { readonly value: Value };
type Pair = readonly [Side, Side];

/** The pairs that remain after a step. */
interface Step {
  readonly bindings: Bindings;
  readonly pairs: readonly Pair[];
}

export class Unifier {
  readonly #evaluation: Evaluation;
  /** The number of times that a side had several values. */
  #loops = 0;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  terms(a: Term, b: Term, environment: Environment, bindings: Bindings): readonly Bindings[] {
    this.#loops = 0;
    return this.#solve([[{ term: a }, { term: b }]], environment, bindings);
  }

  match(term: Term, value: Value, environment: Environment, bindings: Bindings): readonly Bindings[] {
    return this.#solve([[{ term }, { value }]], environment, bindings);
  }

  /** Takes the first pair that can be solved; other pairs may need its bindings. */
  #solve(pairs: readonly Pair[], environment: Environment, bindings: Bindings): readonly Bindings[] {
    if (pairs.length === 0) return [bindings];
    for (const [i, pair] of pairs.entries()) {
      let steps: readonly Step[];
      try {
        steps = this.#pair(pair, environment, bindings);
      } catch (error) {
        if (error instanceof Unbound) continue;
        throw error;
      }
      return steps.flatMap((step) => this.#solve([...pairs.toSpliced(i, 1), ...step.pairs], environment, step.bindings));
    }
    throw unbound;
  }

  #pair([a, b]: Pair, environment: Environment, bindings: Bindings): readonly Step[] {
    this.#evaluation.step();
    if (isFree(a, bindings)) return this.#bind(a.term.name, b, environment, bindings);
    if (isFree(b, bindings)) return this.#bind(b.term.name, a, environment, bindings);
    if (isPattern(a) && isPattern(b)) return this.#patterns(a.term, b.term, environment, bindings);
    // One side has values; the other side is destructured, or has values as well.
    const [from, to] = isPattern(a) ? [b, a] : [a, b];
    const steps = this.#values(from, environment, bindings);
    return steps.flatMap(({ value, bindings: next }) => this.#matchValue(to, value, environment, next));
  }

  #bind(name: string, side: Side, environment: Environment, bindings: Bindings): readonly Step[] {
    return this.#values(side, environment, bindings).flatMap(({ value, bindings: next }) => {
      const known = next.get(name);
      // Evaluating the other side may have bound the variable itself: `x = input[x]`.
      if (known !== undefined) return equal(known, value) ? [{ bindings: next, pairs: [] }] : [];
      return [{ bindings: new Map(next).set(name, value), pairs: [] }];
    });
  }

  #values(side: Side, environment: Environment, bindings: Bindings): readonly { readonly value: Value; readonly bindings: Bindings }[] {
    if ('value' in side) return [{ value: side.value, bindings }];
    const found = this.#evaluation.values(side.term, environment, bindings);
    if (found.length > 1 && ++this.#loops > 1) this.#evaluation.markUnordered();
    return found;
  }

  #matchValue(side: Side, value: Value, environment: Environment, bindings: Bindings): readonly Step[] {
    if ('value' in side) return equal(side.value, value) ? [{ bindings, pairs: [] }] : [];
    const { term } = side;
    if (term.type === 'array') {
      if (!isArray(value) || value.length !== term.items.length) return [];
      return [{ bindings, pairs: term.items.map((item, i) => [{ term: item }, { value: value[i]! }] as const) }];
    }
    if (term.type === 'object') return this.#matchObject(term, value, environment, bindings);
    return this.#values(side, environment, bindings).flatMap((found) =>
      equal(found.value, value) ? [{ bindings: found.bindings, pairs: [] }] : [],
    );
  }

  #matchObject(term: ObjectTerm, value: Value, environment: Environment, bindings: Bindings): readonly Step[] {
    if (!isObject(value)) return [];
    return this.#evaluation
      .combinations(
        term.entries.map(({ key }) => key),
        environment,
        bindings,
      )
      .flatMap(({ values: keys, bindings: next }) => {
        const parts = keys.map((key) => objectGet(value, key));
        if (objectSize(value) !== distinct(keys) || parts.some((part) => part === undefined)) return [];
        return [{ bindings: next, pairs: term.entries.map((entry, i) => [{ term: entry.value }, { value: parts[i]! }] as const) }];
      });
  }

  #patterns(a: Pattern, b: Pattern, environment: Environment, bindings: Bindings): readonly Step[] {
    if (a.type === 'array' && b.type === 'array') {
      if (a.items.length !== b.items.length) return [];
      return [{ bindings, pairs: a.items.map((item, i) => [{ term: item }, { term: b.items[i]! }] as const) }];
    }
    if (a.type !== 'object' || b.type !== 'object') return [];
    const keysOf = ({ entries }: ObjectTerm) => entries.map(({ key }) => key);
    return this.#evaluation.combinations([...keysOf(a), ...keysOf(b)], environment, bindings).flatMap(({ values, bindings: next }) => {
      const left = values.slice(0, a.entries.length);
      const right = values.slice(a.entries.length);
      if (left.length !== right.length) return [];
      const places = left.map((key) => right.findIndex((other) => compare(key, other) === 0));
      if (places.includes(-1)) return [];
      return [
        { bindings: next, pairs: a.entries.map((entry, i) => [{ term: entry.value }, { term: b.entries[places[i]!]!.value }] as const) },
      ];
    });
  }
}

type Pattern = Extract<Term, { readonly type: 'array' | 'object' }>;

function isFree(side: Side, bindings: Bindings): side is { readonly term: Term & { readonly type: 'var' } } {
  return 'term' in side && side.term.type === 'var' && !bindings.has(side.term.name);
}

function isPattern(side: Side): side is { readonly term: Pattern } {
  return 'term' in side && (side.term.type === 'array' || side.term.type === 'object');
}

function distinct(keys: readonly Value[]): number {
  return keys.filter((key, i) => !keys.slice(0, i).some((other) => equal(other, key))).length;
}
