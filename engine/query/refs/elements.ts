/** The elements of collections, in order. */

import type { Value } from '../../../values/index.js';
import { countWork, isArray, isObject, isSet, lookup, sortedKeys, sortedMembers } from '../../../values/index.js';
import type { Machine, Next } from '../machine.js';

/** The keys, indexes or members of a collection, in order. */
export function elementKeys(value: Value): readonly Value[] {
  if (isArray(value)) {
    countWork(value.length);
    return [...value.keys()];
  }
  if (isSet(value)) return sortedMembers(value);
  return isObject(value) ? sortedKeys(value) : [];
}

/** The element at one of the keys of a collection; a member of a set is its own key. */
export function elementAt(collection: Value, key: Value): Value {
  return isSet(collection) ? key : lookup(collection, key)!;
}

/** Continues with each element in turn: its key or index, or the member itself, and its value. */
export function eachElement(machine: Machine, collection: Value, visit: (key: Value, element: Value) => Next): Next {
  if (!isArray(collection)) {
    return machine.each(elementKeys(collection), (key) => visit(key, elementAt(collection, key)));
  }
  countWork(collection.length);
  let i = 0;
  const next = (): Next => {
    const at = i++;
    if (i < collection.length) machine.push(next);
    return visit(at, collection[at]!);
  };
  return collection.length === 0 ? machine.fail() : next;
}
