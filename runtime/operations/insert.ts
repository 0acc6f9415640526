/** Writes to objects under construction. */

import type { ObjectValue, PlainObject, Value } from '../../values/index.js';
import { compareStrings, dropKeys, equal, HaltError, objectGet, RegoObject, setOwn } from '../../values/index.js';

/** Units of work for an entry that is copied into another object. */
export const unitsPerCopy = 20;

/** A copy of an object that takes any key. */
export function withAnyKeys(object: PlainObject): RegoObject {
  return new RegoObject(Object.entries(object));
}

/** Sets a key of an object; answers the object, or a copy where it could not take the key. */
export function insert(object: ObjectValue, key: Value, value: Value): ObjectValue {
  if (object instanceof RegoObject) return object.set(key, value);
  if (typeof key !== 'string') return withAnyKeys(object).set(key, value);
  dropKeys(object);
  setOwn(object, key, value);
  return object;
}

/** Objects of more entries take any keys: their size is bounded, and V8 adds to them faster. */
export const maxPlain = 32;

/**
 * Sets a key of an object that is plain while its keys come in order; answers the object, or a copy
 * where it could not take the key. Throws where it has another value for the key.
 * @param size the number of entries before it, or more
 * @param last the key that was set before it
 */
export function insertEntry(
  object: ObjectValue,
  key: Value,
  value: Value,
  size: number,
  last: Value | undefined,
): ObjectValue {
  if (!(object instanceof RegoObject)) {
    if (typeof key === 'string' && size < maxPlain && (size === 0 || compareStrings(key, last as string) > 0)) {
      setOwn(object, key, value);
      return object;
    }
    object = withAnyKeys(object);
  }
  checkUnique(object, key, value);
  return (object as RegoObject).set(key, value);
}

/** Throws where an object has another value for a key. */
export function checkUnique(object: ObjectValue, key: Value, value: Value): void {
  const old = objectGet(object, key);
  if (old !== undefined && !equal(old, value)) throw new HaltError('eval_conflict_error', 'object keys must be unique');
}
