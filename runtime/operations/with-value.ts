import type { PlainObject, Value } from '../../values/index.js';
import { countWork, isObject, objectGet, objectSize, RegoObject, setOwn, valueAt } from '../../values/index.js';
import { unitsPerCopy } from './insert.js';

/**
 * A copy of a document with the value at a path replaced. A value on the path that is no object is
 * replaced by an object.
 */
export function withValueAt(
  document: Value | undefined,
  path: readonly string[],
  value: Value | undefined,
  depth = 0,
): Value | undefined {
  if (depth === path.length) return value;
  const key = path[depth]!;
  const inner = document !== undefined && isObject(document) ? objectGet(document, key) : undefined;
  const replaced = withValueAt(inner, path, value, depth + 1);
  if (document === undefined || !isObject(document)) return replaced === undefined ? {} : singleton(key, replaced);
  if (document instanceof RegoObject) {
    const copy = new RegoObject();
    for (const other of document.keys()) if (other !== key) copy.set(other, valueAt(document, other));
    return replaced === undefined ? copy : copy.set(key, replaced);
  }
  countWork(objectSize(document) * unitsPerCopy);
  const copy = { ...document };
  if (replaced === undefined) delete (copy as { [key: string]: Value })[key];
  else setOwn(copy, key, replaced);
  return copy;
}

function singleton(key: string, value: Value): PlainObject {
  const object: PlainObject = {};
  setOwn(object, key, value);
  return object;
}
