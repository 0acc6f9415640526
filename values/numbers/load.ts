/** Numbers rounded to 64 bits, as pairs of doubles: see double-pair.ts. */
import { type Float, fromDecimal } from './big-float.js';
import { scaleOf } from './decimal-scale.js';
import { errorOfProduct, errorOfSum, pair, round64, roundNear } from './double-pair.js';
import type { Decimal, NumberValue } from './number.js';
import { WideNumber } from './wide-number.js';

/** Puts a number into `pair`; false where it is too large or too small, or a bit is uncertain. */
export function loadNumber(n: NumberValue): boolean {
  if (typeof n === 'number') return loadDouble(n);
  if (!(n instanceof WideNumber)) return loadDecimal(n.decimal);
  pair[0] = n.high;
  pair[1] = n.low;
  return true;
}

function loadDouble(x: number): boolean {
  if (Number.isInteger(x)) {
    pair[0] = x;
    pair[1] = 0;
    return Number.isSafeInteger(x);
  }
  const size = Math.abs(x);
  if (size < 1e6) return loadDigits(x, 1e9) || loadDigits(x, scaleOf(size)) || loadText(x);
  return loadDigits(x, 1e6) || loadText(x);
}

/**
 * If a decimal of at most 15 digits is nearest to this double, it is the one that the double
 * prints. `scale` is the power of ten that makes it a whole number.
 */
function loadDigits(x: number, scale: number): boolean {
  const product = x * scale;
  const digits = Math.round(product);
  if (Math.abs(digits) > 1e15) return false;
  const rest = (digits - product - errorOfProduct(x, scale, product)) / scale;
  return roundNear(x, rest);
}

/** A double of up to 17 digits. */
function loadText(x: number): boolean {
  const text = String(Math.abs(x));
  const point = text.indexOf('.');
  const places = text.length - point - 1;
  if (text.includes('e') || places > 22) return false;
  const digits = text.slice(0, point) + text.slice(point + 1);
  const upper = Number(digits.slice(0, -9)) * 1e9;
  const lower = Number(digits.slice(-9));
  const sum = upper + lower;
  const scale = Number(`1e${places}`);
  const product = Math.abs(x) * scale;
  const rest = sum - product - errorOfProduct(Math.abs(x), scale, product) + errorOfSum(upper, lower, sum);
  return round64(x, (x < 0 ? -rest : rest) / scale, false);
}

/** Literals beyond this are left to big integers. */
const maxPlace = 60;

/** Loads a literal into the pair; answers false where that is too long. */
function loadDecimal(decimal: Decimal): boolean {
  if (Math.abs(decimal.exponent) > maxPlace || decimal.size > maxPlace) return false;
  const [high, low] = (decimal.float ??= pairOf(fromDecimal(decimal)));
  pair[0] = high;
  pair[1] = low;
  return true;
}

function pairOf({ mantissa, exponent }: Float): readonly [number, number] {
  const high = Number(mantissa);
  const scale = 2 ** exponent;
  return [high * scale, Number(mantissa - BigInt(high)) * scale];
}
