/** The values inside a value. */
import { objectGet, sortedKeys, sortedMembers } from '../../../values/compare.js';
import { checkElements } from '../../../values/memory.js';
import { isArray, isObject, isSet, type Value } from '../../../values/value.js';
import type { BuiltinContext } from '../../context.js';
import { sizeOf } from '../../cost.js';

const unitsPerValue = 60;

type PathAndValue = readonly [path: readonly Value[], value: Value];

/** Every value inside a value, itself first, with its path: a relation of `[path, value]`. */
export function walk(root: Value, context: BuiltinContext): readonly PathAndValue[] {
  const pairs: PathAndValue[] = [];
  // A stack, since deep documents would overflow a recursion.
  const pending: PathAndValue[] = [[[], root]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [path, value] = next;
    checkElements(pairs.length + 1);
    pairs.push([path, value]);
    if (typeof value !== 'object' || value === null) continue;
    const unitsPerChild = unitsPerValue + path.length;
    if (isArray(value) || isSet(value)) context.tick(unitsPerChild * sizeOf(value));
    if (isArray(value)) {
      for (let i = value.length - 1; i >= 0; i--) pending.push([[...path, i], value[i]!]);
    } else if (isSet(value)) {
      for (const member of sortedMembers(value).toReversed()) pending.push([[...path, member], member]);
    } else if (isObject(value)) {
      const keys = sortedKeys(value);
      context.tick(unitsPerChild * keys.length);
      for (const key of keys.toReversed()) pending.push([[...path, key], objectGet(value, key)!]);
    }
  }
  return pairs;
}
