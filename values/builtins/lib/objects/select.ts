/** Objects with some of their keys. */

import { objectGet } from '../../../compare.js';
import { RegoObject } from '../../../object.js';
import { RegoSet } from '../../../set.js';
import { isSet, type ObjectValue, type PlainObject, setOwn, type Value } from '../../../value.js';
import { countWork } from '../../../work.js';
import { countedEntries, countedKeys, type ObjectKeys, unitsPerKey } from './keys.js';

export function remove(source: ObjectValue, gone: ObjectKeys): ObjectValue {
  const size = isSet(gone) ? gone.size : gone.length;
  if (size === 0) return source;
  if (source instanceof RegoObject) return removeAnyKeys(source, isSet(gone) ? gone : new RegoSet(gone));
  const names = countedKeys(source) as readonly string[];
  if (names.length > large && size < names.length / 4) return copyWithout(source, gone);
  const rest: { [key: string]: Value } = {};
  for (const name of names) if (isSet(gone) ? !gone.has(name) : !gone.includes(name)) setOwn(rest, name, source[name]!);
  return rest;
}

function removeAnyKeys(source: RegoObject, gone: RegoSet): RegoObject {
  const rest = new RegoObject();
  for (const [key, value] of countedEntries(source)) if (!gone.has(key)) rest.set(key, value);
  return rest;
}

/**
 * Objects larger than this are no longer laid out by their keys: then taking keys out of a copy is
 * faster than putting the others in.
 */
const large = 64;

function copyWithout(source: PlainObject, gone: ObjectKeys): PlainObject {
  const rest: { [key: string]: Value } = { ...source };
  for (const key of gone) if (typeof key === 'string') delete rest[key];
  return rest;
}

export function filterObject(source: ObjectValue, wanted: ObjectKeys): ObjectValue {
  if (source instanceof RegoObject) return filterAnyKeys(source, wanted);
  const rest: { [key: string]: Value } = {};
  for (const key of wanted) {
    countWork(unitsPerKey);
    const value = objectGet(source, key);
    if (value !== undefined) setOwn(rest, key as string, value);
  }
  return rest;
}

function filterAnyKeys(source: RegoObject, wanted: ObjectKeys): RegoObject {
  const rest = new RegoObject();
  for (const key of wanted) {
    countWork(unitsPerKey);
    const value = source.get(key);
    if (value !== undefined) rest.set(key, value);
  }
  return rest;
}
