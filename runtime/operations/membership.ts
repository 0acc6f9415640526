import type { ObjectValue, PlainObject, Value } from '../../values/index.js';
import { countWork, ExactNumber, equal, RegoObject, RegoSet } from '../../values/index.js';
import { countedSize } from './length.js';

/** Whether an element is in an array or a set, or is the value of a key of an object. */
export function isMember(element: Value, collection: Value): boolean {
  if (typeof collection !== 'object' || collection === null) return false;
  if (Array.isArray(collection)) {
    countWork(collection.length);
    // A string equals nothing but itself.
    if (typeof element === 'string') return collection.includes(element);
    for (let i = 0; i < collection.length; i++) if (equal(collection[i], element)) return true;
    return false;
  }
  if (collection instanceof RegoSet) return collection.has(element);
  if (collection instanceof ExactNumber) return false;
  countWork(countedSize(collection as ObjectValue));
  for (const value of collection instanceof RegoObject
    ? collection.values()
    : Object.values(collection as PlainObject)) {
    if (equal(value, element)) return true;
  }
  return false;
}
