/**
 * The arithmetic of float.ts for short decimals, without big integers: a float of 64 bits is the
 * exact sum of two doubles. Each function returns undefined if some bit of the result is uncertain,
 * or if the result is not a plain double. Then float.ts computes it with big integers.
 *
 * Why a result is exact: the operands are rounded to 64 bits as the reference rounds them, so is
 * the result, and the exact decimal result, of at most 15 digits, lies within half a unit of it. No
 * two decimals of so few digits do, so it is the shortest.
 */

const powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];
const maxPlaces = 9;
/** Below this an integer has at most 15 digits, and a double tells all of them apart. */
const maxDigits = 1e15;

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

// Results of `split`, `round64` and the operations: pairs of doubles, kept here since an object for
// each would cost time.
let places = 0;
let high = 0;
let low = 0;

/**
 * The digits of a number as an integer, `places` being how many stand after its point; NaN where
 * there are too many.
 */
function digitsOf(x: number): number {
  for (places = 0; places <= maxPlaces; places++) {
    const digits = Math.round(x * powers[places]!);
    if (digits / powers[places]! === x) return Math.abs(digits) < maxDigits ? digits : Number.NaN;
  }
  return Number.NaN;
}

/**
 * The unit of the last of 64 bits; NaN for a power of two, below which the unit is another, and for
 * very small or large numbers.
 */
function unitOf(x: number): number {
  double[0] = x;
  const top = words[1]! & 0x7fffffff;
  const exponent = top >>> 20;
  if (((top & 0xfffff) === 0 && words[0] === 0) || exponent < 200 || exponent > 1800) return Number.NaN;
  words[0] = 0;
  words[1] = (exponent - 63) << 20;
  return double[0];
}

/**
 * Rounds `h + l` to 64 bits, into `high` and `low`. `exact` says that no error is in `l`; otherwise
 * near ties are not rounded.
 */
function round64(h: number, l: number, exact: boolean): boolean {
  high = h;
  low = l;
  if (l === 0) return true;
  const unit = unitOf(h);
  const steps = l / unit;
  // Adding and taking away 1.5 × 2^52 rounds to a whole number, ties to even.
  const whole = steps + 6755399441055744 - 6755399441055744;
  const off = Math.abs(steps - whole);
  if (!(off <= 0.5) || (!exact && off > 0.499999)) return false;
  low = whole * unit;
  return true;
}

/** `x × y` as the exact sum of `high` and `low`. */
function product(x: number, y: number): void {
  const p = x * y;
  const a = x * 134217729;
  const xh = a - (a - x);
  const xl = x - xh;
  const b = y * 134217729;
  const yh = b - (b - y);
  const yl = y - yh;
  high = p;
  low = xh * yh - p + xh * yl + xl * yh + xl * yl;
}

/** `digits / 10^places` as a pair good for about 104 bits. */
function quotient(digits: number, by: number): void {
  const h = digits / by;
  product(h, by);
  const rest = digits - high - low;
  high = h;
  low = rest / by;
}

/** A decimal rounded to 64 bits, into `high` and `low`. */
function load(digits: number, by: number): boolean {
  quotient(digits, by);
  return round64(high, low, by === 1);
}

/** Whether a float of 64 bits, in `high` and `low`, prints as a decimal that is a plain double. */
function printed(digits: number, by: number): number | undefined {
  const h = high;
  const l = low;
  const value = digits / by;
  const size = Math.abs(value);
  // Outside of these Go writes an exponent. Integers need no certificate of mine.
  if (!(Math.abs(digits) < maxDigits) || size < 1e-4 || size >= 1e6) return undefined;
  quotient(digits, by);
  const distance = Math.abs(h - high + (l - low));
  const unit = unitOf(h);
  return distance === 0 || distance < 0.49 * unit ? value : undefined;
}

/** Adds the pair `ah + al` and the pair in `high` and `low`, and rounds. */
function addPair(ah: number, al: number): boolean {
  const bh = high;
  const bl = low;
  // Bits further apart than this do not all fit; with a zero they do.
  const ratio = Math.abs(ah / bh);
  if (!(ratio < 1e8 && ratio > 1e-8) && ah !== 0 && bh !== 0) return false;
  const sum = ah + bh;
  const t = sum - ah;
  const rest = ah - (sum - t) + (bh - t) + al + bl;
  const h = sum + rest;
  return round64(h, rest - (h - sum), true);
}

export function addShort(x: number, y: number): number | undefined {
  const a = digitsOf(x);
  const aPlaces = places;
  const b = digitsOf(y);
  const bPlaces = places;
  if (!load(a, powers[aPlaces]!)) return undefined;
  const ah = high;
  const al = low;
  if (!load(b, powers[bPlaces]!) || !addPair(ah, al)) return undefined;
  const common = Math.max(aPlaces, bPlaces);
  return printed(a * powers[common - aPlaces]! + b * powers[common - bPlaces]!, powers[common]!);
}

/** The sum from left to right as a mantissa of 64 bits and a power of two. */
export function sumShort(numbers: readonly unknown[]): { mantissa: bigint; exponent: number } | undefined {
  let h = 0;
  let l = 0;
  for (const x of numbers) {
    if (typeof x !== 'number' || !load(digitsOf(x), powers[places] ?? 1) || !addPair(h, l)) return undefined;
    h = high;
    l = low;
  }
  const unit = unitOf(h);
  return unit > 0 ? { mantissa: BigInt(h / unit) + BigInt(l / unit), exponent: Math.log2(unit) } : undefined;
}

export function multiplyShort(x: number, y: number): number | undefined {
  const a = digitsOf(x);
  const aPlaces = places;
  const b = digitsOf(y);
  const bPlaces = places;
  if (!load(a, powers[aPlaces]!)) return undefined;
  const ah = high;
  const al = low;
  if (!load(b, powers[bPlaces]!)) return undefined;
  const bh = high;
  const bl = low;
  product(ah, bh);
  const rest = low + (ah * bl + al * bh) + al * bl;
  const h = high + rest;
  if (!round64(h, rest - (h - high), al === 0 && bl === 0)) return undefined;
  return printed(a * b, powers[aPlaces + bPlaces]!);
}

/** Of whole numbers, where the quotient has few decimals. */
export function divideShort(x: number, y: number): number | undefined {
  if (!Number.isSafeInteger(x) || !Number.isSafeInteger(y)) return undefined;
  const value = x / y;
  const size = Math.abs(value);
  if (!(size >= 1e-4 && size < 1e6)) return undefined;
  const digits = digitsOf(value);
  const dividend = x * powers[places]!;
  return digits * y === dividend && Math.abs(dividend) < 9e15 ? value : undefined;
}

/** Whether a double that is converted to a float of 64 bits prints as before. */
export function printsPlainly(x: number): boolean {
  const size = Math.abs(x);
  return size >= 1e-4 && size < 1e6;
}
