/** Whether terms can have types, and what that tells of the variables in them. */

import { compareTerms, objectEntries } from '../../ast/compare.js';
import type { ObjectTerm, SetTerm, Term } from '../../ast/nodes.js';
import { isMet } from './compare.js';
import { isConstant, jsonOfTerm } from './constants.js';
import type { Scope } from './env.js';
import { hasProperty, select, valuesOf } from './select.js';
import { type AnyType, type ArrayType, anything, isAnything, isUnknown, type ObjectType, type Type } from './type.js';
import { union } from './union.js';

type Met = Map<ObjectType, Set<ObjectType>>;

/** Whether there may be a value of both types. */
export function unifies(a: Type | undefined, b: Type | undefined, met?: Met): boolean {
  if (a === undefined || b === undefined) return false;
  if (a.kind === 'any' && unifiesAny(a, b, met)) return true;
  if (b.kind === 'any' && unifiesAny(b, a, met)) return true;
  if (a.kind !== b.kind) return false;
  switch (a.kind) {
    case 'any':
      return false;
    case 'array':
      return unifiesArrays(a, b as ArrayType, met);
    case 'object':
      return unifiesObjects(a, b as ObjectType, met);
    case 'set':
      return unifies(a.of, (b as typeof a).of, met);
    case 'function': {
      const other = b as typeof a;
      return a.args.length === other.args.length && a.args.every((arg, i) => unifies(arg, other.args[i], met));
    }
    default:
      return true;
  }
}

function unifiesAny({ of }: AnyType, type: Type, met: Met | undefined): boolean {
  return type.kind !== 'function' && (of.length === 0 || of.some((part) => unifies(part, type, met)));
}

function unifiesArrays(a: ArrayType, b: ArrayType, met: Met | undefined): boolean {
  const length = Math.max(a.fixed.length, b.fixed.length);
  for (let i = 0; i < length; i++) if (!unifies(select(a, i), select(b, i), met)) return false;
  return a.rest === undefined || b.rest === undefined || unifies(a.rest, b.rest, met);
}

function unifiesObjects(a: ObjectType, b: ObjectType, met: Met | undefined): boolean {
  if (a === b && !a.unknown) return true;
  if (a.named && b.named) {
    met ??= new Map();
    if (isMet(a, b, met)) return true;
  }
  for (const { key, type } of a.fixed) if (!unifies(type, select(b, key), met)) return false;
  // What both have is done: twice at each level would be for ever.
  for (const { key, type } of b.fixed) if (!hasProperty(a, key) && !unifies(select(a, key), type, met)) return false;
  return a.rest?.value === undefined || b.rest?.value === undefined || unifies(a.rest.value, b.rest.value, met);
}

/** Whether two terms can be equal. What is known of one tells of the other. */
export function unifyTerms(scope: Scope, a: Term, typeA: Type | undefined, b: Term, typeB: Type | undefined): boolean {
  const unknownA = isUnknown(typeA);
  const unknownB = isUnknown(typeB);
  if (unknownA && !unknownB) return unifyTerm(scope, a, typeB, false);
  if (unknownB && !unknownA) return unifyTerm(scope, b, typeA, false);
  if (!unknownA) return unifies(typeA, typeB);
  if (a.type === 'array') return unifyArrays(scope, a.items, b);
  if (a.type === 'object') return unifyObjects(scope, a, b);
  if (a.type === 'set') return unifySets(scope, a, b);
  if (a.type !== 'var') return false;
  if (b.type === 'var' || b.type === 'array' || b.type === 'object' || b.type === 'set')
    return unifyWithVar(scope, b.type === 'var' ? a : b, b.type === 'var' ? b : a);
  return false;
}

/** What is in `term` may be anything, and `variable` has its type. */
function unifyWithVar(scope: Scope, term: Term, variable: Term): boolean {
  return unifyTerm(scope, term, anything, false) && unifyTerm(scope, variable, scope.typeOf(term), false);
}

function unifyArrays(scope: Scope, items: readonly Term[], b: Term): boolean {
  if (b.type === 'var') return unifyWithVar(scope, { type: 'array', loc: b.loc, items }, b);
  if (b.type !== 'array' || b.items.length !== items.length) return false;
  return items.every((item, i) => unifyTerms(scope, item, scope.typeOf(item), b.items[i]!, scope.typeOf(b.items[i]!)));
}

/** Members of sets tell nothing of each other. */
function unifySets(scope: Scope, a: SetTerm, b: Term): boolean {
  if (b.type === 'var') return unifyWithVar(scope, a, b);
  if (b.type !== 'set') return false;
  bindUnknown(a, scope);
  bindUnknown(b, scope);
  return true;
}

function unifyObjects(scope: Scope, a: ObjectTerm, b: Term): boolean {
  if (b.type === 'var') return unifyWithVar(scope, a, b);
  if (b.type !== 'object') return false;
  const left = objectEntries(a.entries);
  const right = objectEntries(b.entries);
  if (left.length !== right.length || left.some(({ key }, i) => compareTerms(key, right[i]!.key) !== 0)) return false;
  return left.every(({ value }, i) => unifyTerms(scope, value, scope.typeOf(value), right[i]!.value, scope.typeOf(right[i]!.value)));
}

/**
 * Whether a term can have a type. Variables of which nothing is known have it from now on. `widen` is for the alternatives of a union: then variables
 * may have this type as well as what they have.
 */
export function unifyTerm(scope: Scope, term: Term, type: Type | undefined, widen: boolean): boolean {
  switch (term.type) {
    case 'array':
      if (type?.kind === 'array') return unifyArray(scope, term.items, type, widen);
      return unifyUnion(scope, term, type, term.items);
    case 'object':
      if (type?.kind === 'object') return unifyObject(scope, term, type, widen);
      return unifyUnion(
        scope,
        term,
        type,
        term.entries.flatMap(({ key, value }) => [key, value]),
      );
    case 'set':
      if (type?.kind === 'set') return term.items.every((item) => unifyTerm(scope, item, valuesOf(type), widen));
      return unifyUnion(scope, term, type, term.items);
    case 'var':
      return unifyVar(scope, term.name, type, widen);
    default:
      return unifies(scope.typeOf(term), type);
  }
}

function unifyVar(scope: Scope, name: string, type: Type | undefined, widen: boolean): boolean {
  const known = scope.variable(name);
  if (widen) scope.set(name, union(known, type));
  else if (known !== undefined) return unifies(known, type);
  else scope.set(name, type);
  return true;
}

/** A collection can have a union's type if it can have one of them; all that fit tell of its variables. */
function unifyUnion(scope: Scope, term: Term, type: Type | undefined, parts: readonly Term[]): boolean {
  if (type?.kind !== 'any') return false;
  if (isAnything(type)) {
    for (const part of parts) unifyTerm(scope, part, anything, true);
    return true;
  }
  let fits = false;
  for (const alternative of type.of) fits = unifyTerm(scope, term, alternative, true) || fits;
  return fits;
}

function unifyArray(scope: Scope, items: readonly Term[], type: ArrayType, widen: boolean): boolean {
  if (items.length !== type.fixed.length && type.rest === undefined) return false;
  return items.every((item, i) => unifyTerm(scope, item, select(type, i), widen));
}

function unifyObject(scope: Scope, term: ObjectTerm, type: ObjectType, widen: boolean): boolean {
  const entries = objectEntries(term.entries);
  if (entries.length !== type.fixed.length && type.rest?.value === undefined) return false;
  return entries.every(({ key, value }) => {
    if (!isConstant(key)) {
      // The value could be any of those under keys that fit.
      unifyTerm(scope, value, anything, widen);
      return true;
    }
    const name = jsonOfTerm(key);
    const property = name === undefined ? undefined : select(type, name);
    return property !== undefined && unifyTerm(scope, value, property, widen);
  });
}

/** Variables of which nothing is known may be anything. */
export function bindUnknown(term: Term, scope: Scope): void {
  switch (term.type) {
    case 'var':
      if (scope.variable(term.name) === undefined) scope.set(term.name, anything);
      return;
    case 'array':
    case 'set':
      for (const item of term.items) bindUnknown(item, scope);
      return;
    case 'object':
      for (const { key, value } of term.entries) {
        bindUnknown(key, scope);
        bindUnknown(value, scope);
      }
  }
}
