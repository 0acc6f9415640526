/** The shortest decimal of a binary float: the fewest digits that no other float is nearer to. */
import { countDigits } from './number.js';

/** The decimal 0.digits × 10^point, digits without trailing zeros. */
interface Digits {
  readonly digits: string;
  readonly point: number;
}

/** Bits of a mantissa. */
export const precision = 64;

const digitsPerBit = Math.log10(2);

/**
 * The shortest decimal of `mantissa × 2^exponent`, which is positive and whose mantissa has at most
 * `precision` bits.
 *
 * Decimals that are nearer to this float than to its neighbours lie at most half a unit of its last
 * bit away: they form an interval. It is scaled by a power of ten so that the integers inside are
 * candidates with at most a digit too many. The multiple of the greatest power of ten among them is
 * the answer, and of several such multiples the one nearest to the float.
 */
export function shortestDecimal(mantissa: bigint, exponent: number): Digits {
  const shift = precision - bitLength(mantissa) + 1;
  // In units of half the last bit the float is `middle`, and the interval from 1 below to 1 above.
  const middle = mantissa << BigInt(shift);
  const halfBit = exponent - shift;
  countDigits(3 * Math.abs(halfBit));
  const place = Math.floor(halfBit * digitsPerBit);
  const { over, under } = ratioOf(halfBit, place);
  const value = middle * over;
  const includesBounds = (middle & 2n) === 0n;
  const { low, high } = candidates(value, over, under, includesBounds);
  const zeros = zerosWithin(low - 1n, high);
  return nearest(value, under, { low, high, zeros }, place);
}

/** A double, to read its bits in any processor's order of bytes. */
const double = new DataView(new ArrayBuffer(8));

/** Bits of an integer that is not negative. */
export function bitLength(n: bigint): number {
  if (n === 0n) return 0;
  const near = Number(n);
  if (near === Number.POSITIVE_INFINITY) {
    const hex = n.toString(16);
    return 4 * hex.length - Math.clz32(Number.parseInt(hex[0]!, 16)) + 28;
  }
  double.setFloat64(0, near);
  const high = double.getUint32(0);
  const bits = (high >>> 20) - 1022;
  // An integer that is rounded up to a power of two has one bit less.
  const isPower = (high & 0xfffff) === 0 && double.getUint32(4) === 0;
  return isPower && n >> BigInt(bits - 1) === 0n ? bits - 1 : bits;
}

/** Powers of five that arithmetic on everyday numbers needs again and again. */
const fives = Array.from({ length: 64 }, (_, i) => 5n ** BigInt(i));

/** `2^binary / 10^decimal` as a fraction. */
function ratioOf(binary: number, decimal: number): { over: bigint; under: bigint } {
  const twos = binary - decimal;
  const power = fives[Math.abs(decimal)] ?? 5n ** BigInt(Math.abs(decimal));
  const over = (twos > 0 ? 1n << BigInt(twos) : 1n) * (decimal < 0 ? power : 1n);
  const under = (twos < 0 ? 1n << BigInt(-twos) : 1n) * (decimal < 0 ? 1n : power);
  return { over, under };
}

/** The least and the greatest integer in the interval, which reaches `half / under` either way. */
function candidates(
  value: bigint,
  half: bigint,
  under: bigint,
  includesBounds: boolean,
): { low: bigint; high: bigint } {
  const bottom = value - half;
  const top = value + half;
  if (includesBounds) return { low: (bottom + under - 1n) / under, high: top / under };
  const low = bottom / under + 1n;
  const high = top / under;
  if (high * under !== top) return { low, high };
  // The reference never rounds up where a bound that is no candidate is the next round number.
  const isRound = high % 10n === 0n || half === under;
  return { low, high: isRound ? value / under : high - 1n };
}

/** The greatest number of zeros that an integer above `below` and not above `high` can end with. */
function zerosWithin(below: bigint, high: bigint): number {
  // Most intervals have no multiple of 10, or none of 100.
  if ((high / 10n) * 10n <= below) return 0;
  if ((high / 100n) * 100n <= below) return 1;
  const last = high.toString();
  const first = below.toString().padStart(last.length, '0');
  let same = 0;
  while (first.charCodeAt(same) === last.charCodeAt(same)) same++;
  return last.length - same - 1;
}

interface Interval {
  readonly low: bigint;
  readonly high: bigint;
  readonly zeros: number;
}

/** The integer with `zeros` zeros that is nearest to `value / under`, of two the even one. */
function nearest(value: bigint, under: bigint, { low, high, zeros }: Interval, place: number): Digits {
  const round = 10n ** BigInt(zeros);
  const step = under * round;
  let digits = value / step;
  const rest = 2n * (value - digits * step);
  const isNearer = rest > step || (rest === step && (digits & 1n) === 1n);
  const fitsBelow = digits * round >= low;
  const fitsAbove = (digits + 1n) * round <= high;
  if (fitsAbove && (isNearer || !fitsBelow)) digits += 1n;
  const text = digits.toString();
  return { digits: text, point: text.length + place + zeros };
}
