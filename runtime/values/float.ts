/**
 * Arithmetic. Whole numbers are exact. Anything else is computed as a binary float with a mantissa of 64 bits, rounded to even, and shown with
 * the fewest digits that read back the same: 0.1 + 0.2 is 0.3, 1 / 3 is 0.33333333333333333334.
 */
import { type Decimal, decimalOf, integerOf, NumberRangeError, type NumberValue, numberFromInteger, numberFromText } from './number.js';

/** `mantissa × 2^exponent`, the mantissa of at most 64 bits. */
interface Float {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const precision = 64;
const maxExponent = 100_000;

function bitLength(n: bigint): number {
  return (n < 0n ? -n : n).toString(2).length;
}

/** Rounds `mantissa × 2^exponent` to 64 bits, ties to even; `sticky` says that some bits below were cut off already. */
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

function fromDecimal({ digits, exponent }: Decimal): Float {
  if (Math.abs(exponent) > maxExponent) throw new NumberRangeError(`number out of range: exponent ${exponent}`);
  if (exponent >= 0) return roundFloat(digits * 10n ** BigInt(exponent), 0);
  return quotient(digits, 10n ** BigInt(-exponent), 0);
}

/** `a / b × 2^exponent`, rounded once. */
function quotient(a: bigint, b: bigint, exponent: number): Float {
  if (a === 0n) return { mantissa: 0n, exponent: 0 };
  // Two bits more than kept, so that the sticky bit decides ties.
  const shift = Math.max(0, precision + 2 - (bitLength(a) - bitLength(b)));
  const scaled = a << BigInt(shift);
  const q = scaled / b;
  return roundFloat(q, exponent - shift, q * b !== scaled);
}

function toFloat(n: NumberValue): Float {
  return fromDecimal(decimalOf(n));
}

function align(a: Float, b: Float): [bigint, bigint, number] {
  const exponent = Math.min(a.exponent, b.exponent);
  return [a.mantissa << BigInt(a.exponent - exponent), b.mantissa << BigInt(b.exponent - exponent), exponent];
}

function toNumber(f: Float): NumberValue {
  if (f.mantissa === 0n) return 0;
  if (f.exponent >= 0) return numberFromText(shortest(f, true));
  const trailing = trailingZeros(f.mantissa);
  return numberFromText(shortest(f, trailing >= -f.exponent));
}

function trailingZeros(n: bigint): number {
  let count = 0;
  for (let x = n; (x & 1n) === 0n; x >>= 1n) count++;
  return count;
}

/** The fewest digits that no other 64-bit float is nearer to; `plain` writes them without an exponent, whatever the size. */
function shortest(f: Float, plain: boolean): string {
  const negative = f.mantissa < 0n;
  // The mantissa with all its 64 bits, and one more for half a unit in the last place.
  const size = negative ? -f.mantissa : f.mantissa;
  const pad = precision - bitLength(size) + 1;
  const mantissa = size << BigInt(pad);
  const exponent = f.exponent - pad;
  const inclusive = (mantissa & 2n) === 0n;
  // Everything over one denominator: value = mantissa·up / down.
  const up = exponent >= 0 ? 1n << BigInt(exponent) : 1n;
  const down = exponent < 0 ? 1n << BigInt(-exponent) : 1n;
  const value = mantissa * up;
  const low = (mantissa - 1n) * up;
  const high = (mantissa + 1n) * up;
  const within = (x: bigint, scale: bigint) => (inclusive ? x >= low * scale && x <= high * scale : x > low * scale && x < high * scale);
  // point: value is 0.d1d2d3… × 10^point
  let point = Math.ceil((bitLength(value) - bitLength(down)) * 0.30103) + 1;
  const power = (n: number) => 10n ** BigInt(n);
  const atLeast = (p: number) => (p >= 0 ? value >= down * power(p) : value * power(-p) >= down);
  while (!atLeast(point - 1)) point--;
  for (let count = 1; ; count++) {
    // digits = roundFloat(value × 10^(count - point))
    const places = count - point;
    const numerator = places >= 0 ? value * power(places) : value;
    const denominator = places >= 0 ? down : down * power(-places);
    let digits = numerator / denominator;
    const rest = (numerator - digits * denominator) * 2n;
    if (rest > denominator || (rest === denominator && (digits & 1n) === 1n)) digits += 1n;
    // back: digits / 10^places, against value / down
    const back = places >= 0 ? digits * down : digits * down * power(-places);
    if (within(back, places >= 0 ? power(places) : 1n)) {
      const text = digits.toString();
      return (negative ? '-' : '') + layout(text.replace(/0+$/, ''), point + text.length - count, plain);
    }
  }
}

/** Writes 0.digits × 10^point as Go's `%f` (plain) or `%g` does. */
function layout(digits: string, point: number, plain: boolean): string {
  const exponent = point - 1;
  if (!plain && (exponent < -4 || exponent >= 6)) {
    const rest = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${digits[0]}${rest}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits.padEnd(point, '0');
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

export function add(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(sum)) return sum;
  }
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined) return numberFromInteger(x + y);
  const [m, n, exponent] = align(toFloat(a), toFloat(b));
  return toNumber(roundFloat(m + n, exponent));
}

export function subtract(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(difference)) return difference;
  }
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined) return numberFromInteger(x - y);
  const [m, n, exponent] = align(toFloat(a), toFloat(b));
  return toNumber(roundFloat(m - n, exponent));
}

export function multiply(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(a) && Number.isSafeInteger(b) && Number.isSafeInteger(product)) return product === 0 ? 0 : product;
  }
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined) return numberFromInteger(x * y);
  const f = toFloat(a);
  const g = toFloat(b);
  return toNumber(roundFloat(f.mantissa * g.mantissa, f.exponent + g.exponent));
}

/** The quotient; the caller has ruled out a zero divisor. */
export function divide(a: NumberValue, b: NumberValue): NumberValue {
  if (typeof a === 'number' && typeof b === 'number' && Number.isSafeInteger(a) && Number.isSafeInteger(b) && a % b === 0)
    return a / b || 0;
  const x = integerOf(a);
  const y = integerOf(b);
  if (x !== undefined && y !== undefined && x % y === 0n) return numberFromInteger(x / y);
  const f = toFloat(a);
  const g = toFloat(b);
  return toNumber(quotient(f.mantissa, g.mantissa, f.exponent - g.exponent));
}

/** `-n`. */
export function negate(n: NumberValue): NumberValue {
  return subtract(0, n);
}

/** The sum of any numbers, as floats added from left to right. */
export function sumAll(numbers: readonly NumberValue[]): NumberValue {
  let sum: Float = { mantissa: 0n, exponent: 0 };
  for (const n of numbers) {
    const [a, b, exponent] = align(sum, toFloat(n));
    sum = roundFloat(a + b, exponent);
  }
  return toNumber(sum);
}

/** The product of any numbers, as floats multiplied from left to right. */
export function multiplyAll(numbers: readonly NumberValue[]): NumberValue {
  let product: Float = { mantissa: 1n, exponent: 0 };
  for (const n of numbers) {
    const factor = toFloat(n);
    product = roundFloat(product.mantissa * factor.mantissa, product.exponent + factor.exponent);
  }
  return toNumber(product);
}

/** The size of a number. */
export function absolute(n: NumberValue): NumberValue {
  const { mantissa, exponent } = toFloat(n);
  return toNumber({ mantissa: mantissa < 0n ? -mantissa : mantissa, exponent });
}

/** The whole number nearest to a number, halves away from zero. */
export function round(n: NumberValue): NumberValue {
  const f = toFloat(n);
  const [mantissa, half, exponent] = align(f, { mantissa: f.mantissa < 0n ? -1n : 1n, exponent: -1 });
  return numberFromInteger(truncate(roundFloat(mantissa + half, exponent)));
}

/**
 * The least whole number not below a number. Between -1 and 0 it is 1, and `floor` 0: the reference goes by the sign of the
 * number without its fraction, which is lost there, and documents that were decided with it depend on it.
 */
export function ceiling(n: NumberValue): NumberValue {
  const f = toFloat(n);
  const whole = truncate(f);
  return numberFromInteger(whole < 0n || isWhole(f, whole) ? whole : whole + 1n);
}

/** The greatest whole number not above a number; see `ceiling` for what lies between -1 and 0. */
export function floor(n: NumberValue): NumberValue {
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
