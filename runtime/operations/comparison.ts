/** What instructions ask of values: how long they are, how two stand to each other, whether one is in the other. */

import { compare, equal, objectSize } from '../values/compare.js';
import { ExactNumber } from '../values/numbers/number.js';
import { RegoObject } from '../values/object.js';
import { RegoSet } from '../values/set.js';
import { codePoints } from '../values/text/code-points.js';
import type { ObjectValue, PlainObject, Value } from '../values/value.js';
import { countText, countWork } from '../values/work.js';

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

/** The platform makes a list of the keys of a plain object to count them. */
export function countedSize(object: ObjectValue): number {
  const size = objectSize(object);
  if (!(object instanceof RegoObject)) countWork(size);
  return size;
}

export function relates(relation: number, a: Value, b: Value): boolean {
  if (relation >= 4) return equal(a, b) === (relation === 4);
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(a, b);
  return relation === 0 ? order < 0 : relation === 1 ? order <= 0 : relation === 2 ? order > 0 : order >= 0;
}

export function isMember(element: Value, collection: Value): boolean {
  if (typeof collection !== 'object' || collection === null) return false;
  if (Array.isArray(collection)) {
    countWork(collection.length);
    for (let i = 0; i < collection.length; i++) if (equal(collection[i], element)) return true;
    return false;
  }
  if (collection instanceof RegoSet) return collection.has(element);
  if (collection instanceof ExactNumber) return false;
  countWork(countedSize(collection as ObjectValue));
  for (const value of collection instanceof RegoObject ? collection.values() : Object.values(collection as PlainObject)) {
    if (equal(value, element)) return true;
  }
  return false;
}
