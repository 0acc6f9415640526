/**
 * Arithmetic. Whole numbers are exact. Anything else is computed as a binary float with a mantissa
 * of 64 bits, rounded to even, and shown with the fewest digits that read back the same: 0.1 + 0.2
 * is 0.3, 1 / 3 is 0.33333333333333333334.
 */

import { countWork } from '../work.js';
import { addShort, divideShort, multiplyShort, printsPlainly, sumShort } from './double-pair.js';
import {
  countDigits,
  countIntegers,
  type Decimal,
  decimalOf,
  ExactNumber,
  integerOf,
  NumberRangeError,
  type NumberValue,
  numberFromInteger,
  numberFromText,
  unitsOfProduct,
} from './number.js';
import { bitLength, precision, shortestDecimal } from './shortest.js';

/** `mantissa × 2^exponent`, the mantissa of at most 64 bits. */
interface Float {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const maxExponent = 100_000;

/**
 * Rounds `mantissa × 2^exponent` to some bits, ties to even; `sticky` says that some bits below
 * were cut off already.
 */
function roundFloat(mantissa: bigint, exponent: number, sticky = false): Float {
  if (mantissa === 0n) return { mantissa, exponent: 0 };
  const negative = mantissa < 0n;
  const size = negative ? -mantissa : mantissa;
  const excess = bitLength(size) - precision;
  if (excess <= 0) return { mantissa, exponent };
  const shift = BigInt(excess);
  let kept = size >> shift;
  const rest = size - (kept << shift);
  const half = 1n << (shift - 1n);
  if (rest > half || (rest === half && (sticky || (kept & 1n) === 1n))) kept += 1n;
  return { mantissa: negative ? -kept : kept, exponent: exponent + excess };
}

function fromDecimal({ digits, exponent, size }: Decimal): Float {
  if (Math.abs(exponent) > maxExponent) throw new NumberRangeError(`number out of range: exponent ${exponent}`);
  countDigits(size + Math.abs(exponent));
  if (exponent >= 0) return roundFloat(digits * 10n ** BigInt(exponent), 0);
  return quotient(digits, 10n ** BigInt(-exponent), 0);
}

function bitLengthOf(n: bigint): number {
  return bitLength(n < 0n ? -n : n);
}

/** `a / b × 2^exponent`, rounded once. */
function quotient(a: bigint, b: bigint, exponent: number): Float {
  if (a === 0n) return { mantissa: 0n, exponent: 0 };
  // Two bits more than kept, so that the sticky bit decides ties.
  const shift = Math.max(0, precision + 2 - (bitLengthOf(a) - bitLengthOf(b)));
  const scaled = a << BigInt(shift);
  const q = scaled / b;
  return roundFloat(q, exponent - shift, q * b !== scaled);
}

function toFloat(n: NumberValue): Float {
  // All bits of such a number fit.
  return typeof n === 'number' && Number.isSafeInteger(n) ? { mantissa: BigInt(n), exponent: 0 } : fromDecimal(decimalOf(n));
}

function align(a: Float, b: Float): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.mantissa << BigInt(a.exponent - exponent), b.mantissa << BigInt(b.exponent - exponent), exponent];
}

function toNumber(f: Float): NumberValue {
  if (f.mantissa === 0n) return 0;
  const { digits, point } = shortestDecimal(f.mantissa < 0n ? -f.mantissa : f.mantissa, f.exponent);
  const plain = isPlain(point) || f.exponent >= 0 || trailingZeros(f.mantissa) >= -f.exponent;
  const text = (f.mantissa < 0n ? '-' : '') + layout(digits, point, plain);
  // No double prints with more digits.
  return digits.length > 17 ? new ExactNumber(text) : numberFromText(text);
}

function trailingZeros(n: bigint): number {
  let count = 0;
  for (let x = n; (x & 1n) === 0n; x >>= 1n) count++;
  return count;
}

/** Whether Go's `%g` writes 0.digits × 10^point without an exponent. */
function isPlain(point: number): boolean {
  return point > -4 && point <= 6;
}

/** Writes 0.digits × 10^point as Go's `%f` (plain) or `%g` does. */
function layout(digits: string, point: number, plain: boolean): string {
  if (!plain) {
    const exponent = point - 1;
    const rest = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${digits[0]}${rest}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits.padEnd(point, '0');
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/**
 * Of two doubles that are not both whole, by way of pairs of doubles where that is sure to be
 * right.
 */
function short(compute: (x: number, y: number) => number | undefined, a: NumberValue, b: NumberValue): number | undefined {
  return typeof a === 'number' && typeof b === 'number' && !(Number.isInteger(a) && Number.isInteger(b)) ? compute(a, b) : undefined;
}

export function add(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(sum)) return sum;
  }
  const quick = short(addShort, a, b);
  if (quick !== undefined) return quick;
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined) {
    countIntegers(x, y, 1);
    return numberFromInteger(x + y);
  }
  const [m, n, exponent] = align(toFloat(a), toFloat(b));
  return toNumber(roundFloat(m + n, exponent));
}

export function subtract(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(difference)) return difference;
  }
  const quick = typeof b === 'number' ? short(addShort, a, -b) : undefined;
  if (quick !== undefined) return quick;
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined) {
    countIntegers(x, y, 1);
    return numberFromInteger(x - y);
  }
  const [m, n, exponent] = align(toFloat(a), toFloat(b));
  return toNumber(roundFloat(m - n, exponent));
}

export function multiply(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(product)) return product === 0 ? 0 : product;
  }
  const quick = short(multiplyShort, a, b);
  if (quick !== undefined) return quick;
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined) {
    countIntegers(x, y, unitsOfProduct);
    return numberFromInteger(x * y);
  }
  const f = toFloat(a);
  const g = toFloat(b);
  return toNumber(roundFloat(f.mantissa * g.mantissa, f.exponent + g.exponent));
}

/** The quotient; the caller has ruled out a zero divisor. */
export function divide(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a) && Number.isSafeInteger(b) && a % b === 0)
    return a / b || 0;
  const quick = typeof a === 'number' && typeof b === 'number' ? divideShort(a, b) : undefined;
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
  const quick = sumShort(numbers);
  if (quick !== undefined) return toNumber(quick);
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
  let product: Float = { mantissa: 1n, exponent: 0 };
  for (const n of numbers) {
    countWork(unitsPerFloat);
    const factor = toFloat(n);
    product = roundFloat(product.mantissa * factor.mantissa, product.exponent + factor.exponent);
  }
  return toNumber(product);
}

/** The size of a number. */
export function absolute(n: NumberValue): NumberValue {
  if (typeof n === 'number' && printsPlainly(n)) return Math.abs(n);
  const { mantissa, exponent } = toFloat(n);
  return toNumber({ mantissa: mantissa < 0n ? -mantissa : mantissa, exponent });
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
  if (isSmall(n)) {
    const whole = Math.trunc(n) || 0;
    return whole < 0 || whole === n ? whole : whole + 1;
  }
  const f = toFloat(n);
  const whole = truncate(f);
  return numberFromInteger(whole < 0n || isWhole(f, whole) ? whole : whole + 1n);
}

/** The greatest whole number not above a number; see `ceiling` for numbers between -1 and 0. */
export function floor(n: NumberValue): NumberValue {
  if (isSmall(n)) {
    const whole = Math.trunc(n) || 0;
    return whole >= 0 || whole === n ? whole : whole - 1;
  }
  const f = toFloat(n);
  const whole = truncate(f);
  return numberFromInteger(whole >= 0n || isWhole(f, whole) ? whole : whole - 1n);
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
