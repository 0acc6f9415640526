/**
 * The order of terms: values as the language orders them, then other terms. Locations do not
 * count.
 */

import { compareNumbers, compareStrings, numberFromText } from '../../values/index.js';
import { isWildcard } from './names.js';
import type { Body, Expr, ObjectEntry, Term, With } from './nodes.js';

const ranks: Readonly<Record<Term['type'], number>> = {
  null: 0,
  boolean: 1,
  number: 2,
  string: 3,
  var: 4,
  ref: 5,
  array: 6,
  object: 7,
  set: 8,
  arraycomprehension: 9,
  objectcomprehension: 10,
  setcomprehension: 11,
  templatestring: 12,
  call: 13,
};

/** Negative, zero or positive. Sets and objects compare without regard to the order of the text. */
export function compareTerms(a: Term, b: Term): number {
  return compareScalars(a, b) ?? compareAll((later) => later.pair(a, b));
}

/** Refs, or other lists of terms: of two that begin alike, the shorter comes first. */
export function compareRefs(a: readonly Term[], b: readonly Term[]): number {
  return compareAll((later) => later.list(a, b));
}

export function compareBodies(a: Body, b: Body): number {
  return compareAll((later) => later.list(a, b));
}

/** The order of two terms without parts, or of different types; undefined for others. */
function compareScalars(a: Term, b: Term): number | undefined {
  if (a === b) return 0;
  if (a.type !== b.type) return ranks[a.type] - ranks[b.type];
  switch (a.type) {
    case 'null':
      return 0;
    case 'boolean':
      return Number(a.value) - Number((b as typeof a).value);
    case 'number':
      return compareNumbers(numberFromText(a.text), numberFromText((b as typeof a).text));
    case 'string':
      return compareStrings(a.value, (b as typeof a).value);
    case 'var':
      return compareNames(a.name, (b as typeof a).name);
    default:
      return undefined;
  }
}

type Part = Term | Expr | With;

/**
 * Comparisons still to be made: each decides where those before it do not. Nothing recurses, since
 * trees may be deep.
 */
class Later {
  readonly #next: (readonly [Part, Part] | number)[] = [];

  pair(a: Part, b: Part): void {
    if (a !== b) this.#next.push([a, b]);
  }

  order(order: number): void {
    if (order !== 0) this.#next.push(order);
  }

  list(a: readonly Part[], b: readonly Part[]): void {
    const length = Math.min(a.length, b.length);
    for (let i = 0; i < length; i++) this.pair(a[i]!, b[i]!);
    this.order(a.length - b.length);
  }

  optional(a: Part | undefined, b: Part | undefined): void {
    if (a && b) this.pair(a, b);
    else this.order(Number(a !== undefined) - Number(b !== undefined));
  }

  /** Makes comparisons, which come before all others. */
  first(make: (later: Later) => void): void {
    const next = this.#next;
    const start = next.length;
    make(this);
    for (let i = start, j = next.length - 1; i < j; i++, j--) [next[i], next[j]] = [next[j]!, next[i]!];
  }

  take(): readonly [Part, Part] | number | undefined {
    return this.#next.pop();
  }
}

function compareAll(make: (later: Later) => void): number {
  const later = new Later();
  later.first(make);
  for (let next = later.take(); next !== undefined; next = later.take()) {
    if (typeof next === 'number') return next;
    const order = compareParts(...next, later);
    if (order !== 0) return order;
  }
  return 0;
}

/** Compares two parts but for the parts in them, which it leaves for later. */
function compareParts(a: Part, b: Part, later: Later): number {
  if (a.type === 'with' || b.type === 'with') {
    later.first(() => {
      later.pair((a as With).target, (b as With).target);
      later.pair((a as With).value, (b as With).value);
    });
    return 0;
  }
  if (a.type !== 'expr' && b.type !== 'expr') {
    const order = compareScalars(a, b);
    if (order === undefined) later.first(() => addTermParts(a, b, later));
    return order ?? 0;
  }
  if (a.type !== 'expr' || b.type !== 'expr') return a.type === 'expr' ? 1 : -1;
  if (a.kind !== b.kind) return kindRanks[a.kind] - kindRanks[b.kind];
  if (a.negated !== b.negated) return a.negated ? 1 : -1;
  later.first(() => {
    addExprParts(a, b, later);
    later.list(a.with, b.with);
  });
  return 0;
}

/** The parts of two terms of one type. */
function addTermParts(a: Term, b: Term, later: Later): void {
  switch (a.type) {
    case 'ref':
      later.list(a.terms, (b as typeof a).terms);
      break;
    case 'array':
      later.list(a.items, (b as typeof a).items);
      break;
    case 'set':
      later.list(setMembers(a.items), setMembers((b as typeof a).items));
      break;
    case 'object':
      later.list(keysAndValues(a.entries), keysAndValues((b as typeof a).entries));
      break;
    case 'arraycomprehension':
    case 'setcomprehension':
      later.pair(a.term, (b as typeof a).term);
      later.list(a.body, (b as typeof a).body);
      break;
    case 'objectcomprehension': {
      const other = b as typeof a;
      later.pair(a.key, other.key);
      later.pair(a.value, other.value);
      later.list(a.body, other.body);
      break;
    }
    case 'call':
      later.pair(a.operator, (b as typeof a).operator);
      later.list(a.args, (b as typeof a).args);
      break;
    case 'templatestring':
      later.list(a.parts, (b as typeof a).parts);
  }
}

function keysAndValues(entries: readonly ObjectEntry[]): readonly Term[] {
  return sortedTermEntries(entries).flatMap(({ key, value }) => [key, value]);
}

const kindRanks: Readonly<Record<Expr['kind'], number>> = {
  term: 0,
  call: 1,
  some: 2,
  every: 3,
  not: 4,
  and: 5,
  or: 6,
};

/** The parts of two expressions of one kind. */
function addExprParts(a: Expr, b: Expr, later: Later): void {
  switch (a.kind) {
    case 'term':
      later.pair(a.term, (b as typeof a).term);
      break;
    case 'call':
      later.pair(a.operator, (b as typeof a).operator);
      later.list(a.args, (b as typeof a).args);
      break;
    case 'some':
      later.list(a.symbols, (b as typeof a).symbols);
      break;
    case 'every': {
      const other = b as typeof a;
      later.optional(a.key, other.key);
      later.pair(a.value, other.value);
      later.pair(a.domain, other.domain);
      later.list(a.body, other.body);
      break;
    }
    case 'not':
      later.order(Number(a.explicit) - Number((b as typeof a).explicit));
      later.list(a.body, (b as typeof a).body);
      break;
    case 'and':
    case 'or': {
      const other = b as typeof a;
      later.order(Number(a.explicitLhs) - Number(other.explicitLhs));
      later.order(Number(a.explicitRhs) - Number(other.explicitRhs));
      later.list(a.lhs, other.lhs);
      later.list(a.rhs, other.rhs);
    }
  }
}

/** Wildcards in the order of the text, `$9` before `$10`: a text read again numbers them anew. */
function compareNames(a: string, b: string): number {
  if (isWildcard(a) && isWildcard(b) && a.length !== b.length) return a.length - b.length;
  return compareStrings(a, b);
}

/** A set literal's members: sorted, each once. */
export function setMembers(items: readonly Term[]): readonly Term[] {
  if (items.length < 2) return items;
  const sorted = items.toSorted(compareTerms);
  return sorted.filter((item, i) => i === 0 || compareTerms(sorted[i - 1]!, item) !== 0);
}

/**
 * An object literal's entries: sorted by key, of equal keys the last, with the first one's form of
 * the key: `{1.0: x, 1: y}` is `{1.0: y}`.
 */
export function sortedTermEntries(entries: readonly ObjectEntry[]): readonly ObjectEntry[] {
  return entries.length < 2 ? entries : [...keptEntries(entries).values()];
}

/** An object literal's entries by those that are kept. */
function keptEntries(entries: readonly ObjectEntry[]): ReadonlyMap<ObjectEntry, ObjectEntry> {
  const kept = new Map<ObjectEntry, ObjectEntry>();
  const sorted = entries.toSorted((a, b) => compareTerms(a.key, b.key));
  let first = sorted[0]!;
  for (const [i, entry] of sorted.entries()) {
    if (compareTerms(first.key, entry.key) !== 0) first = entry;
    const next = sorted[i + 1];
    if (next !== undefined && compareTerms(entry.key, next.key) === 0) continue;
    kept.set(entry, first === entry || entry.key.type === 'string' ? entry : { ...entry, key: first.key });
  }
  return kept;
}

/**
 * An object literal's entries as they stand, of equal keys the last: `{"a": x, "a": 1}` is
 * `{"a": 1}`, and `x` is never looked at.
 */
export function lastEntries(entries: readonly ObjectEntry[]): readonly ObjectEntry[] {
  if (entries.length < 2) return entries;
  const names = new Set<string>();
  let others = false;
  for (const { key } of entries) {
    if (key.type === 'string') names.add(key.value);
    else others = true;
  }
  // Most objects have different names for keys, and large ones nothing else.
  if (!others && names.size === entries.length) return entries;
  const kept = keptEntries(entries);
  return kept.size === entries.length ? entries : entries.flatMap((entry) => kept.get(entry) ?? []);
}
