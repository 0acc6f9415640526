/** Data of several files: the document of each has the path of its directory. */
import { isObject, objectGet, type PlainObject, type Value } from '../../values/index.js';

/**
 * Merges two trees; undefined where both define a value at one path. Unmerged parts are shared, not
 * copied.
 */
export function mergeDocuments(a: PlainObject, b: PlainObject): PlainObject | undefined {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const merged = new Map<string, Value>(Object.entries(a));
  for (const [key, value] of Object.entries(b)) {
    const other = merged.get(key);
    if (other === undefined) {
      merged.set(key, value);
      continue;
    }
    if (!isObject(other) || !isObject(value)) return undefined;
    const both = mergeDocuments(other as PlainObject, value as PlainObject);
    if (both === undefined) return undefined;
    merged.set(key, both);
  }
  // Assigning to `__proto__` would not add a key.
  return Object.fromEntries(merged);
}

function isEmpty(object: PlainObject): boolean {
  for (const _ in object) return false;
  return true;
}

/**
 * A value at a path: `{"a": {"b": value}}`. Undefined where the path is empty and the value is no
 * object.
 */
export function treeDocumentAt(path: readonly string[], value: Value): PlainObject | undefined {
  let node = value;
  for (const key of path.toReversed()) node = Object.fromEntries([[key, node]]);
  return isObject(node) ? (node as PlainObject) : undefined;
}

/** The value at a path, if there is one. */
export function readAt(data: PlainObject, path: readonly string[]): Value | undefined {
  let node: Value = data;
  for (const key of path) {
    const member: Value | undefined = isObject(node) ? objectGet(node, key) : undefined;
    if (member === undefined) return undefined;
    node = member;
  }
  return node;
}
