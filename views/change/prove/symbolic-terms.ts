/** Terms over an unknown input: their values, and the patterns that values match. */

import type { Body, Comprehension, Term } from '../../../compiler/index.js';
import { isComprehension, isRoot, jsonOfTerm, printTerm } from '../../../compiler/index.js';
import { atBaseKey } from './base-keys.js';
import type { Bindings, BoundTerm, Solution } from './bindings.js';
import type { Conflicts } from './conflicts.js';
import type { Formula } from './formulas.js';
import type { SymbolicMembers } from './symbolic-members.js';
import type { Guarded, Member, SymbolicSettings, SymbolicValue } from './symbolic-value.js';
import { known, mergedValues } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

/** The values that terms refer to. */
export interface TermSources {
  readonly input: SymbolicValue;
  /** The values at a path below `data`. */
  document(keys: readonly Term[], bindings: Bindings): Iterable<BoundTerm>;
  /** The solutions of a comprehension's body. */
  solutions(body: Body, bindings: Bindings): Iterable<Solution>;
}

export class SymbolicTerms {
  readonly #settings: SymbolicSettings;
  readonly #members: SymbolicMembers;
  readonly #conflicts: Conflicts;
  readonly #sources: TermSources;

  constructor(settings: SymbolicSettings, members: SymbolicMembers, conflicts: Conflicts, sources: TermSources) {
    this.#settings = settings;
    this.#members = members;
    this.#conflicts = conflicts;
    this.#sources = sources;
  }

  *values(term: Term, bindings: Bindings): Generator<Guarded> {
    for (const { guard, value } of this.bound(term, bindings)) yield { guard, value };
  }

  *operands(
    terms: readonly Term[],
    bindings: Bindings,
  ): Generator<{ readonly guard: Formula; readonly values: readonly SymbolicValue[] }> {
    const { formulas: f } = this.#settings;
    const [first, ...rest] = terms;
    if (first === undefined) {
      yield { guard: f.yes, values: [] };
      return;
    }
    for (const one of this.values(first, bindings))
      for (const others of this.operands(rest, bindings))
        yield { guard: f.and(one.guard, others.guard), values: [one.value, ...others.values] };
  }

  /** The values of a term, which may bind variables: keys of references. */
  *bound(term: Term, bindings: Bindings): Generator<BoundTerm> {
    const { formulas: f } = this.#settings;
    const ground = hasSet(term) ? undefined : jsonOfTerm(term);
    if (ground !== undefined) {
      yield { guard: f.yes, value: known(ground), bindings };
      return;
    }
    if (term.type === 'var') {
      const value = term.name === 'input' ? this.#sources.input : bindings.get(term.name);
      if (value === undefined) throw new Unprovable('a variable has no value here');
      yield { guard: this.#settings.comparing.isThere(value), value, bindings };
      return;
    }
    if (isComprehension(term)) {
      yield { guard: f.yes, value: this.#comprehension(term as Comprehension, bindings), bindings };
      return;
    }
    if (term.type === 'array') {
      for (const one of this.lists(term.items, bindings)) yield { ...one, bindings };
      return;
    }
    if (term.type === 'set') {
      for (const one of this.lists(term.items, bindings))
        yield {
          guard: one.guard,
          value: { type: 'set', members: (one.value as { readonly members: readonly Guarded[] }).members },
          bindings,
        };
      return;
    }
    if (term.type === 'object') {
      const { entries } = term;
      for (const one of this.lists(
        [...entries.map(({ key }) => key), ...entries.map(({ value }) => value)],
        bindings,
      )) {
        const { members } = one.value as { readonly members: readonly Guarded[] };
        const pairs = entries.map((_, i) => ({
          guard: f.yes,
          key: members[i]!.value,
          value: members[entries.length + i]!.value,
        }));
        yield { guard: one.guard, value: { type: 'object', members: this.#lastOfKeys(pairs) }, bindings };
      }
      return;
    }
    if (term.type !== 'ref') throw new Unprovable(`the term ${printTerm(term)}`);
    yield* this.#ref(term.terms, bindings);
  }

  /** The members of a literal; the last of those with the same key counts. */
  #lastOfKeys(members: readonly Member[]): readonly Member[] {
    const { formulas: f, comparing } = this.#settings;
    return members.map((member, i) => {
      const later = members.slice(i + 1).map(({ key }) => comparing.equals(member.key, key));
      return { ...member, guard: f.and(member.guard, f.not(f.or(...later))) };
    });
  }

  *lists(items: readonly Term[], bindings: Bindings): Generator<Guarded> {
    for (const { guard, values } of this.operands(items, bindings))
      yield {
        guard,
        value: { type: 'array', members: values.map((value) => ({ guard: this.#settings.formulas.yes, value })) },
      };
  }

  #comprehension(term: Comprehension, bindings: Bindings): SymbolicValue {
    const { formulas: f } = this.#settings;
    const members: Guarded[] = [];
    const pairs: Member[] = [];
    const order = this.#members.inComprehension(term.type === 'arraycomprehension', () => {
      for (const solution of this.#sources.solutions(term.body, bindings)) {
        if (term.type === 'objectcomprehension') {
          for (const { guard, values } of this.operands([term.key, term.value], solution.bindings))
            pairs.push({ guard: f.and(solution.guard, guard), key: values[0]!, value: values[1]! });
        } else
          for (const { guard, value } of this.values(term.term, solution.bindings))
            members.push({ guard: f.and(solution.guard, guard), value });
      }
    });
    if (term.type === 'objectcomprehension') {
      this.#conflicts.addKeys(pairs, bindings.reached);
      return { type: 'object', members: pairs };
    }
    return term.type === 'setcomprehension'
      ? { type: 'set', members: mergedValues(members, f) }
      : {
          type: 'array',
          members: members.filter(({ guard }) => guard !== f.no),
          ...(order === undefined ? {} : { order }),
        };
  }

  *#ref(terms: readonly Term[], bindings: Bindings): Generator<BoundTerm> {
    const [head, ...keys] = terms;
    if (isRoot(head!, 'data')) yield* this.#sources.document(keys, bindings);
    else
      for (const { guard, value } of this.values(head!, bindings))
        for (const one of this.walk(value, keys, bindings))
          yield { ...one, guard: this.#settings.formulas.and(guard, one.guard) };
  }

  /** @param isBase whether a ref into data has come to the value by its keys alone */
  *walk(value: SymbolicValue, keys: readonly Term[], bindings: Bindings, isBase = false): Generator<BoundTerm> {
    const { formulas: f, comparing } = this.#settings;
    const [key, ...rest] = keys;
    if (key === undefined) {
      yield { guard: comparing.isThere(value), value, bindings };
      return;
    }
    // An element that a loop finds is a value like others.
    const staysBase = isBase && !bindings.isOpen(key);
    for (const step of this.#steps(value, key, bindings, staysBase))
      for (const one of this.walk(step.value, rest, step.bindings, staysBase))
        yield { ...one, guard: f.and(step.guard, one.guard) };
  }

  *#steps(value: SymbolicValue, key: Term, bindings: Bindings, isBase: boolean): Generator<BoundTerm> {
    const { formulas: f, comparing, input } = this.#settings;
    if (bindings.isOpen(key)) {
      for (const entry of this.#members.entries(value))
        for (const matched of this.matched(key, entry.key, bindings))
          yield { guard: f.and(entry.guard, matched.guard), value: entry.value, bindings: matched.bindings };
      return;
    }
    for (const { guard, value: wanted } of this.values(key, bindings)) {
      const based = isBase ? atBaseKey(value, wanted, this.#settings) : undefined;
      if (based !== undefined) {
        for (const one of based) yield { guard: f.and(guard, one.guard), value: one.value, bindings };
        continue;
      }
      if (wanted.type === 'known' && value.type === 'part' && !input.isSetPart(value.part)) {
        const part = input.member(value.part, wanted.value);
        if (part !== undefined) yield { guard, value: { type: 'part', part }, bindings };
        continue;
      }
      if (wanted.type === 'known' && value.type === 'known') {
        const found = this.#members.entries(value).find((entry) => comparing.equals(entry.key, wanted) === f.yes);
        if (found !== undefined) yield { guard, value: found.value, bindings };
        continue;
      }
      if (wanted.type === 'known' && value.type === 'overlaid' && typeof wanted.value === 'string') {
        yield { guard, value: this.#members.step(value, wanted.value), bindings };
        continue;
      }
      if (value.type === 'array' && value.order !== undefined)
        throw new Unprovable('a list whose order is that of unknown keys');
      for (const entry of this.#members.entries(value)) {
        const isIt = f.and(guard, entry.guard, comparing.equals(entry.key, wanted));
        if (isIt !== f.no) yield { guard: isIt, value: entry.value, bindings };
      }
    }
  }

  /** Binds a pattern's variables to parts of a value. */
  *matched(pattern: Term, value: SymbolicValue, bindings: Bindings): Generator<Solution> {
    const { formulas: f, comparing } = this.#settings;
    if (pattern.type === 'var' && bindings.isOpen(pattern)) {
      yield { guard: comparing.isThere(value), bindings: bindings.with(pattern.name, value) };
      return;
    }
    if (!bindings.isOpen(pattern)) {
      for (const own of this.bound(pattern, bindings))
        yield { guard: f.and(own.guard, comparing.equals(own.value, value)), bindings: own.bindings };
      return;
    }
    const [parts, items] =
      pattern.type === 'array'
        ? [pattern.items, this.#members.items(value, pattern.items.length)]
        : [valuesOf(pattern), this.#members.properties(value, namesOf(pattern))];
    if (items === undefined) return;
    let solutions: readonly Solution[] = [{ guard: items.guard, bindings }];
    for (const [i, part] of parts.entries())
      solutions = solutions.flatMap((start) =>
        [...this.matched(part, items.values[i]!, start.bindings)].map((one) => ({
          guard: f.and(start.guard, one.guard),
          bindings: one.bindings,
        })),
      );
    yield* solutions;
  }

  *unify(a: Term, b: Term, bindings: Bindings): Generator<Solution> {
    const { formulas: f } = this.#settings;
    const [pattern, term] = bindings.isOpen(a) ? [a, b] : [b, a];
    if (bindings.isOpen(term) && term.type !== 'ref') {
      if (pattern.type === 'array' && term.type === 'array' && pattern.items.length === term.items.length) {
        yield* this.#unifyAll(pattern.items, term.items, { guard: f.yes, bindings });
        return;
      }
      throw new Unprovable('two sides of an equation with unknown variables');
    }
    for (const one of this.bound(term, bindings))
      for (const matched of this.matched(pattern, one.value, one.bindings))
        yield { guard: f.and(one.guard, matched.guard), bindings: matched.bindings };
  }

  *#unifyAll(a: readonly Term[], b: readonly Term[], start: Solution): Generator<Solution> {
    const [first, ...rest] = a;
    if (first === undefined) {
      yield start;
      return;
    }
    for (const one of this.unify(first, b[0]!, start.bindings))
      yield* this.#unifyAll(rest, b.slice(1), {
        guard: this.#settings.formulas.and(start.guard, one.guard),
        bindings: one.bindings,
      });
  }
}

function valuesOf(pattern: Term): readonly Term[] {
  if (pattern.type !== 'object') throw new Unprovable('a pattern with variables that is a set');
  return pattern.entries.map(({ value }) => value);
}

/** The keys of an object of a pattern. */
function namesOf(pattern: Term): readonly string[] {
  const keys = pattern.type === 'object' ? pattern.entries.map(({ key }) => key) : [];
  return keys.map((key) => {
    if (key.type !== 'string') throw new Unprovable('a pattern with a key that is no text');
    return key.value;
  });
}

/** Sets are no lists, as which inputs have them. */
function hasSet(term: Term): boolean {
  if (term.type === 'set') return true;
  if (term.type === 'array') return term.items.some(hasSet);
  return term.type === 'object' && term.entries.some(({ key, value }) => hasSet(key) || hasSet(value));
}
