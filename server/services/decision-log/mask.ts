/** Removes or replaces values of decision log events. */
import type { MaskRule } from '../../../engine/why/mask-rules.js';
import { pathText } from '../../../runtime/store/path.js';
import { objectGet } from '../../../values/compare.js';
import { isArray, isObject, type PlainObject, type Value } from '../../../values/value.js';

/** Applies rules to an event in their order, and lists changed paths in `erased` and `masked`. */
export function masked(event: PlainObject, rules: readonly MaskRule[]): PlainObject {
  let result = event;
  const erased: string[] = [];
  const replaced: string[] = [];
  for (const rule of rules) {
    // A rule does not add a field that the event lacks.
    if (!Object.hasOwn(result, rule.path[0]!)) continue;
    const changed = rule.op === 'remove' ? without(result, rule.path) : withValue(result, rule.path, rule.value);
    if (changed === undefined) continue;
    result = changed as PlainObject;
    (rule.op === 'remove' ? erased : replaced).push(pathText(rule.path));
  }
  return { ...result, ...(erased.length > 0 && { erased }), ...(replaced.length > 0 && { masked: replaced }) };
}

/** A copy without the value at a path; undefined without such a value. */
function without(node: Value, path: readonly string[], depth = 0): Value | undefined {
  const key = path[depth]!;
  const child = childOf(node, key);
  if (child === undefined) return undefined;
  const isLast = depth === path.length - 1;
  const changed = isLast ? undefined : without(child, path, depth + 1);
  if (!isLast) return changed === undefined ? undefined : withChild(node, key, changed);
  if (isArray(node)) return node.toSpliced(Number(key), 1);
  return Object.fromEntries(Object.entries(node as PlainObject).filter(([other]) => other !== key));
}

/**
 * A copy with a value at a path, whose missing objects are made; undefined where another value is
 * in the way.
 */
function withValue(node: Value, path: readonly string[], value: Value, depth = 0): Value | undefined {
  if (depth === path.length) return value;
  const key = path[depth]!;
  const child = childOf(node, key);
  if (child === undefined && !isObject(node)) return undefined;
  const changed = withValue(child ?? {}, path, value, depth + 1);
  return changed === undefined ? undefined : withChild(node, key, changed);
}

function childOf(node: Value, key: string): Value | undefined {
  if (isArray(node)) return /^\d{1,15}$/.test(key) ? node[Number(key)] : undefined;
  return isObject(node) ? objectGet(node, key) : undefined;
}

function withChild(node: Value, key: string, child: Value): Value {
  if (isArray(node)) return node.with(Number(key), child);
  return Object.fromEntries([...Object.entries(node as PlainObject).filter(([other]) => other !== key), [key, child]]);
}
