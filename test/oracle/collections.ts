/** Access to the elements of values. */

import { lookup, makeObject, objectGet, sortedEntries, sortedMembers } from '../../values/compare.js';
import { numberText } from '../../values/numbers/number.js';
import { isArray, isNumber, isObject, isSet, type Value } from '../../values/value.js';

/** Keys and values in the language's order; undefined for scalars. */
export function elementsOf(value: Value): readonly (readonly [Value, Value])[] | undefined {
  if (isArray(value)) return value.map((element, i) => [i, element] as const);
  if (isSet(value)) return sortedMembers(value).map((member) => [member, member] as const);
  return isObject(value) ? [...sortedEntries(value)] : undefined;
}

/**
 * A document with another value at a path; scalars and arrays on the way are replaced by objects.
 */
export function replacedAt(document: Value | undefined, path: readonly Value[], value: Value): Value {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const object = document !== undefined && isObject(document) ? document : {};
  const others = [...sortedEntries(object)].filter(([other]) => other !== key);
  return makeObject([...others, [key, replacedAt(objectGet(object, key), rest, value)]]);
}

/**
 * Merges a base document with the virtual document of the same path: objects are merged, otherwise
 * the base document wins.
 */
export function merged(base: Value | undefined, virtual: Value): Value {
  if (base === undefined) return virtual;
  if (!isObject(base) || !isObject(virtual)) return base;
  const keys = new Map<Value, Value>([...sortedEntries(base)]);
  for (const [key, value] of sortedEntries(virtual)) keys.set(key, merged(lookup(base, key), value));
  return makeObject([...keys]);
}

/**
 * Looks up a key in a base document. Keys of its objects are strings: a number finds the key of its
 * decimal text, and a string that is a whole number finds the array element of that index.
 */
export function lookupInBase(source: Value, key: Value): Value | undefined {
  if (isArray(source) && typeof key === 'string') {
    return /^[+-]?\d+(\.0+)?$/.test(key) ? source[Number(key)] : undefined;
  }
  // A value may be null.
  const value = lookup(source, key);
  return value === undefined && isNumber(key) && isObject(source) ? lookup(source, numberText(key)) : value;
}
