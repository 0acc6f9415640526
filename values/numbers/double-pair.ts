/**
 * Floats of 64 bits without big integers: each is the exact sum of two doubles, the nearest one and
 * a rest of at most 11 bits. The functions leave their result in `pair`. They answer false if some
 * bit is uncertain; float.ts then computes with big integers.
 *
 * All sizes are between 1e-130 and 1e130, so that no product of errors underflows.
 */

/** 2^27 + 1, which splits a double into halves of 26 bits. */
const splitter = 134217729;

/** 2^52 + 1, and the double next below 1: they leave the first bit of a double. */
const scale = 4503599627370497;
const belowOne = 1 - 2 ** -53;

const unitOfOne = 2 ** -63;

/** 1.5 × 2^52. Of a double that is so many units, the last bit is one unit: adding it rounds. */
const rounder = 6755399441055744;

/** The result: the double nearest to a float, and the rest. */
export const pair = new Float64Array(2);

/** `x × y − product`, the latter being the double nearest to the product. */
export function errorOfProduct(x: number, y: number, product: number): number {
  const a = x * splitter;
  const xh = a - (a - x);
  const xl = x - xh;
  const b = y * splitter;
  const yh = b - (b - y);
  const yl = y - yh;
  return xh * yh - product + xh * yl + xl * yh + xl * yl;
}

/** `x + y − sum`, the latter being the double nearest to the sum. */
export function errorOfSum(x: number, y: number, sum: number): number {
  const t = sum - x;
  return x - (sum - t) + (y - t);
}

/** The unit of the last of 64 bits of `h + l`. */
export function unitOf(h: number, l: number): number {
  const scaled = h * scale;
  const first = Math.abs(scaled - scaled * belowOne);
  // Below a power of two the unit is half as large.
  return first * (l * h < 0 && first === Math.abs(h) ? unitOfOne / 2 : unitOfOne);
}

/**
 * Rounds `h + l` to 64 bits, ties to even. If `l` has an error, of less than 1e-7 units, nothing
 * that near a tie is rounded.
 */
export function round64(h: number, l: number, isExact: boolean): boolean {
  const high = h + l;
  const rest = errorOfSum(h, l, high);
  pair[0] = high;
  pair[1] = 0;
  if (rest === 0) return true;
  const unit = unitOf(high, rest);
  const rounding = unit * rounder;
  const low = rest + rounding - rounding;
  pair[1] = low;
  return isExact || Math.abs(rest - low) < unit * 0.4999999;
}

/**
 * Rounds `high + rest` to 64 bits, `rest` having a small error. False near ties, and where another
 * double than `high` may be the nearest.
 */
export function roundNear(high: number, rest: number): boolean {
  pair[0] = high;
  const unit = unitOf(high, rest);
  const rounding = unit * rounder;
  const low = rest + rounding - rounding;
  pair[1] = low;
  return Math.abs(rest - low) < unit * 0.4999999 && Math.abs(low) < unit * 1023;
}

/** At a greater ratio not all bits of a sum fit into two doubles. */
const maxRatio = 1e11;

export function addPairs(ah: number, al: number, bh: number, bl: number): boolean {
  const x = Math.abs(ah);
  const y = Math.abs(bh);
  if ((x > y * maxRatio || y > x * maxRatio) && x !== 0 && y !== 0) return false;
  const sum = ah + bh;
  return round64(sum, errorOfSum(ah, bh, sum) + (al + bl), true);
}

export function multiplyPairs(ah: number, al: number, bh: number, bl: number): boolean {
  const product = ah * bh;
  const error = errorOfProduct(ah, bh, product);
  if (al === 0 && bl === 0) return round64(product, error, true);
  const cross = ah * bl + al * bh;
  const rest = error + (cross + al * bl);
  if (round64(product, rest, false)) return true;
  // Ties are frequent for whole factors of few bits. Then all of this is exact.
  const crossError = al === 0 ? errorOfProduct(ah, bl, cross) : bl === 0 ? errorOfProduct(al, bh, cross) : Number.NaN;
  return crossError === 0 && errorOfSum(error, cross, rest) === 0 && round64(product, rest, true);
}

/** No quotient of 64 bits is a tie: the dividend would have more bits. */
export function dividePairs(ah: number, al: number, bh: number, bl: number): boolean {
  const quotient = ah / bh;
  const product = quotient * bh;
  const rest = ah - product - errorOfProduct(quotient, bh, product) + al - quotient * bl;
  return round64(quotient, rest / bh, false);
}
