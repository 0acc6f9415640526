/** object.* */
import { compare, equal, lookup, objectGet, objectSize } from '../../values/compare.js';
import { RegoObject } from '../../values/object.js';
import { RegoSet } from '../../values/set.js';
import { any, anyOf, array, boolean, object, set } from '../../values/type.js';
import { type ArrayValue, isArray, isObject, isSet, type ObjectValue, type PlainObject, type Value } from '../../values/value.js';
import { countWork } from '../../values/work.js';
import { arg, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { counted } from '../cost.js';
import { BuiltinError, operandElementError, operandTypeError } from '../errors.js';
import { arrayOperand, objectOperand } from '../value-operands.js';

const own = { checksOperands: true } as const;
const anyObject = object(any, any);
const keysType = anyOf(array(any), object(any, any), set(any));

/** The value at a key, or at the end of a path where the key is an array; the default where there is none. */
function get(operand: Value, key: Value, otherwise: Value): Value {
  const source = objectOperand(operand, 1);
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

/** Units for a key that is looked up and copied. */
const unitsPerKey = 30;

/** The keys of an object, whose copying or looking up is counted. */
function countedKeys(object: ObjectValue): readonly Value[] {
  const keys = object instanceof RegoObject ? [...object.keys()] : Object.keys(object);
  countWork(keys.length * unitsPerKey);
  return keys;
}

function keys(operand: Value): RegoSet {
  return new RegoSet(countedKeys(objectOperand(operand, 1)));
}

function keysOperand(operand: Value): RegoSet {
  if (isSet(operand)) return operand;
  if (isArray(operand)) return new RegoSet(operand);
  if (isObject(operand)) return new RegoSet(countedKeys(operand));
  throw operandTypeError(2, operand, 'object', 'set', 'array');
}

function remove(operand: Value, keysToRemove: Value): ObjectValue {
  const source = objectOperand(operand, 1);
  const gone = keysOperand(keysToRemove);
  if (gone.size === 0) return source;
  if (source instanceof RegoObject) {
    const rest = new RegoObject();
    for (const key of countedKeys(source)) if (!gone.has(key)) rest.set(key, source.get(key)!);
    return rest;
  }
  const names = countedKeys(source) as readonly string[];
  if (names.length > large && gone.size < names.length / 4) return copyWithout(source, gone);
  const rest: { [key: string]: Value } = {};
  for (const key of names) if (!gone.has(key)) put(rest, key, source[key]!);
  return rest;
}

/** Objects larger than this are no longer laid out by their keys: then taking keys out of a copy is faster than putting the others in. */
const large = 64;

function copyWithout(source: PlainObject, gone: RegoSet): PlainObject {
  const rest: { [key: string]: Value } = { ...source };
  for (const key of gone) if (typeof key === 'string') delete rest[key];
  return rest;
}

function filter(operand: Value, keysToKeep: Value): ObjectValue {
  const source = objectOperand(operand, 1);
  const kept: [Value, Value][] = [];
  for (const key of keysOperand(keysToKeep)) {
    countWork(unitsPerKey);
    const value = objectGet(source, key);
    if (value !== undefined) kept.push([key, value]);
  }
  if (source instanceof RegoObject) return new RegoObject(kept);
  const rest: { [key: string]: Value } = {};
  for (const [key, value] of kept) put(rest, key as string, value);
  return rest;
}

/** Sets an own key, `__proto__` as well. */
export function put(target: { [key: string]: Value }, key: string, value: Value): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else target[key] = value;
}

/** Merges objects at all depths; where one of two values is no object, the later wins. */
function union(x: Value, y: Value): ObjectValue {
  return merge(objectOperand(x, 1), objectOperand(y, 2), new Set());
}

/**
 * Merges `y` into `x`, or into a copy of it where it is not one of the objects made here. Only what both have is looked into,
 * so that merging many small objects into a large one copies it once.
 */
function merge(x: ObjectValue, y: ObjectValue, made: Set<ObjectValue>): ObjectValue {
  const added = countedKeys(y);
  if (added.length === 0) return x;
  if (x instanceof RegoObject || y instanceof RegoObject) return mergeAnyKeys(x, y, made);
  let target = x as { [key: string]: Value };
  if (!made.has(x)) {
    countWork(objectSize(x) * unitsPerKey);
    target = { ...x };
    made.add(target);
  }
  for (const key of added as readonly string[]) {
    const before = Object.hasOwn(target, key) ? target[key] : undefined;
    const after = y[key]!;
    put(target, key, before !== undefined && isObject(before) && isObject(after) ? merge(before, after, made) : after);
  }
  return target;
}

function mergeAnyKeys(x: ObjectValue, y: ObjectValue, made: Set<ObjectValue>): RegoObject {
  let target = x as RegoObject;
  if (!made.has(x) || !(x instanceof RegoObject)) {
    target = new RegoObject();
    for (const key of countedKeys(x)) target.set(key, objectGet(x, key)!);
    made.add(target);
  }
  for (const key of countedKeys(y)) {
    const before = target.get(key);
    const after = objectGet(y, key)!;
    target.set(key, before !== undefined && isObject(before) && isObject(after) ? merge(before, after, made) : after);
  }
  return target;
}

function unionN(operand: Value): ObjectValue {
  const objects = arrayOperand(operand, 1);
  for (const element of objects) if (!isObject(element)) throw operandElementError(1, 'array', element, 'object');
  const made = new Set<ObjectValue>();
  let all: ObjectValue = {};
  made.add(all);
  for (const element of objects) all = merge(all, element as ObjectValue, made);
  return all;
}

function subset(whole: Value, part: Value, context: BuiltinContext): boolean {
  if (isObject(whole) && isObject(part)) return isSubobject(whole, part, context);
  if (isSet(whole) && isSet(part)) return isSubset(whole, part);
  if (isArray(whole) && isArray(part)) return isSubarray(whole, part, context);
  if (isArray(whole) && isSet(part)) return hasAll(whole, part);
  throw new BuiltinError('both arguments object.subset must be of the same type or array and set', 'eval_type_error');
}

function isSubobject(whole: ObjectValue, part: ObjectValue, context: BuiltinContext): boolean {
  for (const key of countedKeys(part)) {
    const has = objectGet(whole, key);
    const wants = objectGet(part, key)!;
    if (has === undefined) return false;
    if (isObject(has) && isObject(wants)) {
      if (!isSubobject(has, wants, context)) return false;
    } else if (isSet(has) && isSet(wants)) {
      if (!isSubset(has, wants)) return false;
    } else if (isArray(has) && isArray(wants)) {
      if (!isSubarray(has, wants, context)) return false;
    } else if (!equal(has, wants)) return false;
  }
  return true;
}

function isSubset(whole: RegoSet, part: RegoSet): boolean {
  if (part.size > whole.size) return false;
  for (const member of part) {
    countWork(unitsPerKey);
    if (!whole.has(member)) return false;
  }
  return true;
}

/** Whether the elements of `part` stand in `whole` one after the other. */
function isSubarray(whole: ArrayValue, part: ArrayValue, context: BuiltinContext): boolean {
  for (let start = 0; start + part.length <= whole.length; start++) {
    let i = 0;
    while (i < part.length && compare(whole[start + i]!, part[i]!) === 0) i++;
    context.tick(1 + i);
    if (i === part.length) return true;
  }
  return false;
}

/** Counts elements that are members, equal ones each time, as the reference does. */
function hasAll(whole: ArrayValue, part: RegoSet): boolean {
  let missing = part.size;
  for (const element of whole) {
    countWork(unitsPerKey);
    if (part.has(element)) missing--;
    if (missing === 0) return true;
  }
  return false;
}

// biome-ignore format: a table
export const objects = [
  builtin('object.get',     [arg('object', anyObject), arg('key', any), arg('default', any)], any, get, { ...own, cost: counted }),
  builtin('object.keys',    [arg('object', anyObject)], set(any), keys, { ...own, cost: counted }),
  builtin('object.remove',  [arg('object', anyObject), arg('keys', keysType)], anyObject, remove, { ...own, cost: counted }),
  builtin('object.filter',  [arg('object', anyObject), arg('keys', keysType)], anyObject, filter, { ...own, cost: counted }),
  builtin('object.union',   [arg('a', anyObject), arg('b', anyObject)], anyObject, union, { ...own, cost: counted }),
  builtin('object.union_n', [arg('objects', array(anyObject))], anyObject, unionN, { ...own, cost: counted }),
  builtin('object.subset',  [arg('super', keysType), arg('sub', keysType)], boolean, subset, { ...own, cost: counted }),
];
