/** What is in a value. */

import { lookup, makeObject, objectGet, sortedEntries, sortedMembers } from '../runtime/values/compare.js';
import { numberText } from '../runtime/values/numbers/number.js';
import { isArray, isNumber, isObject, isSet, type Value } from '../runtime/values/value.js';

/** Keys and values in the language's order; undefined for what is no collection. */
export function elementsOf(value: Value): readonly (readonly [Value, Value])[] | undefined {
  if (isArray(value)) return value.map((element, i) => [i, element] as const);
  if (isSet(value)) return sortedMembers(value).map((member) => [member, member] as const);
  return isObject(value) ? [...sortedEntries(value)] : undefined;
}

/** A document with another value at a path; what is on the way and no object is replaced by one. */
export function replacedAt(document: Value | undefined, path: readonly Value[], value: Value): Value {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const object = document !== undefined && isObject(document) ? document : {};
  const others = [...sortedEntries(object)].filter(([other]) => other !== key);
  return makeObject([...others, [key, replacedAt(objectGet(object, key), rest, value)]]);
}

/**
 * A base document and what rules make beside it: objects are merged, otherwise the base document
 * counts.
 */
export function merged(base: Value | undefined, virtual: Value): Value {
  if (base === undefined) return virtual;
  if (!isObject(base) || !isObject(virtual)) return base;
  const keys = new Map<Value, Value>([...sortedEntries(base)]);
  for (const [key, value] of sortedEntries(virtual)) keys.set(key, merged(lookup(base, key), value));
  return makeObject([...keys]);
}

/**
 * What is under a key of a base document: keys of its objects are strings, whose text a number may
 * be, and the other way round in arrays.
 */
export function lookupInBase(source: Value, key: Value): Value | undefined {
  const found = lookup(source, key);
  if (found !== undefined) return found;
  if (isNumber(key) && isObject(source)) return lookup(source, numberText(key));
  return typeof key === 'string' && isArray(source) && /^(0|[1-9]\d*)$/.test(key) ? source[Number(key)] : undefined;
}
