/** Values as the statements of plans see them. */

import type { ObjectValue, Value } from '../../values/index.js';
import {
  isArray,
  isObject,
  isSet,
  objectEntries,
  objectKeys,
  RegoObject,
  sortedKeys,
  sortedMembers,
  valueAt,
} from '../../values/index.js';

/** The length of a text or a collection; undefined where a value has none. */
export function planLength(value: Value | undefined): number | undefined {
  if (typeof value === 'string') return [...value].length;
  if (value === undefined) return undefined;
  if (isArray(value)) return value.length;
  if (isSet(value)) return value.size;
  return isObject(value) ? [...objectKeys(value)].length : undefined;
}

export function entriesOf(object: ObjectValue): [Value, Value][] {
  return [...objectEntries(object)];
}

/** Both objects in one: where both have a key, objects merge and otherwise `a` wins. */
export function merged(a: ObjectValue, b: ObjectValue): ObjectValue {
  const result = new RegoObject(entriesOf(b));
  for (const [key, value] of entriesOf(a)) {
    const other = result.get(key);
    result.set(key, other !== undefined && isObject(value) && isObject(other) ? merged(value, other) : value);
  }
  return result;
}

/** The elements of a scan, and their keys where these are not the indexes. */
interface Elements {
  readonly elements: readonly Value[];
  readonly keys: readonly Value[] | undefined;
}

/** Keys and values as they are when the loop begins; undefined where the value is no collection. */
export function planElements(source: Value | undefined): Elements | undefined {
  if (source === undefined) return undefined;
  if (isArray(source)) return { elements: source.slice(), keys: undefined };
  if (isSet(source)) {
    const members = sortedMembers(source);
    return { elements: members, keys: members };
  }
  if (!isObject(source)) return undefined;
  const keys = sortedKeys(source);
  return { elements: keys.map((key) => valueAt(source, key)), keys };
}
