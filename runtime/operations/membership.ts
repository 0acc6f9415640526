import type { ObjectValue, PlainObject, Value } from '../../values/index.js';
import { countWork, ExactNumber, equal, isComposite, keyOf, RegoObject, RegoSet } from '../../values/index.js';
import { type ArrayIndexes, minListed } from '../evaluation/array-indexes.js';
import { countedSize } from './length.js';

/** Units for finding a key. */
const unitsPerKey = 5;

/** The indexes of a run: of base documents, and of other values. */
interface RunIndexes {
  readonly dataIndexes: ArrayIndexes;
  readonly indexes: ArrayIndexes;
}

/**
 * Whether an element is in a collection, as `isMember` tells. A scalar is found by its key among
 * those of a long array, once some were looked for.
 * @param lasting whether the collection is part of the base documents
 */
export function isMemberIn(element: Value, collection: Value, run: RunIndexes, lasting: boolean): boolean {
  if (!Array.isArray(collection) || collection.length < minListed || isComposite(element))
    return isMember(element, collection);
  const keys = (lasting ? run.dataIndexes : run.indexes).scalars(collection);
  if (keys === undefined) return isMember(element, collection);
  countWork(unitsPerKey);
  return keys.has(keyOf(element));
}

/** Whether an element is in an array or a set, or is the value of a key of an object. */
function isMember(element: Value, collection: Value): boolean {
  if (typeof collection !== 'object' || collection === null) return false;
  if (Array.isArray(collection)) {
    countWork(collection.length);
    // A string equals nothing but itself.
    if (typeof element === 'string') return collection.includes(element);
    const mayEqual = typeof element === 'object';
    for (let i = 0; i < collection.length; i++) {
      const one = collection[i] as Value;
      if (one === element || ((mayEqual || typeof one === 'object') && equal(one, element))) return true;
    }
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
