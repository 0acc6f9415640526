/**
 * Readers of operands that convert: each returns the operand as a value of its type, or throws the
 * reference's error.
 */
import { sortedMembers } from '../compare.js';
import { integerOf, writtenIntegerOf } from '../numbers/number.js';
import type { RegoSet } from '../set.js';
import { type ArrayValue, isArray, isNumber, isSet, type TypeName, type Value } from '../value.js';
import { operandElementError, operandError, operandTypeError } from './builtin-errors.js';
import { withinRange } from './limits.js';

/** A string; the reference's message names operand 1 at any position. */
export function stringAsFirst(operand: Value): string {
  return stringOperand(operand, 1);
}

export function stringOperand(operand: Value, position: number): string {
  if (typeof operand !== 'string') throw operandTypeError(position, operand, 'string');
  return operand;
}

/** The elements of an array, or the members of a set in order. */
export function membersOf(collection: ArrayValue | RegoSet): ArrayValue {
  return isSet(collection) ? sortedMembers(collection) : collection;
}

/** The elements of an array, or the members of a set in any order. */
export function elementsOf(collection: ArrayValue | RegoSet): ArrayValue {
  return isSet(collection) ? collection.toArray() : collection;
}

/**
 * The members of an array or a set of strings, those of a set in order. `expected` names the types
 * in the order of the reference's message.
 */
export function stringsOperand(operand: Value, position: number, ...expected: readonly TypeName[]): readonly string[] {
  if (!isArray(operand) && !isSet(operand)) throw operandTypeError(position, operand, ...expected);
  const members = membersOf(operand);
  for (const member of members) {
    if (typeof member !== 'string')
      throw operandElementError(position, isSet(operand) ? 'set' : 'array', member, 'string');
  }
  return members as readonly string[];
}

const notInteger = 'must be integer number but got floating-point number';

/**
 * A number written as an integer of 64 bits (`1.0` is one, `1e0` is not), as a double: exact up to
 * 2^53, and past that far beyond any length.
 */
export function int64(operand: Value, position: number): number {
  if (typeof operand === 'number' && Number.isSafeInteger(operand)) return operand;
  if (!isNumber(operand)) throw operandTypeError(position, operand, 'number');
  const value = writtenIntegerOf(operand);
  if (value === undefined || BigInt.asIntN(64, value) !== value) throw operandError(position, notInteger);
  return Number(value);
}

/** A whole number of any size, a double where that is exact. */
export type Integer = number | bigint;

/** A whole number; `1.0` is one. */
export function integer(operand: Value, position: number): Integer {
  if (typeof operand === 'number' && Number.isSafeInteger(operand)) return operand;
  if (!isNumber(operand)) throw operandTypeError(position, operand, 'integer');
  const value = withinRange(() => integerOf(operand));
  if (value === undefined) throw operandError(position, notInteger);
  return value;
}

/** A whole number as a bigint. */
export function bigInteger(operand: Value, position: number): bigint {
  return BigInt(integer(operand, position));
}
