/** The members of symbolic collections: with their keys, by a key, as a list of a length. */

import {
  compare,
  isArray,
  isObject,
  isPlainObject,
  isSet,
  sortedEntries,
  sortedMembers,
} from '../../../values/index.js';
import { oneWhere } from './builtins/symbolic-builtins.js';
import type { Formula } from './formulas.js';
import type { Part } from './symbolic-input.js';
import type { Guarded, Member, SymbolicSettings, SymbolicValue } from './symbolic-value.js';
import { known, textOf } from './symbolic-value.js';
import { Unprovable } from './unprovable.js';

/** The values of a pattern's parts. */
interface Listed {
  readonly guard: Formula;
  readonly values: readonly SymbolicValue[];
}

/** The known text of a member's key. Throws an Unprovable for others. */
function nameOf({ key }: Member): string {
  if (key.type === 'known' && typeof key.value === 'string') return key.value;
  throw new Unprovable('a pattern of an object of unknown members');
}

/** Members in the order of their keys; undefined where a key is not known. */
function inOrderOfKeys(members: readonly Member[]): readonly Member[] | undefined {
  const keyed = members.flatMap((member) => (member.key.type === 'known' ? [{ member, key: member.key.value }] : []));
  if (keyed.length < members.length) return members.length > 1 ? undefined : members;
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ member }) => member);
}

export class SymbolicMembers {
  readonly #settings: SymbolicSettings;
  /** The texts of collections whose order is that of unknown keys or members. */
  #unordered = new Set<string>();
  /** Whether the members of a list are read: each solution is one, also a second time. */
  #isList = false;

  constructor(settings: SymbolicSettings) {
    this.#settings = settings;
  }

  /**
   * Reads the members of a comprehension. Where these come in an order that the evaluation may not
   * have, the result is the texts of the collections that order them.
   */
  inComprehension(isList: boolean, read: () => void): string | undefined {
    const before = { unordered: this.#unordered, isList: this.#isList };
    this.#unordered = new Set();
    this.#isList ||= isList;
    try {
      read();
      return this.#unordered.size === 0 ? undefined : [...this.#unordered].join(', then ');
    } finally {
      this.#unordered = before.unordered;
      this.#isList = before.isList;
    }
  }

  /** Values of which one is there: in a list, the second of two equal ones is none. */
  once(values: readonly Guarded[]): readonly Guarded[] {
    if (!this.#isList || values.length < 2) return values;
    const { formulas: f } = this.#settings;
    return values.map(({ guard, value }, i) => {
      const before = values.slice(0, i).map((other) => other.guard);
      return { guard: f.and(guard, f.not(f.or(...before))), value };
    });
  }

  #noteOrder(collection: SymbolicValue): void {
    if (this.#isList) this.#unordered.add(textOf(collection));
  }

  /** The members of a collection with their keys: in a list, each key once. */
  entries(value: SymbolicValue): readonly Member[] {
    const entries = this.#allEntries(value);
    const isDistinct = value.type !== 'set' && value.type !== 'object' && !this.#isSetPart(value);
    return this.#isList && !isDistinct ? this.#distinct(entries) : entries;
  }

  #isSetPart(value: SymbolicValue): boolean {
    return value.type === 'part' && this.#settings.input.isSetPart(value.part);
  }

  #distinct(entries: readonly Member[]): readonly Member[] {
    const { formulas: f, comparing } = this.#settings;
    return entries.map((entry, i) => {
      const before = entries.slice(0, i).map(({ guard, key }) => f.and(guard, comparing.equals(key, entry.key)));
      return { ...entry, guard: f.and(entry.guard, f.not(f.or(...before))) };
    });
  }

  #allEntries(value: SymbolicValue): readonly Member[] {
    const { formulas: f, comparing } = this.#settings;
    if (value.type === 'part') return this.#entriesOfPart(value.part);
    if (value.type === 'known') {
      const all = value.value;
      if (isArray(all)) return all.map((one, i) => ({ guard: f.yes, key: known(i), value: known(one) }));
      if (isSet(all)) return sortedMembers(all).map((one) => ({ guard: f.yes, key: known(one), value: known(one) }));
      if (isObject(all))
        return Array.from(sortedEntries(all), ([key, one]) => ({ guard: f.yes, key: known(key), value: known(one) }));
      return [];
    }
    if (value.type === 'overlaid') {
      this.#noteOrder(value);
      const { base, key, value: own } = value;
      const named = known(key);
      this.step(base, key);
      const others = this.#allEntries(base).map((entry) => ({
        ...entry,
        guard: f.and(entry.guard, this.#isObject(base), f.not(comparing.equals(entry.key, named))),
      }));
      return [...others, { guard: comparing.isThere(own), key: named, value: own }];
    }
    if (value.type === 'set' || value.type === 'object') {
      const all =
        value.type === 'object' ? value.members : value.members.map((one): Member => ({ ...one, key: one.value }));
      const sorted = inOrderOfKeys(all);
      if (sorted === undefined) this.#noteOrder(value);
      return sorted ?? all;
    }
    if (value.type !== 'array') return [];
    if (value.order !== undefined) this.#noteOrder(value);
    const positions = value.order === undefined ? this.#positions(value.members) : this.#unknownPositions(value);
    return value.members.map(({ guard, value: one }, i) => ({ guard, key: positions[i]!, value: one }));
  }

  #entriesOfPart(part: Part): readonly Member[] {
    const { input, comparing } = this.#settings;
    const there = (key: SymbolicValue, value: SymbolicValue) => ({ guard: comparing.isThere(value), key, value });
    const parts = input.elements(part).map((element): SymbolicValue => ({ type: 'part', part: element }));
    if (input.isSetPart(part)) {
      this.#noteOrder({ type: 'part', part });
      return parts.map((element) => there(element, element));
    }
    const elements = parts.map((element, i) => there(known(i), element));
    const named = [...part.children].flatMap(([key, child]) =>
      typeof key === 'string' ? [there(known(key), { type: 'part', part: child })] : [],
    );
    if (named.length > 0) this.#noteOrder({ type: 'part', part });
    const others = input
      .unknownMembers(part)
      .map((other) => there({ type: 'string', term: other.keyText! }, { type: 'part', part: other }));
    return [...elements, ...named, ...others];
  }

  /** Indexes of elements: the number of those before that are there. */
  #positions(members: readonly Guarded[]): readonly SymbolicValue[] {
    const { formulas: f, input } = this.#settings;
    const before: string[] = [];
    let isFixed = true;
    return members.map(({ guard }, i) => {
      const position: SymbolicValue = isFixed
        ? known(i)
        : { type: 'number', term: `(+ ${[...before, '0.0', '0.0'].join(' ')})` };
      if (guard === f.yes) before.push('1.0');
      else {
        isFixed = false;
        before.push(oneWhere(guard, f, input));
      }
      return position;
    });
  }

  /** Indexes of elements whose order is not known. */
  #unknownPositions(list: SymbolicValue & { readonly type: 'array' }): readonly SymbolicValue[] {
    const { input } = this.#settings;
    const text = textOf(list);
    return list.members.map((_, i) => {
      const part = input.result(`index of ${i} in ${text}`, { kinds: ['number'], isInteger: true, minimum: 0 });
      input.facts.push(input.isKind(part, 'number'));
      return { type: 'part', part };
    });
  }

  /** The elements of a list of a length; undefined where it has none. */
  items(value: SymbolicValue, length: number): Listed | undefined {
    const { formulas: f, input } = this.#settings;
    if (value.type === 'part') {
      const parts = Array.from({ length: length + 1 }, (_, i) => input.child(value.part, i));
      const end = parts.pop()!;
      const there = parts.map((part) => f.not(input.isKind(part, 'none')));
      const guard = f.and(input.isKind(value.part, 'array'), ...there, input.isKind(end, 'none'));
      return { guard, values: parts.map((part) => ({ type: 'part', part })) };
    }
    if (value.type === 'known')
      return isArray(value.value) && value.value.length === length
        ? { guard: f.yes, values: value.value.map(known) }
        : undefined;
    if (value.type !== 'array') return undefined;
    if (value.members.some(({ guard }) => guard !== f.yes)) throw new Unprovable('a list of unknown length');
    if (value.order !== undefined) throw new Unprovable('a list whose order is that of unknown keys');
    return value.members.length === length
      ? { guard: f.yes, values: value.members.map((member) => member.value) }
      : undefined;
  }

  /** The values of an object that has just some keys; undefined where it has others. */
  properties(value: SymbolicValue, names: readonly string[]): Listed | undefined {
    const { formulas: f, input } = this.#settings;
    if (value.type === 'part') {
      const parts = names.map((name) => input.child(value.part, name));
      const others = [...value.part.children.values(), ...input.unknownMembers(value.part)];
      const isThere = (part: Part) => f.not(input.isKind(part, 'none'));
      const guard = f.and(
        input.isKind(value.part, 'object'),
        ...parts.map(isThere),
        ...others.filter((part) => !parts.includes(part)).map((part) => f.not(isThere(part))),
      );
      return { guard, values: parts.map((part) => ({ type: 'part', part })) };
    }
    if (value.type === 'known') {
      const all = value.value;
      if (!isPlainObject(all) || Object.keys(all).length !== names.length) return undefined;
      return names.every((name) => Object.hasOwn(all, name))
        ? { guard: f.yes, values: names.map((name) => known(all[name]!)) }
        : undefined;
    }
    if (value.type !== 'object') {
      if (value.type === 'overlaid') throw new Unprovable('a pattern of an input with a replaced part');
      return undefined;
    }
    const byName = new Map(value.members.map((member) => [nameOf(member), member.value]));
    if (value.members.some(({ guard }) => guard !== f.yes) || byName.size !== value.members.length)
      throw new Unprovable('a pattern of an object of unknown members');
    if (byName.size !== names.length || !names.every((name) => byName.has(name))) return undefined;
    return { guard: f.yes, values: names.map((name) => byName.get(name)!) };
  }

  isCollection(value: SymbolicValue): Formula {
    const { formulas: f, input } = this.#settings;
    if (value.type === 'part') return input.isKind(value.part, 'array', 'object', 'set');
    if (value.type === 'known') return f.of(typeof value.value === 'object' && value.value !== null);
    return f.of(['array', 'set', 'object', 'overlaid'].includes(value.type));
  }

  #isObject(value: SymbolicValue): Formula {
    const { formulas: f, input } = this.#settings;
    if (value.type === 'part') return input.isKind(value.part, 'object');
    return f.of(
      value.type === 'object' || value.type === 'overlaid' || (value.type === 'known' && isPlainObject(value.value)),
    );
  }

  overlaid(base: SymbolicValue, [key, ...rest]: readonly string[], value: SymbolicValue): SymbolicValue {
    if (key === undefined) return value;
    return { type: 'overlaid', base, key, value: this.overlaid(this.step(base, key), rest, value) };
  }

  /** A member of a value that may be an object. */
  step(value: SymbolicValue, key: string): SymbolicValue {
    if (value.type === 'part') return { type: 'part', part: this.#settings.input.child(value.part, key) };
    if (value.type === 'overlaid') return value.key === key ? value.value : this.step(value.base, key);
    if (value.type === 'known')
      return known(isPlainObject(value.value) && Object.hasOwn(value.value, key) ? value.value[key]! : {});
    throw new Unprovable('a part of a replaced document is replaced');
  }
}
