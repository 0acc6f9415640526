/** Numbers rounded to 64 bits, as pairs of doubles: see double-pair.ts. */
import { type Float, fromDecimal } from './big-float.js';
import { errorOfProduct, errorOfSum, pair, round64 } from './double-pair.js';
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
  if (size >= 1e6) return loadDigits(x, Math.round(x * 1e6), 1e6) || loadText(x);
  const digits = Math.round(x * 1e9);
  if (digits / 1e9 === x) return loadDigits(x, digits, 1e9);
  const scale = scaleOf(size);
  return loadDigits(x, Math.round(x * scale), scale) || loadText(x);
}

/**
 * The double that is nearest to `digits / scale`. If these are at most 15 digits, it is the decimal
 * that the double prints.
 */
function loadDigits(x: number, digits: number, scale: number): boolean {
  if (digits / scale !== x || Math.abs(digits) > 1e15) return false;
  const product = x * scale;
  return round64(x, (digits - product - errorOfProduct(x, scale, product)) / scale, false);
}

/** The power of ten that leaves 15 digits before the point, of sizes from 1e-4 to 1e6. */
export function scaleOf(size: number): number {
  if (size < 1) {
    if (size < 0.01) return size < 0.001 ? 1e18 : 1e17;
    return size < 0.1 ? 1e16 : 1e15;
  }
  if (size < 1e3) return size < 10 ? 1e14 : size < 100 ? 1e13 : 1e12;
  return size < 1e4 ? 1e11 : size < 1e5 ? 1e10 : 1e9;
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

/** Of a literal. */
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
