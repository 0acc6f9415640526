/** One type for what is of either of two types. */

import { compareTypes } from './compare.js';
import {
  type AnyType,
  anything,
  type FunctionType,
  functionType,
  type ObjectType,
  objectType,
  setType,
  type Type,
  unionType,
} from './type.js';

/** The union; where one of them holds the other, that one. What is not known adds nothing. A function and something else have none. */
export function union(a: Type | undefined, b: Type | undefined): Type | undefined {
  if (a === undefined || a === b) return b;
  if (b === undefined) return a;
  if (a.kind === 'function' || b.kind === 'function')
    return a.kind === 'function' && b.kind === 'function' ? unionOfFunctions(a, b) : undefined;
  if (a.kind === 'any') return b.kind === 'any' ? mergeSorted(a, b) : include(a, b);
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
      parts.push(...type.of);
    }
  }
  parts.sort(compareTypes);
  const of = parts.filter((part, i) => i === 0 || compareTypes(parts[i - 1]!, part) !== 0);
  return of.length === 1 && !isUnion ? of[0] : of.length === 0 ? undefined : unionType(of);
}

function include(all: AnyType, type: Type): AnyType {
  if (all.of.length === 0) return all;
  const at = position(all.of, type);
  if (at < all.of.length && compareTypes(all.of[at]!, type) === 0) return all;
  return unionType(all.of.toSpliced(at, 0, type));
}

function position(types: readonly Type[], type: Type): number {
  let low = 0;
  let high = types.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareTypes(types[middle]!, type) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function mergeSorted(a: AnyType, b: AnyType): AnyType {
  if (a.of.length === 0) return a;
  if (b.of.length === 0) return b;
  const of: Type[] = [];
  let i = 0;
  let j = 0;
  while (i < a.of.length && j < b.of.length) {
    const order = compareTypes(a.of[i]!, b.of[j]!);
    of.push(order <= 0 ? a.of[i]! : b.of[j]!);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  for (; i < a.of.length; i++) of.push(a.of[i]!);
  for (; j < b.of.length; j++) of.push(b.of[j]!);
  return unionType(of);
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
  return all.of.length === 0 || (at < all.of.length && compareTypes(all.of[at]!, type) === 0);
}

/**
 * The type of a document to which several rules contribute. Sets have one type of members, and objects without known keys one of keys and one of
 * values, which says the same in fewer words than a union of sets or objects.
 */
export function merge(a: Type | undefined, b: Type | undefined): Type | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  switch (a.kind) {
    case 'object':
      if (a.fixed.length > 0) break;
      if (b.kind === 'object' && b.fixed.length === 0) return mergeObjects(a, b);
      if (b.kind === 'any') return mergeIntoUnion(a, b) ?? union(a, b);
      break;
    case 'set':
      if (b.kind === 'set') return setType(union(a.of, b.of));
      break;
    case 'any':
      if (b.kind !== 'any') return merge(b, a);
      break;
  }
  return union(a, b);
}

function mergeObjects(a: ObjectType, b: ObjectType): ObjectType {
  return objectType([], { key: union(a.rest?.key, b.rest?.key), value: merge(a.rest?.value, b.rest?.value) });
}

function mergeIntoUnion(object: ObjectType, all: AnyType): AnyType | undefined {
  const at = all.of.findIndex((type) => type.kind === 'object' && type.fixed.length === 0);
  if (at < 0) return undefined;
  const { rest } = all.of[at] as ObjectType;
  const merged = objectType([], { key: union(rest?.key, object.rest?.key), value: union(rest?.value, object.rest?.value) });
  return all.of.toSpliced(at, 1).reduce<AnyType>(include, unionType([merged]));
}
