/** Objects with some of their keys. */

import { objectGet } from '../../../values/compare.js';
import { RegoObject } from '../../../values/object.js';
import type { RegoSet } from '../../../values/set.js';
import { setOwn } from '../../../values/set-own.js';
import type { ObjectValue, PlainObject, Value } from '../../../values/value.js';
import { countWork } from '../../../values/work.js';
import { countedKeys, unitsPerKey } from './keys.js';

export function remove(source: ObjectValue, gone: RegoSet): ObjectValue {
  if (gone.size === 0) return source;
  if (source instanceof RegoObject) {
    const rest = new RegoObject();
    for (const key of countedKeys(source)) if (!gone.has(key)) rest.set(key, source.get(key)!);
    return rest;
  }
  const names = countedKeys(source) as readonly string[];
  if (names.length > large && gone.size < names.length / 4) return copyWithout(source, gone);
  const rest: { [key: string]: Value } = {};
  for (const key of names) if (!gone.has(key)) setOwn(rest, key, source[key]!);
  return rest;
}

/**
 * Objects larger than this are no longer laid out by their keys: then taking keys out of a copy is
 * faster than putting the others in.
 */
const large = 64;

function copyWithout(source: PlainObject, gone: RegoSet): PlainObject {
  const rest: { [key: string]: Value } = { ...source };
  for (const key of gone) if (typeof key === 'string') delete rest[key];
  return rest;
}

export function filter(source: ObjectValue, wanted: RegoSet): ObjectValue {
  const kept: [Value, Value][] = [];
  for (const key of wanted) {
    countWork(unitsPerKey);
    const value = objectGet(source, key);
    if (value !== undefined) kept.push([key, value]);
  }
  if (source instanceof RegoObject) return new RegoObject(kept);
  const rest: { [key: string]: Value } = {};
  for (const [key, value] of kept) setOwn(rest, key as string, value);
  return rest;
}
