/** Parts of a type: its keys, its values, and the value under one key. */

import { compare, countWhile, isArray, isNumber, RegoSet, type Value } from '../../../values/index.js';
import type { Term } from '../../ast/nodes.js';
import { compareTypes, sortProperties } from './compare-types.js';
import { jsonOfTerm } from './constant-terms.js';
import type { ObjectType, Properties, Property, Type } from './type.js';
import {
  anything,
  arrayType,
  booleanType,
  emptyObject,
  isAnything,
  isEmpty,
  numberType,
  objectType,
  stringType,
  typeOfNull,
} from './type.js';
import { contains, union, unionAll } from './union.js';

/** The type of a JSON value. */
export function typeOfValue(value: Value): Type {
  if (typeof value === 'string') return stringType;
  if (typeof value === 'boolean') return booleanType;
  if (value === null) return typeOfNull;
  if (isNumber(value)) return numberType;
  if (isArray(value) || value instanceof RegoSet) return arrayType([...value].map(typeOfValue), undefined);
  const properties = Object.entries(value as { readonly [key: string]: Value }).map(([key, item]) => ({
    key,
    type: typeOfValue(item),
  }));
  return objectType(sortProperties(properties), undefined);
}

// Large literals, and the whole of `data`, are asked again and again.
const keysOfLarge = new WeakMap<Type, { readonly type: Type | undefined }>();
const valuesOfLarge = new WeakMap<Type, { readonly type: Type | undefined }>();
const large = 16;

function remembered(
  type: Type,
  size: number,
  memory: typeof keysOfLarge,
  find: () => Type | undefined,
): Type | undefined {
  if (size < large) return find();
  let known = memory.get(type);
  if (!known) memory.set(type, (known = { type: find() }));
  return known.type;
}

/**
 * The type of a variable in a ref; undefined if the value has no keys. Those of an empty literal
 * may be anything: it is often there to be filled in.
 */
export function keyTypeOf(type: Type | undefined): Type | undefined {
  return isEmpty(type) ? anything : typeOfKeys(type);
}

function typeOfKeys(type: Type | undefined): Type | undefined {
  switch (type?.kind) {
    case 'array':
      return numberType;
    case 'object':
      return remembered(type, type.fixed.length, keysOfLarge, () =>
        union(unionAll(type.fixed.map(({ key }) => typeOfValue(key))), type.rest?.key),
      );
    case 'set':
      return type.of;
    case 'any':
      return isAnything(type)
        ? anything
        : type.of.reduce<Type | undefined>((all, part) => union(typeOfKeys(part), all), undefined);
    default:
      return undefined;
  }
}

/** The type of the values under all keys; undefined if there are no keys. */
export function valuesOf(type: Type | undefined): Type | undefined {
  return isEmpty(type) ? anything : typeOfValues(type);
}

function typeOfValues(type: Type | undefined): Type | undefined {
  switch (type?.kind) {
    case 'array':
      return remembered(type, type.fixed.length, valuesOfLarge, () => union(unionAll(type.fixed), type.rest));
    case 'object':
      return remembered(type, type.fixed.length, valuesOfLarge, () =>
        union(unionAll(type.fixed.map((property) => property.type)), type.rest?.value),
      );
    case 'set':
      return type.of;
    case 'any':
      return isAnything(type)
        ? anything
        : remembered(type, type.of.length, valuesOfLarge, () =>
            type.of.reduce<Type | undefined>((all, part) => union(typeOfValues(part), all), undefined),
          );
    default:
      return undefined;
  }
}

/** The type under a key; undefined where there can be nothing. */
export function selectType(type: Type | undefined, key: Value): Type | undefined {
  return isEmpty(type) ? anything : selectIn(type, key);
}

function selectIn(type: Type | undefined, key: Value): Type | undefined {
  switch (type?.kind) {
    case 'array':
      return typeof key === 'number' && Number.isSafeInteger(key) && key >= 0
        ? (type.fixed[key] ?? type.rest)
        : undefined;
    case 'object':
      return selectProperty(type, key);
    case 'set': {
      const member = typeOfValue(key);
      if (compareTypes(type.of, member) === 0) return type.of;
      return type.of?.kind === 'any' && contains(type.of, member) ? member : undefined;
    }
    case 'any':
      if (isAnything(type)) return anything;
      return type.of.reduce<Type | undefined>((all, part) => union(selectIn(part, key), all), undefined);
    default:
      return undefined;
  }
}

function selectProperty({ fixed, rest }: ObjectType, key: Value): Type | undefined {
  const found = findProperty(fixed, key);
  if (found) return found.type;
  return rest && contains(rest.key, typeOfValue(key)) ? rest.value : undefined;
}

function findProperty(fixed: readonly Property[], key: Value): Property | undefined {
  const found = fixed[countWhile(fixed, (property) => compare(property.key, key) < 0)];
  return found && compare(found.key, key) === 0 ? found : undefined;
}

/** Whether an object is known to have a key. */
export function hasProperty({ fixed }: ObjectType, key: Value): boolean {
  return findProperty(fixed, key) !== undefined;
}

/** The type at the end of a path; a variable stands for any key. */
export function selectPath(type: Type | undefined, path: readonly Term[], start = 0): Type | undefined {
  let found = type;
  for (let at = start; at < path.length && found !== undefined; at++) {
    const term = path[at]!;
    const key = isComposite(term) ? undefined : jsonOfTerm(term);
    found = key === undefined ? valuesOf(found) : selectType(found, key);
  }
  return found;
}

function isComposite({ type }: Term): boolean {
  return type === 'array' || type === 'object' || type === 'set';
}

/** The keys that an object is known to have, sorted; those of each object of a union. */
export function knownKeys(type: Type | undefined): readonly Value[] {
  if (type?.kind === 'object') return type.fixed.map(({ key }) => key);
  if (type?.kind !== 'any') return [];
  const keys = type.of.flatMap(knownKeys).sort(compare);
  return keys.filter((key, i) => i === 0 || compare(keys[i - 1]!, key) !== 0);
}

/** An object with a value's type added at `path` below it. */
export function withPath(object: ObjectType, path: readonly (Type | undefined)[], type: Type | undefined): ObjectType {
  if (path.length === 0) return object;
  const value = path.length === 1 ? type : withPath(emptyObject, path.slice(1), type);
  const rest: Properties = { key: union(object.rest?.key, path[0]), value: union(object.rest?.value, value) };
  return objectType(object.fixed, rest);
}
