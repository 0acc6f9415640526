/**
 * The arithmetic of float.ts by pairs of doubles. The functions return undefined where pairs do not
 * tell the result, and for two whole numbers, whose results are exact.
 */
import { toNumber } from './big-float.js';
import { scaleOf } from './decimal-scale.js';
import { addPairs, dividePairs, errorOfProduct, multiplyPairs, pair, unitOf } from './double-pair.js';
import { loadNumber } from './load.js';
import type { NumberValue } from './number.js';
import { floatOf, WideNumber } from './wide-number.js';

/**
 * Whether a number is a multiple of 1/256 below a limit of at most 1e6: it has 14 digits at most,
 * and a double prints all of them.
 */
function isPart(x: NumberValue, limit: number): x is number {
  return typeof x === 'number' && Number.isInteger(x * 256) && Math.abs(x) < limit;
}

/** Sums and products of two such numbers are exact as doubles, as are 12.25 and 0.5. */
const partLimit = 2 ** 18;

function isWhole(h: number, l: number): boolean {
  return Number.isInteger(h) && Number.isInteger(l);
}

/**
 * Whether a number is surely no long integer: the others are first asked whether they are whole,
 * since that takes least for integers.
 */
function isQuick(n: NumberValue): boolean {
  return typeof n === 'number' || n instanceof WideNumber;
}

export function addQuickly(a: NumberValue, b: NumberValue, sign: 1 | -1): NumberValue | undefined {
  return isQuick(a) && isQuick(b) ? addWide(a, b, sign) : undefined;
}

export function multiplyQuickly(a: NumberValue, b: NumberValue): NumberValue | undefined {
  return isQuick(a) && isQuick(b) ? multiplyWide(a, b) : undefined;
}

export function addWide(a: NumberValue, b: NumberValue, sign: 1 | -1): NumberValue | undefined {
  if (isPart(a, partLimit) && isPart(b, partLimit)) return a + b * sign;
  if (!loadNumber(a)) return undefined;
  const ah = pair[0]!;
  const al = pair[1]!;
  if (!loadNumber(b)) return undefined;
  const bh = pair[0]! * sign;
  const bl = pair[1]! * sign;
  if (isWhole(ah, al) && isWhole(bh, bl)) return undefined;
  return addPairs(ah, al, bh, bl) ? numberOfPair() : undefined;
}

export function multiplyWide(a: NumberValue, b: NumberValue): NumberValue | undefined {
  if (isPart(a, partLimit) && isPart(b, partLimit) && isPart(a * b, 1e6)) return a * b || 0;
  if (!loadNumber(a)) return undefined;
  const ah = pair[0]!;
  const al = pair[1]!;
  if (!loadNumber(b)) return undefined;
  const bh = pair[0]!;
  const bl = pair[1]!;
  if (isWhole(ah, al) && isWhole(bh, bl)) return undefined;
  return multiplyPairs(ah, al, bh, bl) ? numberOfPair() : undefined;
}

/** Undefined for a divisor of zero. */
export function divideWide(a: NumberValue, b: NumberValue): NumberValue | undefined {
  if (isPart(a, partLimit) && isPart(b, partLimit) && isPart(a / b, 1e6) && (a / b) * b === a) return a / b || 0;
  if (!loadNumber(a)) return undefined;
  const ah = pair[0]!;
  const al = pair[1]!;
  if (!loadNumber(b)) return undefined;
  return pair[0]! !== 0 && dividePairs(ah, al, pair[0]!, pair[1]!) ? numberOfPair() : undefined;
}

/** The sum of some numbers from left to right, not all of them whole. */
export function sumWide(numbers: readonly NumberValue[]): NumberValue | undefined {
  let h = 0;
  let l = 0;
  for (const n of numbers) {
    if (!loadNumber(n) || !addPairs(h, l, pair[0]!, pair[1]!)) return undefined;
    h = pair[0]!;
    l = pair[1]!;
  }
  pair[0] = h;
  pair[1] = l;
  return numberOfPair();
}

/** The product of some numbers from left to right, not all of them whole. */
export function productWide(numbers: readonly NumberValue[]): NumberValue | undefined {
  let h = 1;
  let l = 0;
  for (const n of numbers) {
    if (!loadNumber(n) || !isModerate(h) || !multiplyPairs(h, l, pair[0]!, pair[1]!)) return undefined;
    h = pair[0]!;
    l = pair[1]!;
  }
  pair[0] = h;
  pair[1] = l;
  return numberOfPair();
}

function isModerate(h: number): boolean {
  const size = Math.abs(h);
  return size === 0 || (size > 1e-60 && size < 1e60);
}

/**
 * The number of the float in `pair`. It prints as a decimal of 15 digits if that is nearer than
 * half a unit: no other decimal of so few digits is, since these lie thousands of units apart.
 */
function numberOfPair(): NumberValue {
  const h = pair[0]!;
  const l = pair[1]!;
  const size = Math.abs(h);
  if (l === 0 && Number.isSafeInteger(h)) return h === 0 ? 0 : h;
  if (size >= 1e-4 && size < 1e6) {
    const scale = scaleOf(size);
    const scaled = h * scale;
    const digits = Math.round(scaled);
    const unit = unitOf(h, l);
    const half = unit * scale * 0.5;
    if (Math.abs(scaled - digits + (errorOfProduct(h, scale, scaled) + l * scale)) < half * 0.98)
      return Math.abs(l) < unit * 1022 ? h : digits / scale;
    if (isAlmostShort(h, l, scale * 100, half * 102)) return toNumber(floatOf(h, l));
  } else if (size < 1e-8 || size > Number.MAX_SAFE_INTEGER) return toNumber(floatOf(h, l));
  // Other sizes are written with an exponent that no double prints: 1.25e+06, 1e-05.
  return new WideNumber(h, l);
}

/** Whether a float is near a decimal of 17 digits, which a double may print as well. */
function isAlmostShort(h: number, l: number, scale: number, distance: number): boolean {
  const scaled = h * scale;
  const rest = errorOfProduct(h, scale, scaled) + l * scale;
  return Math.abs(rest - Math.round(rest)) < distance;
}

/** The size of a number; undefined if it is no moderate one. */
export function absoluteWide(n: NumberValue): NumberValue | undefined {
  if (!loadNumber(n)) return undefined;
  const [h, l] = [pair[0]!, pair[1]!];
  pair[0] = Math.abs(h);
  pair[1] = h < 0 ? -l : l;
  return numberOfPair();
}

/** Puts a number that is not whole into `pair`; false for others, and for large ones. */
function loadFraction(n: NumberValue): boolean {
  return loadNumber(n) && !isWhole(pair[0]!, pair[1]!) && Math.abs(pair[0]!) < 1e9;
}

/** A number without its fraction; undefined where it has none, or is large. */
export function truncatedWide(n: NumberValue): number | undefined {
  if (!loadFraction(n)) return undefined;
  const h = pair[0]!;
  const whole = Math.trunc(h) || 0;
  return whole === h && pair[1]! * h < 0 ? whole - Math.sign(h) : whole;
}

/** The nearest whole number; undefined where two are equally near, or almost. */
export function roundedWide(n: NumberValue): number | undefined {
  if (!loadFraction(n)) return undefined;
  const whole = Math.round(pair[0]!);
  return Math.abs(Math.abs(pair[0]! - whole) - 0.5) < 1e-6 ? undefined : whole || 0;
}
