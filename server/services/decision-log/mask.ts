/** Removes or replaces values of decision log events. */
import type { MaskRule } from '../../../engine/index.js';
import { storePathText } from '../../../runtime/index.js';
import type { PlainObject, Value } from '../../../values/index.js';
import { isArray, isObject, keepKeys, objectGet, plainKeys, setOwn } from '../../../values/index.js';

/**
 * Applies rules to an event in their order, and lists changed paths in `erased` and `masked`. The
 * event is changed in place: copies of an object with a million keys keep other requests waiting.
 */
export function masked(event: PlainObject, rules: readonly MaskRule[]): PlainObject {
  const erased: string[] = [];
  const replaced: string[] = [];
  for (const rule of rules) {
    // A rule does not add a field that the event lacks.
    if (objectGet(event, rule.path[0]!) === undefined) continue;
    const isChanged = rule.op === 'remove' ? remove(event, rule.path) : replace(event, rule.path, rule.value);
    if (isChanged) (rule.op === 'remove' ? erased : replaced).push(storePathText(rule.path));
  }
  return { ...event, ...(erased.length > 0 && { erased }), ...(replaced.length > 0 && { masked: replaced }) };
}

/** Removes the value at a path. Returns false without such a value. */
function remove(event: PlainObject, path: readonly string[]): boolean {
  const { node, depth } = lastOnPath(event, path);
  const key = path[depth]!;
  if (depth < path.length - 1 || childOf(node, key) === undefined) return false;
  if (isArray(node)) (node as Value[]).splice(Number(key), 1);
  // The key stays in the kept list of keys, and members that are undefined are not written.
  else setOwn(node as Changed, key, undefined);
  return true;
}

/**
 * Sets the value at a path, whose missing objects are made. Returns false where another value is in
 * the way.
 */
function replace(event: PlainObject, path: readonly string[], value: Value): boolean {
  const { node, depth } = lastOnPath(event, path);
  const key = path[depth]!;
  if (childOf(node, key) === undefined && !isObject(node)) return false;
  const member = path.slice(depth + 1).reduceRight<Value>((inner, name) => ({ [name]: inner }), value);
  if (isArray(node)) (node as Value[])[Number(key)] = member;
  else {
    if (!Object.hasOwn(node as PlainObject, key))
      keepKeys(node as PlainObject, [...plainKeys(node as PlainObject), key]);
    setOwn(node as Changed, key, member);
  }
  return true;
}

type Changed = Record<string, Value | undefined>;

/** The innermost collection on a path, and the index of the path's key in it. */
function lastOnPath(event: PlainObject, path: readonly string[]): { readonly node: Value; readonly depth: number } {
  let node: Value = event;
  let depth = 0;
  for (; depth < path.length - 1; depth++) {
    const child = childOf(node, path[depth]!);
    if (child === undefined) break;
    node = child;
  }
  return { node, depth };
}

function childOf(node: Value, key: string): Value | undefined {
  if (isArray(node)) return /^\d{1,15}$/.test(key) ? node[Number(key)] : undefined;
  return isObject(node) ? objectGet(node, key) : undefined;
}
