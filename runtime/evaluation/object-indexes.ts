/**
 * Indexes of objects and sets by a value inside their elements, as those of arrays. They are apart
 * from these, so that a module has them only if it scans such a collection.
 */

import {
  type ArrayValue,
  changesOf,
  type ObjectValue,
  type PlainObject,
  type Value,
  valueAt,
} from '../../values/index.js';
import {
  ArrayIndex,
  type IndexedObjects,
  minIndexed,
  type Reader,
  type Spread,
  scansBeforeIndex,
} from './array-indexes.js';

/**
 * The index of an object or a set; undefined where a scan is as fast.
 * @param indexes those by the path that is read
 * @param object any other value for a set: the list of its members is another one when it grows
 * @param keys of the object in order, or the members
 */
export function objectIndex(
  indexes: IndexedObjects,
  object: ObjectValue | symbol | undefined,
  keys: readonly Value[],
  read: Reader,
  spread?: (array: ArrayValue) => Spread,
): ArrayIndex | undefined {
  if (keys.length < minIndexed) return undefined;
  const of = typeof object === 'object' ? object : keys;
  const changes = changesOf(of as PlainObject);
  let index = indexes.get(of);
  // An object that other functions cannot see may have grown.
  if (index?.changes !== changes || index.length !== keys.length)
    indexes.set(of, (index = new ArrayIndex(keys.length, keys, changes)));
  if (index.indexedLength < 0) {
    if (index.scans++ < scansBeforeIndex) return undefined;
    index.build(typeof object === 'object' ? keys.map((key) => valueAt(object, key)) : keys, read, spread);
  }
  return index;
}
