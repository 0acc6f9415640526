/** Arithmetic of built-ins. Every body tries doubles first: these calls run by the million. */

import { absolute, add, divide, multiply, subtract } from '../../../values/numbers/float.js';
import {
  countIntegers,
  ExactNumber,
  integerOf,
  type NumberValue,
  numberFromInteger,
  unitsOfQuotient,
} from '../../../values/numbers/number.js';
import type { RegoSet } from '../../../values/set.js';
import { isNumber, isSet, type Value } from '../../../values/value.js';
import { BuiltinError, operandTypeError } from '../../errors.js';
import { withinRange } from '../../limits.js';
import { numberOperand } from '../../value-operands.js';
import { difference } from '../sets/sets.js';

export function plus(x: Value, y: Value): NumberValue {
  if (typeof x === 'number' && typeof y === 'number') {
    const sum = x + y;
    if (Number.isSafeInteger(sum) && Number.isSafeInteger(x) && Number.isSafeInteger(y)) return sum;
  }
  const a = numberOperand(x, 1);
  const b = numberOperand(y, 2);
  return withinRange(() => add(a, b));
}

export function minus(x: Value, y: Value): NumberValue | RegoSet {
  if (typeof x === 'number' && typeof y === 'number') {
    const rest = x - y;
    if (Number.isSafeInteger(rest) && Number.isSafeInteger(x) && Number.isSafeInteger(y)) return rest;
  }
  if (isNumber(x) && isNumber(y)) return withinRange(() => subtract(x, y));
  if (isSet(x) && isSet(y)) return difference(x, y);
  if (!isNumber(x) && !isSet(x)) throw operandTypeError(1, x, 'number', 'set');
  throw operandTypeError(2, y, isNumber(y) ? 'set' : 'number');
}

/**
 * Digits of a product beyond which it is refused: squaring a few dozen times would take all memory.
 */
const maxDigits = 1_000_000;

export function mul(x: Value, y: Value): NumberValue {
  if (typeof x === 'number' && typeof y === 'number') {
    const product = x * y;
    if (Number.isSafeInteger(product) && Number.isSafeInteger(x) && Number.isSafeInteger(y)) return product === 0 ? 0 : product;
  }
  const a = numberOperand(x, 1);
  const b = numberOperand(y, 2);
  if (a instanceof ExactNumber && b instanceof ExactNumber && a.size + b.size > maxDigits) {
    throw new BuiltinError('number out of range');
  }
  return withinRange(() => multiply(a, b));
}

export function div(x: Value, y: Value): NumberValue {
  if (typeof x === 'number' && typeof y === 'number' && y !== 0 && Number.isSafeInteger(x) && Number.isSafeInteger(y) && x % y === 0)
    return x / y || 0;
  const a = numberOperand(x, 1);
  const b = numberOperand(y, 2);
  if (isZero(b)) throw new BuiltinError('divide by zero');
  return withinRange(() => divide(a, b));
}

/** The sign is the dividend's. */
export function rem(x: Value, y: Value): NumberValue {
  if (typeof x === 'number' && typeof y === 'number' && y !== 0 && Number.isSafeInteger(x) && Number.isSafeInteger(y)) return x % y || 0;
  const a = withinRange(() => integerOf(numberOperand(x, 1)));
  const b = withinRange(() => integerOf(numberOperand(y, 2)));
  if (a === undefined || b === undefined) throw new BuiltinError('modulo on floating-point number');
  if (b === 0n) throw new BuiltinError('modulo by zero');
  countIntegers(a, b, unitsOfQuotient);
  return numberFromInteger(a % b);
}

function isZero(n: NumberValue): boolean {
  return typeof n === 'number' ? n === 0 : n.decimal.digits === 0n;
}

/** A function of one number that leaves whole doubles alone. */
export function onFractions(compute: (n: NumberValue) => NumberValue): (x: Value) => NumberValue {
  return (x) => {
    if (typeof x === 'number' && Number.isSafeInteger(x)) return x;
    const n = numberOperand(x, 1);
    return withinRange(() => compute(n));
  };
}

export function abs(x: Value): NumberValue {
  if (typeof x === 'number' && Number.isSafeInteger(x)) return Math.abs(x);
  const n = numberOperand(x, 1);
  return withinRange(() => absolute(n));
}
