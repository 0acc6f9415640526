/**
 * Binary floats with a mantissa of 64 bits, as big integers: slow, but for any size. double-pair.ts
 * has the quick way, which must lead to the same.
 */

import type { Decimal, NumberValue } from './number.js';
import { countDigits, decimalOf, ExactNumber, NumberRangeError, numberFromText } from './number.js';
import { bitLength, precision, shortestDecimal } from './shortest.js';

/** `mantissa × 2^exponent`, the mantissa of at most 64 bits. */
export interface Float {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const maxExponent = 100_000;

/**
 * Rounds `mantissa × 2^exponent` to some bits, ties to even; `sticky` says that some bits below
 * were cut off already.
 */
export function roundFloat(mantissa: bigint, exponent: number, sticky = false): Float {
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

export function fromDecimal({ digits, exponent, size }: Decimal): Float {
  if (Math.abs(exponent) > maxExponent) throw new NumberRangeError(`number out of range: exponent ${exponent}`);
  countDigits(size + Math.abs(exponent));
  if (exponent >= 0) return roundFloat(digits * 10n ** BigInt(exponent), 0);
  return quotient(digits, 10n ** BigInt(-exponent), 0);
}

function bitLengthOf(n: bigint): number {
  return bitLength(n < 0n ? -n : n);
}

/** `a / b × 2^exponent`, rounded once. */
export function quotient(a: bigint, b: bigint, exponent: number): Float {
  if (a === 0n) return { mantissa: 0n, exponent: 0 };
  // Two bits more than kept, so that the sticky bit decides ties.
  const shift = Math.max(0, precision + 2 - (bitLengthOf(a) - bitLengthOf(b)));
  const scaled = a << BigInt(shift);
  const q = scaled / b;
  return roundFloat(q, exponent - shift, q * b !== scaled);
}

export function toFloat(n: NumberValue): Float {
  // All bits of such a number fit.
  return typeof n === 'number' && Number.isSafeInteger(n)
    ? { mantissa: BigInt(n), exponent: 0 }
    : fromDecimal(decimalOf(n));
}

export function align(a: Float, b: Float): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.mantissa << BigInt(a.exponent - exponent), b.mantissa << BigInt(b.exponent - exponent), exponent];
}

export function toNumber(f: Float): NumberValue {
  if (f.mantissa === 0n) return 0;
  const { digits, point } = digitsOf(f);
  const text = textOf(f, digits, point);
  // No double prints with more digits.
  return digits.length > 17 ? new ExactNumber(text) : numberFromText(text);
}

/** The literal of a float that is not zero. */
export function floatText(f: Float): string {
  const { digits, point } = digitsOf(f);
  return textOf(f, digits, point);
}

function digitsOf({ mantissa, exponent }: Float): { digits: string; point: number } {
  return shortestDecimal(mantissa < 0n ? -mantissa : mantissa, exponent);
}

function textOf({ mantissa, exponent }: Float, digits: string, point: number): string {
  const plain = isWrittenPlain(point) || exponent >= 0 || trailingZeros(mantissa) >= -exponent;
  return (mantissa < 0n ? '-' : '') + layout(digits, point, plain);
}

function trailingZeros(n: bigint): number {
  let count = 0;
  for (let x = n; (x & 1n) === 0n; x >>= 1n) count++;
  return count;
}

/** Whether Go's `%g` writes 0.digits × 10^point without an exponent. */
export function isWrittenPlain(point: number): boolean {
  return point > -4 && point <= 6;
}

/** Writes 0.digits × 10^point as Go's `%f` (plain) or `%g` does. */
export function layout(digits: string, point: number, plain: boolean): string {
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
