/** Arithmetic of built-ins. Every body tries doubles first: these calls run by the million. */

import { absolute, add, divide, multiply, subtract } from '../../../numbers/float.js';
import type { NumberValue } from '../../../numbers/number.js';
import { countIntegers, ExactNumber, integerOf, numberFromInteger, unitsOfQuotient } from '../../../numbers/number.js';
import type { RegoSet } from '../../../set.js';
import { isNumber, isSet, type Value } from '../../../value.js';
import { BuiltinError, operandTypeError } from '../../builtin-errors.js';
import { withinRange } from '../../limits.js';
import { difference } from '../sets/sets.js';

export function plus(x: NumberValue, y: NumberValue): NumberValue {
  if (typeof x === 'number' && typeof y === 'number') {
    const sum = x + y;
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(x) && Number.isSafeInteger(y)) return sum;
  }
  return withinRange(() => add(x, y));
}

type NumberOrSet = NumberValue | RegoSet;

/** The second operand of a difference; the reference's message names only numbers here. */
export function subtrahend(operand: Value, position: number): NumberOrSet {
  if (!isNumber(operand) && !isSet(operand)) throw operandTypeError(position, operand, 'number');
  return operand;
}

export function minus(x: NumberOrSet, y: NumberOrSet): NumberOrSet {
  if (typeof x === 'number' && typeof y === 'number') {
    const rest = x - y;
    if (Number.isSafeInteger(rest) && Number.isSafeInteger(x) && Number.isSafeInteger(y)) return rest;
  }
  if (isNumber(x) && isNumber(y)) return withinRange(() => subtract(x, y));
  if (isSet(x) && isSet(y)) return difference(x, y);
  throw operandTypeError(2, y, isNumber(y) ? 'set' : 'number');
}

/**
 * Digits of a product beyond which it is refused: squaring a few dozen times would take all memory.
 */
const maxDigits = 1_000_000;

export function mul(x: NumberValue, y: NumberValue): NumberValue {
  if (typeof x === 'number' && typeof y === 'number') {
    const product = x * y;
    if (Number.isSafeInteger(product) && Number.isSafeInteger(x) && Number.isSafeInteger(y))
      return product === 0 ? 0 : product;
  }
  if (x instanceof ExactNumber && y instanceof ExactNumber && x.size + y.size > maxDigits) {
    throw new BuiltinError('number out of range');
  }
  return withinRange(() => multiply(x, y));
}

export function div(x: NumberValue, y: NumberValue): NumberValue {
  if (
    typeof x === 'number' &&
    typeof y === 'number' &&
    y !== 0 &&
    Number.isSafeInteger(x) &&
    Number.isSafeInteger(y) &&
    x % y === 0
  )
    return x / y || 0;
  if (isZero(y)) throw new BuiltinError('divide by zero');
  return withinRange(() => divide(x, y));
}

/** The sign is the dividend's. */
export function rem(x: NumberValue, y: NumberValue): NumberValue {
  if (typeof x === 'number' && typeof y === 'number' && y !== 0 && Number.isSafeInteger(x) && Number.isSafeInteger(y))
    return x % y || 0;
  const a = withinRange(() => integerOf(x));
  const b = withinRange(() => integerOf(y));
  if (a === undefined || b === undefined) throw new BuiltinError('modulo on floating-point number');
  if (b === 0n) throw new BuiltinError('modulo by zero');
  countIntegers(a, b, unitsOfQuotient);
  return numberFromInteger(a % b);
}

function isZero(n: NumberValue): boolean {
  return typeof n === 'number' ? n === 0 : n.decimal.digits === 0n;
}

/** A function of one number that leaves whole doubles alone. */
export function onFractions(compute: (n: NumberValue) => NumberValue): (n: NumberValue) => NumberValue {
  return (n) => (typeof n === 'number' && Number.isSafeInteger(n) ? n : withinRange(() => compute(n)));
}

export function abs(n: NumberValue): NumberValue {
  if (typeof n === 'number' && Number.isSafeInteger(n)) return Math.abs(n);
  return withinRange(() => absolute(n));
}
