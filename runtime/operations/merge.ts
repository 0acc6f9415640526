import type { ObjectValue, Value } from '../../values/index.js';
import { countWork, isObject, objectGet, objectKeys, RegoObject, valueAt } from '../../values/index.js';
import { unitsPerCopy } from './insert.js';

/**
 * Merges two objects deeply into a new one. Where both have a key and not both values are objects,
 * the value of `a` wins.
 */
export function merge(a: ObjectValue, b: ObjectValue): ObjectValue {
  const entries: [Value, Value][] = [];
  let plain = true;
  for (const key of objectKeys(a)) {
    countWork(unitsPerCopy);
    const value = valueAt(a, key);
    const other = objectGet(b, key);
    plain &&= typeof key === 'string';
    entries.push([key, other !== undefined && isObject(value) && isObject(other) ? merge(value, other) : value]);
  }
  for (const key of objectKeys(b)) {
    countWork(unitsPerCopy);
    if (objectGet(a, key) !== undefined) continue;
    plain &&= typeof key === 'string';
    entries.push([key, valueAt(b, key)]);
  }
  return plain ? Object.fromEntries(entries as [string, Value][]) : new RegoObject(entries);
}
