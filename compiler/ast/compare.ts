/**
 * The order of terms: values as the language orders them, then other terms. Locations do not
 * count.
 */

import { compareStrings } from '../../values/compare.js';
import { compareNumbers, numberFromText } from '../../values/numbers/number.js';
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
    case 'ref':
      return compareLists(a.terms, (b as typeof a).terms, compareTerms);
    case 'array':
      return compareLists(a.items, (b as typeof a).items, compareTerms);
    case 'set':
      return compareLists(setMembers(a.items), setMembers((b as typeof a).items), compareTerms);
    case 'object':
      return compareLists(objectEntries(a.entries), objectEntries((b as typeof a).entries), compareEntries);
    case 'arraycomprehension':
    case 'setcomprehension':
      return compareTerms(a.term, (b as typeof a).term) || compareBodies(a.body, (b as typeof a).body);
    case 'objectcomprehension': {
      const other = b as typeof a;
      return compareTerms(a.key, other.key) || compareTerms(a.value, other.value) || compareBodies(a.body, other.body);
    }
    case 'call': {
      const other = b as typeof a;
      return compareTerms(a.operator, other.operator) || compareLists(a.args, other.args, compareTerms);
    }
    case 'templatestring':
      return compareLists(a.parts, (b as typeof a).parts, comparePart);
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

/** An object literal's entries: sorted by key, of equal keys the last. */
export function objectEntries(entries: readonly ObjectEntry[]): readonly ObjectEntry[] {
  if (entries.length < 2) return entries;
  const sorted = entries.toSorted((a, b) => compareTerms(a.key, b.key));
  return sorted.filter((entry, i) => i === sorted.length - 1 || compareTerms(entry.key, sorted[i + 1]!.key) !== 0);
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
  const kept = new Set(objectEntries(entries));
  return kept.size === entries.length ? entries : entries.filter((entry) => kept.has(entry));
}

function compareEntries(a: ObjectEntry, b: ObjectEntry): number {
  return compareTerms(a.key, b.key) || compareTerms(a.value, b.value);
}

function comparePart(a: Term | Expr, b: Term | Expr): number {
  if (a.type === 'expr') return b.type === 'expr' ? compareExprs(a, b) : 1;
  return b.type === 'expr' ? -1 : compareTerms(a, b);
}

function compareLists<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compare(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

export function compareBodies(a: Body, b: Body): number {
  return compareLists(a, b, compareExprs);
}

const kindRanks: Readonly<Record<Expr['kind'], number>> = { term: 0, call: 1, some: 2, every: 3, not: 4, and: 5, or: 6 };

/** As `compareTerms`, for expressions. */
function compareExprs(a: Expr, b: Expr): number {
  if (a === b) return 0;
  if (a.kind !== b.kind) return kindRanks[a.kind] - kindRanks[b.kind];
  if (a.negated !== b.negated) return a.negated ? 1 : -1;
  return compareContents(a, b) || compareLists(a.with, b.with, compareWith);
}

function compareWith(a: With, b: With): number {
  return compareTerms(a.target, b.target) || compareTerms(a.value, b.value);
}

/** Two expressions of one kind. */
function compareContents(a: Expr, b: Expr): number {
  switch (a.kind) {
    case 'term':
      return compareTerms(a.term, (b as typeof a).term);
    case 'call': {
      const other = b as typeof a;
      return compareTerms(a.operator, other.operator) || compareLists(a.args, other.args, compareTerms);
    }
    case 'some':
      return compareLists(a.symbols, (b as typeof a).symbols, compareTerms);
    case 'every': {
      const other = b as typeof a;
      const keys = a.key && other.key ? compareTerms(a.key, other.key) : Number(a.key !== undefined) - Number(other.key !== undefined);
      return keys || compareTerms(a.value, other.value) || compareTerms(a.domain, other.domain) || compareBodies(a.body, other.body);
    }
    case 'not': {
      const other = b as typeof a;
      return Number(a.explicit) - Number(other.explicit) || compareBodies(a.body, other.body);
    }
    case 'and':
    case 'or': {
      const other = b as typeof a;
      const flags = Number(a.explicitLhs) - Number(other.explicitLhs) || Number(a.explicitRhs) - Number(other.explicitRhs);
      return flags || compareBodies(a.lhs, other.lhs) || compareBodies(a.rhs, other.rhs);
    }
  }
}
