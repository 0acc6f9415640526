/** Keys of objects, and keys that are operands. */
import { RegoObject } from '../../../values/object.js';
import { RegoSet } from '../../../values/set.js';
import { isArray, isObject, isSet, type ObjectValue, type Value } from '../../../values/value.js';
import { countWork } from '../../../values/work.js';
import { operandTypeError } from '../../errors.js';

/** Units for a key that is looked up and copied. */
export const unitsPerKey = 30;

/** The keys of an object. Counts the work of copying or looking up each. */
export function countedKeys(object: ObjectValue): readonly Value[] {
  const keys = object instanceof RegoObject ? [...object.keys()] : Object.keys(object);
  countWork(keys.length * unitsPerKey);
  return keys;
}

/** The members of a collection of keys, or the keys of an object. */
export function keysOperand(operand: Value, position: number): RegoSet {
  if (isSet(operand)) return operand;
  if (isArray(operand)) return new RegoSet(operand);
  if (isObject(operand)) return new RegoSet(countedKeys(operand));
  throw operandTypeError(position, operand, 'object', 'set', 'array');
}
