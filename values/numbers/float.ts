/**
 * Arithmetic. Whole numbers are exact. Anything else is computed as a binary float with a mantissa
 * of 64 bits, rounded to even, and shown with the fewest digits that read back the same: 0.1 + 0.2
 * is 0.3, 1 / 3 is 0.33333333333333333334.
 */

import { countWork } from '../work.js';
import { align, type Float, quotient, roundFloat, toFloat, toNumber } from './big-float.js';
import { countIntegers, integerOf, type NumberValue, numberFromInteger, unitsOfProduct } from './number.js';
import {
  absoluteWide,
  addQuickly,
  addWide,
  divideWide,
  multiplyQuickly,
  multiplyWide,
  productWide,
  roundedWide,
  sumWide,
  truncatedWide,
} from './wide.js';

export function add(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(sum)) return sum;
  }
  const quick = addQuickly(a, b, 1);
  if (quick !== undefined) return quick;
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined) {
    countIntegers(x, y, 1);
    return numberFromInteger(x + y);
  }
  return addWide(a, b, 1) ?? addFloats(a, b, 1n);
}

function addFloats(a: NumberValue, b: NumberValue, sign: 1n | -1n): NumberValue {
  const [m, n, exponent] = align(toFloat(a), toFloat(b));
  return toNumber(roundFloat(m + sign * n, exponent));
}

export function subtract(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(difference)) return difference;
  }
  const quick = addQuickly(a, b, -1);
  if (quick !== undefined) return quick;
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined) {
    countIntegers(x, y, 1);
    return numberFromInteger(x - y);
  }
  return addWide(a, b, -1) ?? addFloats(a, b, -1n);
}

export function multiply(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(product))
      return product === 0 ? 0 : product;
  }
  const quick = multiplyQuickly(a, b);
  if (quick !== undefined) return quick;
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined) {
    countIntegers(x, y, unitsOfProduct);
    return numberFromInteger(x * y);
  }
  const wide = multiplyWide(a, b);
  if (wide !== undefined) return wide;
  const f = toFloat(a);
  const g = toFloat(b);
  return toNumber(roundFloat(f.mantissa * g.mantissa, f.exponent + g.exponent));
}

/** The quotient; the caller has ruled out a zero divisor. */
export function divide(a: NumberValue, b: NumberValue): NumberValue {
  if (
    typeof a === 'number' &&
    typeof b === 'number' &&
    Number.isSafeInteger(a) &&
    Number.isSafeInteger(b) &&
    a % b === 0
  )
    return a / b || 0;
  const quick = divideWide(a, b);
  if (quick !== undefined) return quick;
  // Unlike the other operations, the reference's is not exact for large whole numbers.
  const f = toFloat(a);
  const g = toFloat(b);
  return toNumber(quotient(f.mantissa, g.mantissa, f.exponent - g.exponent));
}

/** `-n`. */
export function negate(n: NumberValue): NumberValue {
  return subtract(0, n);
}

/** Units for a number that is added as a pair of doubles. */
const unitsPerSum = 20;

/** Units for an operation on floats. */
const unitsPerFloat = 300;

/** The sum of any numbers, as floats added from left to right. */
export function sumAll(numbers: readonly NumberValue[]): NumberValue {
  countWork(numbers.length * unitsPerSum);
  const quick = sumWide(numbers);
  if (quick !== undefined) return quick;
  let sum: Float = { mantissa: 0n, exponent: 0 };
  for (const n of numbers) {
    countWork(unitsPerFloat);
    const [a, b, exponent] = align(sum, toFloat(n));
    sum = roundFloat(a + b, exponent);
  }
  return toNumber(sum);
}

/** The product of any numbers, as floats multiplied from left to right. */
export function multiplyAll(numbers: readonly NumberValue[]): NumberValue {
  countWork(numbers.length * unitsPerFloat);
  const quick = productWide(numbers);
  if (quick !== undefined) return quick;
  let product: Float = { mantissa: 1n, exponent: 0 };
  for (const n of numbers) {
    const factor = toFloat(n);
    product = roundFloat(product.mantissa * factor.mantissa, product.exponent + factor.exponent);
  }
  return toNumber(product);
}

/** The size of a number. */
export function absolute(n: NumberValue): NumberValue {
  if (typeof n === 'number' && printsPlainly(n)) return Math.abs(n);
  const quick = absoluteWide(n);
  if (quick !== undefined) return quick;
  const { mantissa, exponent } = toFloat(n);
  return toNumber({ mantissa: mantissa < 0n ? -mantissa : mantissa, exponent });
}

/** Whether a double that is converted to a float of 64 bits prints as before. */
function printsPlainly(x: number): boolean {
  const size = Math.abs(x);
  return size >= 1e-4 && size < 1e6;
}

/** Whether a number is a double whose fraction is exact. */
function isSmall(n: NumberValue): n is number {
  return typeof n === 'number' && Math.abs(n) < 1e15;
}

/** The whole number nearest to a number, halves away from zero. */
export function round(n: NumberValue): NumberValue {
  if (isSmall(n)) {
    const whole = Math.trunc(n);
    return Math.abs(n - whole) >= 0.5 ? whole + Math.sign(n) : whole || 0;
  }
  const quick = roundedWide(n);
  if (quick !== undefined) return quick;
  const f = toFloat(n);
  const [mantissa, half, exponent] = align(f, { mantissa: f.mantissa < 0n ? -1n : 1n, exponent: -1 });
  return numberFromInteger(truncate(roundFloat(mantissa + half, exponent)));
}

/**
 * The least whole number not below a number. Between -1 and 0 it is 1, and `floor` 0: the reference
 * uses the sign of the number without its fraction, which is zero, and its users depend on these
 * results.
 */
export function ceiling(n: NumberValue): NumberValue {
  const whole = isSmall(n) ? Math.trunc(n) || 0 : truncatedWide(n);
  if (whole !== undefined) return whole < 0 || whole === n ? whole : whole + 1;
  const f = toFloat(n);
  const big = truncate(f);
  return numberFromInteger(big < 0n || isWhole(f, big) ? big : big + 1n);
}

/** The greatest whole number not above a number; see `ceiling` for numbers between -1 and 0. */
export function floor(n: NumberValue): NumberValue {
  const whole = isSmall(n) ? Math.trunc(n) || 0 : truncatedWide(n);
  if (whole !== undefined) return whole >= 0 || whole === n ? whole : whole - 1;
  const f = toFloat(n);
  const big = truncate(f);
  return numberFromInteger(big >= 0n || isWhole(f, big) ? big : big - 1n);
}

/** The product as a float, without its fraction. */
export function truncatedProduct(a: NumberValue, b: NumberValue): bigint {
  const f = toFloat(a);
  const g = toFloat(b);
  return truncate(roundFloat(f.mantissa * g.mantissa, f.exponent + g.exponent));
}

function truncate({ mantissa, exponent }: Float): bigint {
  return exponent >= 0 ? mantissa << BigInt(exponent) : mantissa / (1n << BigInt(-exponent));
}

function isWhole({ mantissa, exponent }: Float, whole: bigint): boolean {
  return exponent >= 0 || whole << BigInt(-exponent) === mantissa;
}
