/** Keys of objects, and keys that are operands. */
import { objectEntries, objectSize } from '../../../compare.js';
import { RegoObject } from '../../../object.js';
import { RegoSet } from '../../../set.js';
import { type ArrayValue, isArray, isObject, isSet, type ObjectValue, type Value } from '../../../value.js';
import { countWork } from '../../../work.js';
import { operandTypeError } from '../../builtin-errors.js';

/** Units for a key that is looked up and copied. */
export const unitsPerKey = 30;

/** The keys of an object. Counts the work of copying or looking up each. */
export function countedKeys(object: ObjectValue): readonly Value[] {
  const keys = object instanceof RegoObject ? [...object.keys()] : Object.keys(object);
  countWork(keys.length * unitsPerKey);
  return keys;
}

/** The entries of an object. Counts the work of copying or looking up each. */
export function countedEntries(object: ObjectValue): Iterable<[Value, Value]> {
  countWork(objectSize(object) * unitsPerKey);
  return objectEntries(object);
}

/** Distinct keys: of a few names an array is made, which takes less time than a set. */
export type ObjectKeys = RegoSet | readonly string[];

const few = 8;

/** The members of a collection of keys, or the keys of an object. */
export function keysOperand(operand: Value, position: number): ObjectKeys {
  if (isSet(operand)) return operand;
  if (isArray(operand)) return (operand.length <= few ? distinctNames(operand) : undefined) ?? new RegoSet(operand);
  if (isObject(operand)) return new RegoSet(countedKeys(operand));
  throw operandTypeError(position, operand, 'object', 'set', 'array');
}

/** Undefined where a key is no string. */
function distinctNames(keys: ArrayValue): readonly string[] | undefined {
  const names: string[] = [];
  for (const key of keys) {
    if (typeof key !== 'string') return undefined;
    if (!names.includes(key)) names.push(key);
  }
  return names;
}
