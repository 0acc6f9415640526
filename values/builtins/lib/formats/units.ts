/** Amounts with units. */
import { lazy } from '../../../lazy.js';
import { truncatedProduct } from '../../../numbers/float.js';
import { ExactNumber, type NumberValue, numberFromInteger, numberFromText } from '../../../numbers/number.js';
import { BuiltinError } from '../../builtin-errors.js';
import { withinRange } from '../../limits.js';

/** The most digits of an exponent. */
const longExponent = /^\d{7}/;

type Fail = (problem: string) => BuiltinError;

/** The reference's messages contain the name of the built-in, besides beginning with it. */
const parseFails: Fail = (problem) => new BuiltinError(`units.parse: ${problem}`);

const bytesFails: Fail = (problem) => new BuiltinError(`units.parse_bytes: ${problem}`);

/**
 * The amount and the unit of `10.5Mi`; an `e` belongs to the amount only where digits or a sign
 * follow it.
 */
function split(text: string, fail: Fail): [amount: string, unit: string] {
  let end = 0;
  for (; end < text.length; end++) {
    const c = text.charAt(end);
    if (c === 'e' || c === 'E') {
      const next = text.charAt(end + 1);
      if (!/[\d+-]/.test(next)) break;
      if (!/\d/.test(next)) end++;
      if (longExponent.test(text.slice(end + 1, end + 8))) throw fail('exponent too large');
    } else if (!/[\d.+-]/.test(c)) break;
  }
  return [text.slice(0, end), text.slice(end)];
}

const amountSyntax = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** An amount as digits and a power of ten; undefined where it is no number. */
function parseAmount(text: string): { digits: bigint; exponent: number } | undefined {
  const found = amountSyntax.exec(text);
  if (found === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = found;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, exponent: Number(exponent) - fraction.length };
}

/** `m` is a thousandth as a double has it: a little more than 1/1000. */
const milli = { over: 1152921504606847n, under: 1n << 60n };

const letters = 'kmgtpe';

/**
 * The factor of a unit without a `b`: a power of 1000, or of 1024 where an `i` follows the letter.
 */
function factorOf(letter: string, binary: boolean): bigint | undefined {
  const power = letter === '' ? 0 : letters.indexOf(letter) + 1;
  return power === 0 && letter !== '' ? undefined : (binary ? 1024n : 1000n) ** BigInt(power);
}

/**
 * An amount with an SI unit, decimal or binary. `m` is milli and `M` mega; for all others case does
 * not matter.
 */
export function parseUnits(written: string): NumberValue {
  const text = written.replaceAll('"', '');
  if (text.includes(' ')) throw parseFails('spaces not allowed in resource strings');
  const [amount, rawUnit] = split(text, parseFails);
  if (amount === '') throw parseFails('no amount provided');
  const unit = rawUnit.slice(0, 1) + rawUnit.slice(1).toLowerCase();
  const factor = unit === 'm' ? undefined : factorOf(unit.slice(0, 1).toLowerCase(), unit.slice(1) === 'i');
  if (unit !== 'm' && (factor === undefined || (unit.length > 1 && unit.slice(1) !== 'i')))
    throw parseFails(`unit ${unit} not recognized`);
  const parsed = parseAmount(amount);
  if (parsed === undefined) throw parseFails('could not parse amount to a number');
  const power = 10n ** BigInt(Math.abs(parsed.exponent));
  const over = parsed.digits * (factor ?? milli.over) * (parsed.exponent > 0 ? power : 1n);
  const under = (factor === undefined ? milli.under : 1n) * (parsed.exponent < 0 ? power : 1n);
  return over % under === 0n ? numberFromInteger(over / under) : tenPlaces(over, under);
}

/** A fraction with ten decimals, halves rounded away from zero. */
function tenPlaces(over: bigint, under: bigint): NumberValue {
  const size = over < 0n ? -over : over;
  const scaled = (size * 20_000_000_000n + under) / (2n * under);
  const digits = scaled.toString().padStart(11, '0');
  const text = `${over < 0n ? '-' : ''}${digits.slice(0, -10)}.${digits.slice(-10)}`;
  return new ExactNumber(text);
}

/** The most digits of which each whole number is a double. */
const maxShortDigits = 15;

/** The factors of the units of bytes, as doubles: most runs need none. */
const byteFactors = lazy((): ReadonlyMap<string, number> => {
  const units = ['', ...[...letters].flatMap((letter) => ['', 'b', 'i', 'ib'].map((rest) => letter + rest))];
  return new Map(units.map((unit) => [unit, Number(factorOf(unit.slice(0, 1), unit[1] === 'i'))]));
});

/**
 * The bytes of a few digits with a unit: most amounts are written so. Undefined where the result
 * may be no safe integer.
 */
function shortBytes(text: string): number | undefined {
  let amount = 0;
  let end = 0;
  for (; end < text.length; end++) {
    const digit = text.charCodeAt(end) - 48;
    if (!(digit >= 0 && digit <= 9)) break;
    amount = amount * 10 + digit;
  }
  if (end === 0 || end > maxShortDigits) return undefined;
  const factor = byteFactors().get(text.slice(end).toLowerCase());
  if (factor === undefined) return undefined;
  const bytes = amount * factor;
  return bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined;
}

/**
 * A number of bytes, with an SI or binary unit in any case, with or without a `b`; a fraction of a
 * byte is dropped.
 */
export function parseBytes(written: string): NumberValue {
  const short = shortBytes(written);
  if (short !== undefined) return short;
  const text = written.toLowerCase().replaceAll('"', '');
  if (text.includes(' ')) throw bytesFails('spaces not allowed in resource strings');
  const [amount, unit] = split(text, bytesFails);
  if (amount === '') throw bytesFails('no byte amount provided');
  const found = /^(?:([kmgtpe])(i?)b?)?$/.exec(unit);
  if (found === null) throw bytesFails(`byte unit ${unit} not recognized`);
  const factor = factorOf(found[1] ?? '', found[2] === 'i')!;
  const parsed = parseAmount(amount);
  if (parsed === undefined) throw bytesFails('could not parse byte amount to a number');
  const value = numberFromText(`${parsed.digits}e${parsed.exponent}`);
  return withinRange(() => numberFromInteger(truncatedProduct(value, numberFromInteger(factor))));
}
