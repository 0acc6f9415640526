/** The union of two types. */

import { countWhile } from '../../../values/index.js';
import { compareTypes } from './compare-types.js';
import { type AnyType, anything, type FunctionType, functionType, type Type, unionType } from './type.js';

/**
 * The union; where one of them contains the other, that one. An unknown type adds nothing. A
 * function and another type have no union.
 */
export function union(a: Type | undefined, b: Type | undefined): Type | undefined {
  if (a === undefined || a === b) return b;
  if (b === undefined) return a;
  if (a.kind === 'function' || b.kind === 'function')
    return a.kind === 'function' && b.kind === 'function' ? unionOfFunctions(a, b) : undefined;
  if (a.kind === 'any') return b.kind === 'any' ? unionOfUnions(a, b) : include(a, b);
  if (b.kind === 'any') return include(b, a);
  const order = compareTypes(a, b);
  if (order === 0) return a;
  return unionType(order < 0 ? [a, b] : [b, a]);
}

/** The union of many, without the cost of one after the other. */
export function unionAll(types: readonly (Type | undefined)[]): Type | undefined {
  if (types.length < 8 || types.some((type) => type?.kind === 'function')) return types.reduce(union, undefined);
  const parts: Type[] = [];
  let isUnion = false;
  for (const type of new Set(types)) {
    if (type === undefined) continue;
    if (type.kind !== 'any') parts.push(type);
    else if (type.of.length === 0) return anything;
    else {
      isUnion = true;
      for (const part of type.of) parts.push(part);
    }
  }
  const of = sortedOnce(parts);
  return of.length === 1 && !isUnion ? of[0] : of.length === 0 ? undefined : unionType(of);
}

/** A union with one more type. */
export function include(all: AnyType, type: Type): AnyType {
  if (all.of.length === 0) return all;
  const at = position(all.of, type);
  if (at < all.of.length && compareTypes(all.of[at], type) === 0) return all;
  return unionType(all.of.toSpliced(at, 0, type));
}

function position(types: readonly Type[], type: Type): number {
  return countWhile(types, (other) => compareTypes(other, type) < 0);
}

function unionOfUnions(a: AnyType, b: AnyType): AnyType {
  if (a.of.length === 0 || b.of.length === 0) return anything;
  return unionType(sortedOnce([...a.of, ...b.of]));
}

/** Sorts types and removes duplicates. */
function sortedOnce(types: Type[]): readonly Type[] {
  types.sort(compareTypes);
  return types.filter((type, i) => i === 0 || compareTypes(types[i - 1], type) !== 0);
}

function unionOfFunctions(a: FunctionType, b: FunctionType): FunctionType | undefined {
  if (a.args.length !== b.args.length || (a.variadic === undefined) !== (b.variadic === undefined)) return undefined;
  const args = a.args.map((arg, i) => union(arg, b.args[i]));
  return functionType(args, union(a.result, b.result), union(a.variadic, b.variadic));
}

/** Whether a type holds another; `any` holds all but functions. */
export function contains(all: Type | undefined, type: Type): boolean {
  if (all?.kind !== 'any') return compareTypes(all, type) === 0;
  if (type.kind === 'function') return false;
  const at = position(all.of, type);
  return all.of.length === 0 || (at < all.of.length && compareTypes(all.of[at], type) === 0);
}
