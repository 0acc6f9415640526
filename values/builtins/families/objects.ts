/** object.* */
import { lookup, objectGet } from '../../compare.js';
import { RegoSet } from '../../set.js';
import { any, anyOf, array, boolean, object, set } from '../../type.js';
import { isArray, type ObjectValue, type Value } from '../../value.js';
import { countWork } from '../../work.js';
import { arg, builtin } from '../builtin.js';
import { counted } from '../cost.js';
import { countedKeys, keysOperand } from '../lib/objects/keys.js';
import { mergeObjects } from '../lib/objects/merge.js';
import { filterObject, remove } from '../lib/objects/select.js';
import { subset } from '../lib/objects/subset.js';
import { unchecked } from '../read-operands.js';

const anyObject = object(any, any);

const keysType = anyOf(array(any), object(any, any), set(any));

const objectAndKeys = [arg('object', anyObject), arg('keys', keysType, keysOperand)] as const;

/**
 * The value at a key, or at the end of a path where the key is an array; the default where there is
 * none.
 */
function get(source: ObjectValue, key: Value, otherwise: Value): Value {
  if (!isArray(key)) {
    const found = objectGet(source, key);
    return found === undefined ? otherwise : found;
  }
  countWork(key.length);
  let value: Value | undefined = source;
  for (const segment of key) {
    value = lookup(value, segment);
    if (value === undefined) return otherwise;
  }
  return value;
}

function keys(source: ObjectValue): RegoSet {
  return new RegoSet(countedKeys(source));
}

/** Merges objects at all depths; where one of two values is no object, the later wins. */
function union(x: ObjectValue, y: ObjectValue): ObjectValue {
  return mergeObjects(x, y);
}

function unionN(objects: readonly ObjectValue[]): ObjectValue {
  const made = new Set<ObjectValue>();
  let all: ObjectValue = {};
  made.add(all);
  for (const element of objects) all = mergeObjects(all, element, made);
  return all;
}

// biome-ignore format: a table
export const objects = [
  builtin('object.get',     [arg('object', anyObject), arg('key', any), arg('default', any)], any, get, { cost: counted }),
  builtin('object.keys',    [arg('object', anyObject)], set(any), keys, { cost: counted }),
  builtin('object.remove',  objectAndKeys, anyObject, remove, { cost: counted }),
  builtin('object.filter',  objectAndKeys, anyObject, filterObject, { cost: counted }),
  builtin('object.union',   [arg('a', anyObject), arg('b', anyObject)], anyObject, union, { cost: counted }),
  builtin('object.union_n', [arg('objects', array(anyObject))], anyObject, unionN, { cost: counted }),
  builtin('object.subset',  [arg('super', keysType, unchecked), arg('sub', keysType, unchecked)], boolean, subset, { cost: counted }),
];
