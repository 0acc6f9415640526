/** The shortest decimals of floats that are pairs of doubles, without big integers. */
import { isWrittenPlain, layout } from './big-float.js';
import { scaleOf } from './decimal-scale.js';
import { errorOfProduct, unitOf } from './double-pair.js';

/** The digits that are computed, which always suffice; the last one is uncertain. */
const places = 21;

/** The factor of the last digits, which are in a double of their own. */
const lower = 1e11;

/** Distances are known better than this. */
const tolerance = 1e-3;

/**
 * The literal of `high + low`, which is not whole; undefined where digits are uncertain. The answer
 * is as of `shortestDecimal`: the decimal with most zeros that is at most half a unit away.
 */
export function wideText(high: number, low: number): string | undefined {
  const size = Math.abs(high);
  if (!(size >= 0.01 && size < Number.MAX_SAFE_INTEGER)) return undefined;
  const scale = digitScale(size);
  const scaled = size * scale;
  const rest = errorOfProduct(size, scale, scaled) + (high < 0 ? -low : low) * scale;
  // The leading digits, and the others with their fraction.
  let head = Math.floor(scaled / lower);
  const product = head * lower;
  let tail = scaled - product - errorOfProduct(head, lower, product) + rest;
  if (tail < 0) {
    head--;
    tail += lower;
  }
  const rounded = roundest(tail, unitOf(high, low) * scale * 0.5);
  if (rounded === undefined || rounded >= lower || head < 1e9 || head >= 1e10) return undefined;
  const digits = `${head}${String(rounded).padStart(11, '0')}`.replace(/0+$/, '');
  const point = places - Math.round(Math.log10(scale));
  return (high < 0 ? '-' : '') + layout(digits, point, isWrittenPlain(point));
}

/** The power of ten that leaves `size` digits before the point. */
function digitScale(size: number): number {
  if (size < 1e6) return scaleOf(size) * 1e6;
  let scale = 1e14;
  while (size * scale >= 1e21) scale /= 10;
  return scale;
}

/** The whole number with most zeros within a distance; undefined near a bound or a tie. */
function roundest(x: number, distance: number): number | undefined {
  let found = Math.round(x);
  for (let step = 1; step < lower; step *= 10) {
    const next = Math.round(x / step) * step;
    const off = Math.abs(x - next);
    if (Math.abs(off - distance) < tolerance || Math.abs(off - step / 2) < tolerance) return undefined;
    if (off > distance) break;
    found = next;
  }
  return found;
}
