/** Durations such as `1h15m30.918s`: Go's, and days, weeks and years of always the same length. */
import { BuiltinError } from '../../builtin-errors.js';
import { quotedTimeText } from './quote.js';

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['\u00b5s', 1000n],
  ['\u03bcs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
  ['d', 86_400_000_000_000n],
  ['w', 604_800_000_000_000n],
  ['y', 31_536_000_000_000_000n],
]);

const limit = 1n << 63n;

/**
 * The nanoseconds of a duration. Throws a BuiltinError if the text is not a duration, or exceeds 64
 * bits.
 */
export function parseDuration(text: string): bigint {
  const invalid = () => new BuiltinError(`time: invalid duration ${quotedTimeText(text)}`);
  const negative = text.startsWith('-');
  let rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0n;
  if (rest === '') throw invalid();
  let total = 0n;
  while (rest !== '') {
    const [read = '', whole = '', fraction = '', unit = ''] = /^(\d*)(?:\.(\d*))?([^.\d]*)/.exec(rest) ?? [];
    if (whole === '' && fraction === '') throw invalid();
    if (whole.length > 30) throw invalid();
    const count = BigInt(whole);
    if (count > limit) throw invalid();
    if (unit === '') throw new BuiltinError(`time: missing unit in duration ${quotedTimeText(text)}`);
    const size = units.get(unit);
    if (size === undefined)
      throw new BuiltinError(`time: unknown unit ${quotedTimeText(unit)} in duration ${quotedTimeText(text)}`);
    total += count * size + fractionOf(fraction, size);
    if (total > limit) throw invalid();
    rest = rest.slice(read.length);
  }
  if (!negative && total === limit) throw invalid();
  return negative ? -total : total;
}

/**
 * A fraction of a unit in nanoseconds, computed in doubles as Go does, over the digits that 63 bits
 * hold.
 */
function fractionOf(digits: string, size: bigint): bigint {
  if (digits === '') return 0n;
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > (limit - 1n) / 10n || next > limit) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(size) / scale)));
}
