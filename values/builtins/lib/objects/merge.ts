/** Objects merged at all depths. */

import { objectSize } from '../../../compare.js';
import { RegoObject } from '../../../object.js';
import { isObject, type ObjectValue, setOwn, type Value } from '../../../value.js';
import { countWork } from '../../../work.js';
import { countedEntries, countedKeys, unitsPerKey } from './keys.js';

/**
 * Merges `y` into `x`, or into a copy of it where it is not one of the objects made here. Only keys
 * of both are compared, so that merging many small objects into a large one copies it once.
 * @param made the objects that may be changed, and get the copies; left out for one merge
 */
export function mergeObjects(x: ObjectValue, y: ObjectValue, made?: Set<ObjectValue>): ObjectValue {
  const added = countedKeys(y);
  if (added.length === 0) return x;
  if (x instanceof RegoObject || y instanceof RegoObject) return mergeAnyKeys(x, y, made);
  let target = x as { [key: string]: Value };
  if (made?.has(x) !== true) {
    countWork(objectSize(x) * unitsPerKey);
    target = { ...x };
    made?.add(target);
  }
  for (const key of added as readonly string[]) {
    const before = Object.hasOwn(target, key) ? target[key] : undefined;
    const after = y[key]!;
    setOwn(
      target,
      key,
      before !== undefined && isObject(before) && isObject(after) ? mergeObjects(before, after, made) : after,
    );
  }
  return target;
}

function mergeAnyKeys(x: ObjectValue, y: ObjectValue, made?: Set<ObjectValue>): RegoObject {
  let target = x as RegoObject;
  if (made?.has(x) !== true || !(x instanceof RegoObject)) {
    target = new RegoObject();
    for (const [key, value] of countedEntries(x)) target.set(key, value);
    made?.add(target);
  }
  for (const [key, after] of countedEntries(y)) {
    const before = target.get(key);
    target.set(
      key,
      before !== undefined && isObject(before) && isObject(after) ? mergeObjects(before, after, made) : after,
    );
  }
  return target;
}
