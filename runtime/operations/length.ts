/** Lengths of values. */

import type { ObjectValue, Value } from '../../values/index.js';
import { codePoints, countText, countWork, ExactNumber, objectSize, RegoObject, RegoSet } from '../../values/index.js';

/** The length of a string, array, set or object; undefined for any other value. */
export function lengthOf(value: Value | undefined): number | undefined {
  if (typeof value === 'string') {
    countText(value.length);
    return codePoints(value);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return value.length;
  if (value instanceof RegoSet) return value.size;
  return value instanceof ExactNumber ? undefined : countedSize(value as ObjectValue);
}

/** The size of an object. Counted as work: the platform lists the keys of a plain object first. */
export function countedSize(object: ObjectValue): number {
  const size = objectSize(object);
  if (!(object instanceof RegoObject)) countWork(size);
  return size;
}
