/** The values inside a value. */
import { sortedKeys, sortedMembers, valueAt } from '../../../compare.js';
import { checkElements } from '../../../memory.js';
import { isArray, isObject, isSet, type Value } from '../../../value.js';
import type { BuiltinContext } from '../../builtin-context.js';

const unitsPerValue = 60;

type PathAndValue = readonly [path: readonly Value[], value: Value];

/** A walk of this evaluation. */
interface Walk {
  readonly root: Value;
  readonly pairs: readonly PathAndValue[];
}

/** The most walks that are kept: several rules often walk one document. */
const mostWalks = 4;

/** To find a shorter walk takes as long as to make it again. */
const fewPairs = 16;

/** Every value inside a value, itself first, with its path: a relation of `[path, value]`. */
export function walkValue(root: Value, context: BuiltinContext): readonly PathAndValue[] {
  const kept = (context.memory.get('walk') ?? []) as readonly Walk[];
  const known = kept.find((one) => one.root === root);
  if (known !== undefined) {
    context.tick(known.pairs.length);
    return known.pairs;
  }
  const pairs = walked(root, context);
  if (pairs.length >= fewPairs) context.memory.set('walk', [{ root, pairs }, ...kept.slice(0, mostWalks - 1)]);
  return pairs;
}

function walked(root: Value, context: BuiltinContext): readonly PathAndValue[] {
  const pairs: PathAndValue[] = [];
  // A stack, since deep documents would overflow a recursion: the last of a value's children first.
  const pending: PathAndValue[] = [[[], root]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    checkElements(pairs.length + 1);
    pairs.push(next);
    const [path, value] = next;
    if (typeof value !== 'object' || value === null) continue;
    const unitsPerChild = unitsPerValue + path.length;
    if (isArray(value)) {
      context.tick(unitsPerChild * value.length);
      for (let i = value.length - 1; i >= 0; i--) pending.push([below(path, i), value[i]!]);
    } else if (isSet(value)) {
      context.tick(unitsPerChild * value.size);
      const members = sortedMembers(value);
      for (let i = members.length - 1; i >= 0; i--) pending.push([below(path, members[i]!), members[i]!]);
    } else if (isObject(value)) {
      const keys = sortedKeys(value);
      context.tick(unitsPerChild * keys.length);
      for (let i = keys.length - 1; i >= 0; i--) pending.push([below(path, keys[i]!), valueAt(value, keys[i]!)]);
    }
  }
  return pairs;
}

/** A path and one more key. V8 makes a short array at once, and others step by step. */
function below(path: readonly Value[], key: Value): readonly Value[] {
  switch (path.length) {
    case 0:
      return [key];
    case 1:
      return [path[0]!, key];
    case 2:
      return [path[0]!, path[1]!, key];
    case 3:
      return [path[0]!, path[1]!, path[2]!, key];
    case 4:
      return [path[0]!, path[1]!, path[2]!, path[3]!, key];
    default:
      return [...path, key];
  }
}
