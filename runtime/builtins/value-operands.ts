/** Operands of built-ins that check by themselves: each function answers the operand as what it has to be, or throws the reference's error. */
import { SizeError } from '../values/memory.js';
import { integerOf, type NumberValue, writtenIntegerOf } from '../values/numbers/number.js';
import type { RegoSet } from '../values/set.js';
import { type ArrayValue, isNumber, isObject, isSet, type ObjectValue, type Value } from '../values/value.js';
import { BuiltinError, operandError, operandTypeError } from './errors.js';

export function numberOperand(operand: Value, position: number): NumberValue {
  if (!isNumber(operand)) throw operandTypeError(position, operand, 'number');
  return operand;
}

export function arrayOperand(operand: Value, position: number): ArrayValue {
  if (!Array.isArray(operand)) throw operandTypeError(position, operand, 'array');
  return operand as ArrayValue;
}

export function setOperand(operand: Value, position: number): RegoSet {
  if (!isSet(operand)) throw operandTypeError(position, operand, 'set');
  return operand;
}

export function objectOperand(operand: Value, position: number): ObjectValue {
  if (!isObject(operand)) throw operandTypeError(position, operand, 'object');
  return operand;
}

const notInteger = 'must be integer number but got floating-point number';

/**
 * A number written as an integer of 64 bits (`1.0` is one, `1e0` is not), as a double: exact up to
 * 2^53, and past that far beyond any length.
 */
export function intOperand(operand: Value, position: number): number {
  if (typeof operand === 'number' && Number.isSafeInteger(operand)) return operand;
  const value = writtenIntegerOf(numberOperand(operand, position));
  if (value === undefined || BigInt.asIntN(64, value) !== value) throw operandError(position, notInteger);
  return Number(value);
}

/** A whole number of any size; `1.0` is one. */
export function bigIntegerOperand(operand: Value, position: number): bigint {
  if (!isNumber(operand)) throw operandTypeError(position, operand, 'integer');
  const value = withinRange(() => integerOf(operand));
  if (value === undefined) throw operandError(position, notInteger);
  return value;
}

/** What `compute` answers; numbers beyond all bounds are the built-in's error. */
export function withinRange<T>(compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof RangeError && !(error instanceof SizeError)) throw new BuiltinError('number out of range');
    throw error;
  }
}
