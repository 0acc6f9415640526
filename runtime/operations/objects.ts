/** Objects that an evaluation builds, and changes to copies of documents. */
import { objectGet, objectKeys, objectSize } from '../values/compare.js';
import { RegoObject } from '../values/object.js';
import { isObject, type ObjectValue, type PlainObject, type Value } from '../values/value.js';
import { countWork } from '../values/work.js';

/** Units for an entry that is copied into another object. */
export const unitsPerCopy = 20;

/** Sets a key of a plain object under construction, `__proto__` included. */
export function setOwn(object: PlainObject, key: string, value: Value): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else (object as { [key: string]: Value })[key] = value;
}

/** A copy of an object that takes any key. */
export function withAnyKeys(object: PlainObject): RegoObject {
  return new RegoObject(Object.keys(object).map((key) => [key, object[key]!] as const));
}

/** Merges two objects deeply into a new one; where both have a key and not both values are objects, `a` wins. */
export function merge(a: ObjectValue, b: ObjectValue): ObjectValue {
  const entries: [Value, Value][] = [];
  let plain = true;
  for (const key of objectKeys(a)) {
    countWork(unitsPerCopy);
    const value = objectGet(a, key)!;
    const other = objectGet(b, key);
    plain &&= typeof key === 'string';
    entries.push([key, other !== undefined && isObject(value) && isObject(other) ? merge(value, other) : value]);
  }
  for (const key of objectKeys(b)) {
    countWork(unitsPerCopy);
    if (objectGet(a, key) !== undefined) continue;
    plain &&= typeof key === 'string';
    entries.push([key, objectGet(b, key)!]);
  }
  return plain ? Object.fromEntries(entries as [string, Value][]) : new RegoObject(entries);
}

/** A copy of a document with the value at a path replaced; whatever on the way is no object is replaced by one. */
export function withValueAt(document: Value | undefined, path: readonly string[], value: Value | undefined, depth = 0): Value | undefined {
  if (depth === path.length) return value;
  const key = path[depth]!;
  const inner = document !== undefined && isObject(document) ? objectGet(document, key) : undefined;
  const replaced = withValueAt(inner, path, value, depth + 1);
  if (document === undefined || !isObject(document)) return replaced === undefined ? {} : makeOne(key, replaced);
  if (document instanceof RegoObject) {
    const copy = new RegoObject();
    for (const other of document.keys()) if (other !== key) copy.set(other, document.get(other)!);
    return replaced === undefined ? copy : copy.set(key, replaced);
  }
  countWork(objectSize(document) * unitsPerCopy);
  const copy = { ...document };
  if (replaced === undefined) delete (copy as { [key: string]: Value })[key];
  else setOwn(copy, key, replaced);
  return copy;
}

function makeOne(key: string, value: Value): PlainObject {
  const object: PlainObject = {};
  setOwn(object, key, value);
  return object;
}
