/**
 * Operands of built-ins that check their operands. Each function answers the operand as a value of
 * its type, or throws the reference's error.
 */
import { sortedMembers } from '../values/compare.js';
import { integerOf, type NumberValue, writtenIntegerOf } from '../values/numbers/number.js';
import type { RegoSet } from '../values/set.js';
import { type ArrayValue, isNumber, isObject, isSet, type ObjectValue, type Value } from '../values/value.js';
import { operandElementError, operandError, operandTypeError } from './errors.js';
import { withinRange } from './limits.js';

/** A string. */
export function stringOperand(operand: Value, position: number): string {
  if (typeof operand !== 'string') throw operandTypeError(position, operand, 'string');
  return operand;
}

/**
 * The members of an array or a set of strings, those of a set sorted. `expected` names the types in
 * the order of the reference's message.
 */
export function stringsOperand(operand: Value, position: number, ...expected: readonly string[]): readonly string[] {
  const composite = Array.isArray(operand) ? 'array' : isSet(operand) ? 'set' : undefined;
  if (composite === undefined) throw operandTypeError(position, operand, ...expected);
  const members = isSet(operand) ? sortedMembers(operand) : (operand as readonly Value[]);
  for (const member of members) if (typeof member !== 'string') throw operandElementError(position, composite, member, 'string');
  return members as readonly string[];
}

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
