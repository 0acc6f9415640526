/** The values of rules over an unknown input, each with the formula under which a rule gives it. */

import { type CompiledRule, elseChain, isScalar, nowhere, type Rule, type Term } from '../../../compiler/index.js';
import { Bindings, type Solution } from './bindings.js';
import type { Conflicts } from './conflicts.js';
import type { Formula } from './formulas.js';
import type { SymbolicBodies } from './symbolic-bodies.js';
import type { Starts } from './symbolic-calls.js';
import type { SymbolicTerms } from './symbolic-terms.js';
import { type Guarded, type Member, mergedValues, type SymbolicSettings } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

export class RuleValues {
  readonly #settings: SymbolicSettings;
  readonly #conflicts: Conflicts;
  readonly #terms: SymbolicTerms;
  readonly #bodies: SymbolicBodies;

  constructor(settings: SymbolicSettings, conflicts: Conflicts, terms: SymbolicTerms, bodies: SymbolicBodies) {
    this.#settings = settings;
    this.#conflicts = conflicts;
    this.#terms = terms;
    this.#bodies = bodies;
  }

  /** The values of complete rules or functions, those of equal constants together. */
  single(rules: readonly CompiledRule[], bound: Starts, reached: Formula): readonly Guarded[] {
    const { formulas: f } = this.#settings;
    const given: Guarded[] = [];
    const fallbacks: Guarded[] = [];
    for (const compiled of rules) {
      if (compiled.rule.default) {
        fallbacks.push(...this.#linkValues(compiled.rule, f.yes, bound.get(compiled)?.get(compiled.rule), reached));
        continue;
      }
      let before = f.no;
      for (const link of elseChain(compiled.rule)) {
        const values = this.#linkValues(link, f.not(before), bound.get(compiled)?.get(link), reached);
        given.push(...values);
        before = f.or(before, ...values.map(({ guard }) => guard));
      }
    }
    const merged = mergedValues(given, f);
    this.#conflicts.addValues(merged, reached);
    if (fallbacks.length === 0) return merged;
    const none = f.not(f.or(...merged.map(({ guard }) => guard)));
    return mergedValues([...merged, ...fallbacks.map(({ guard, value }) => ({ guard: f.and(guard, none), value }))], f);
  }

  #linkValues(
    link: Rule,
    guard: Formula,
    starts: readonly Solution[] | undefined,
    reached: Formula,
  ): readonly Guarded[] {
    const { formulas: f } = this.#settings;
    const { value } = link.head;
    const found: Guarded[] = [];
    for (const start of starts ?? [{ guard: f.yes, bindings: Bindings.empty(f.yes) }]) {
      const scope = start.bindings.under(f.and(reached, guard, start.guard));
      for (const solution of this.#bodies.solutions(link.body, scope))
        for (const one of this.#terms.values(value!, solution.bindings))
          found.push({ guard: f.and(guard, start.guard, solution.guard, one.guard), value: one.value });
    }
    return mergedValues(found, f);
  }

  members({ rule }: CompiledRule): readonly Guarded[] {
    return this.#headValues(rule, (bindings) => this.#terms.values(rule.head.key!, bindings));
  }

  /** Keys and values as lists of two. */
  pairs(compiled: CompiledRule): readonly Guarded[] {
    const [key] = tailOf(compiled);
    const { rule } = compiled;
    return this.#headValues(rule, (bindings) => this.#terms.lists([key!, rule.head.value!], bindings));
  }

  /** All keys, then a text for the kind of head, and the value or the member. */
  tuples(compiled: CompiledRule): readonly Guarded[] {
    const { rule } = compiled;
    const { key, value } = rule.head;
    const kind: Term = { type: 'string', value: value === undefined ? 'contains' : 'value', loc: nowhere };
    const terms = [...tailOf(compiled), kind, value ?? key!];
    return this.#headValues(rule, (bindings) => this.#terms.lists(terms, bindings));
  }

  #headValues(rule: Rule, valuesOf: (bindings: Bindings) => Iterable<Guarded>): readonly Guarded[] {
    const { formulas: f } = this.#settings;
    if ([...elseChain(rule)].length > 1) throw new Unprovable('an else of a rule with keys');
    const found: Guarded[] = [];
    for (const { guard, bindings } of this.#bodies.solutions(rule.body, Bindings.empty(f.yes)))
      for (const one of valuesOf(bindings)) found.push({ guard: f.and(guard, one.guard), value: one.value });
    return mergedValues(found, f);
  }
}

/** The terms of a head behind its constant ones, the key of `contains` left out. */
export function tailOf({ ref, rule: { head } }: CompiledRule): readonly Term[] {
  const first = ref.findIndex((term, i) => i > 0 && !isScalar(term));
  // The head's own terms have the variables of the body.
  return first >= 0 ? head.ref.slice(first - ref.length) : [];
}

/** A list of a key and a value as a member. */
export function keyedMember({ guard, value }: Guarded): Member {
  const [key, own] = (value as { readonly members: readonly Guarded[] }).members;
  return { guard, key: key!.value, value: own!.value };
}
