/** Whether terms can have types, and the types of variables that follow from it. */

import { compareTerms, sortedTermEntries } from '../../ast/compare-terms.js';
import type { ArrayTerm, ObjectTerm, SetTerm, Term } from '../../ast/nodes.js';
import { isConstant, jsonOfTerm } from './constant-terms.js';
import type { TypeScope } from './env.js';
import { unifies } from './overlap.js';
import { selectType, valuesOf } from './select.js';
import { type ArrayType, anything, isAnything, isEmpty, isUnknown, type ObjectType, type Type } from './type.js';
import { union } from './union.js';

type Collection = ArrayTerm | ObjectTerm | SetTerm;

function isCollection(term: Term): term is Collection {
  return term.type === 'array' || term.type === 'object' || term.type === 'set';
}

/** Whether two terms can be equal. Variables of the one get types from the other. */
export function unifyTerms(
  scope: TypeScope,
  a: Term,
  typeA: Type | undefined,
  b: Term,
  typeB: Type | undefined,
): boolean {
  if (isUnknown(typeA)) return isUnknown(typeB) ? unifyUnknown(scope, a, b) : unifyTerm(scope, a, typeB);
  return isUnknown(typeB) ? unifyTerm(scope, b, typeA) : unifies(typeA, typeB);
}

/** Unifies two terms whose types are not fully known. */
function unifyUnknown(scope: TypeScope, a: Term, b: Term): boolean {
  if (b.type === 'var' && (a.type === 'var' || isCollection(a))) return unifyWithVar(scope, a, b);
  if (a.type === 'var' && isCollection(b)) return unifyWithVar(scope, b, a);
  if (a.type === 'set' && b.type === 'set') {
    // A member of one may equal any member of the other.
    bindUnknown(a, scope);
    bindUnknown(b, scope);
    return true;
  }
  const pairs = pairsOf(a, b);
  return pairs?.every(([x, y]) => unifyTerms(scope, x, scope.typeOf(x), y, scope.typeOf(y))) ?? false;
}

/** Unknown parts of `term` may be anything, and `variable` gets its type. */
function unifyWithVar(scope: TypeScope, term: Term, variable: Term): boolean {
  return unifyTerm(scope, term, anything) && unifyTerm(scope, variable, scope.typeOf(term));
}

/**
 * The elements, or values under the same keys, of two collections; undefined where they cannot be
 * equal.
 */
function pairsOf(a: Term, b: Term): readonly (readonly [Term, Term])[] | undefined {
  if (a.type === 'array' && b.type === 'array') {
    return a.items.length === b.items.length ? a.items.map((item, i) => [item, b.items[i]!]) : undefined;
  }
  if (a.type !== 'object' || b.type !== 'object') return undefined;
  const others = sortedTermEntries(b.entries);
  const entries = sortedTermEntries(a.entries);
  const sameKeys =
    entries.length === others.length && entries.every(({ key }, i) => compareTerms(key, others[i]!.key) === 0);
  return sameKeys ? entries.map(({ value }, i) => [value, others[i]!.value]) : undefined;
}

/** Variables that get the types of several alternatives. */
interface Widening {
  readonly has: (name: string) => boolean;
  readonly add: (name: string) => unknown;
}

const allVariables: Widening = { has: () => true, add: () => undefined };

/**
 * Whether a term can have a type. Variables of which nothing is known have it from now on. Those in
 * `widening` may have this type besides their own.
 */
export function unifyTerm(scope: TypeScope, term: Term, type: Type | undefined, widening?: Widening): boolean {
  if (term.type === 'var') return unifyVar(scope, term.name, type, widening);
  if (!isCollection(term)) return unifies(scope.typeOf(term), type);
  if (isAnything(type)) {
    for (const part of partsOf(term)) unifyTerm(scope, part, anything, allVariables);
    return true;
  }
  if (type?.kind === 'any') {
    // Unknown variables get the types of all alternatives that fit.
    const widened = widening ?? new Set<string>();
    return type.of.filter((alternative) => unifyTerm(scope, term, alternative, widened)).length > 0;
  }
  const expected = expectations(term, type);
  if (expected === undefined) return false;
  for (const { part, type: ofPart, fit } of expected) {
    if (fit === 'none' || (!unifyTerm(scope, part, ofPart, widening) && fit === 'needed')) return false;
  }
  return true;
}

function unifyVar(scope: TypeScope, name: string, type: Type | undefined, widening: Widening | undefined): boolean {
  const known = scope.variable(name);
  if (known !== undefined && !widening?.has(name)) return unifies(known, type);
  scope.set(name, union(known, type));
  widening?.add(name);
  return true;
}

function partsOf(term: Collection): readonly Term[] {
  return term.type === 'object' ? term.entries.flatMap(({ key, value }) => [key, value]) : term.items;
}

/** A part of a collection, and the type that it has if the collection has its type. */
interface Expectation {
  readonly part: Term;
  readonly type: Type | undefined;
  /** Whether the part has to have the type, may have it, or nothing can stand there. */
  readonly fit: 'needed' | 'possible' | 'none';
}

/**
 * The types of a collection's elements by its type; undefined where it cannot have the type.
 */
function expectations(term: Collection, type: Type | undefined): Iterable<Expectation> | undefined {
  if (term.type === 'array' && type?.kind === 'array') return inArray(term.items, type);
  if (term.type === 'object' && type?.kind === 'object') return inObject(term, type);
  if (term.type === 'set' && type?.kind === 'set') return inSet(term.items, valuesOf(type));
  return undefined;
}

function inArray(items: readonly Term[], type: ArrayType): Iterable<Expectation> | undefined {
  if (items.length !== type.fixed.length && type.rest === undefined && !isEmpty(type)) return undefined;
  return items.map((part, i) => ({ part, type: selectType(type, i), fit: 'needed' }));
}

function inSet(items: readonly Term[], type: Type | undefined): Iterable<Expectation> {
  return items.map((part) => ({ part, type, fit: 'needed' }));
}

function inObject(term: ObjectTerm, type: ObjectType): Iterable<Expectation> | undefined {
  const entries = sortedTermEntries(term.entries);
  if (entries.length !== type.fixed.length && type.rest?.value === undefined && !isEmpty(type)) return undefined;
  return entries.map(({ key, value: part }) => {
    // Under a key that is not known here the value may be any of the object's.
    if (!isConstant(key)) return { part, type: anything, fit: 'possible' };
    const name = jsonOfTerm(key);
    const property = name === undefined ? undefined : selectType(type, name);
    return { part, type: property, fit: property === undefined ? 'none' : 'needed' };
  });
}

/** Variables of which nothing is known may be anything. */
export function bindUnknown(term: Term, scope: TypeScope): void {
  if (term.type === 'var') {
    if (scope.variable(term.name) === undefined) scope.set(term.name, anything);
  } else if (isCollection(term)) for (const part of partsOf(term)) bindUnknown(part, scope);
}
