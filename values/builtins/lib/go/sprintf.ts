/**
 * `sprintf`: numbers go to the formatter as Go numbers, strings as they are, anything else as its
 * text.
 */
import { checkTextLength } from '../../../memory.js';
import { countDigits, ExactNumber, type NumberValue, numberText } from '../../../numbers/number.js';
import { termText } from '../../../text/term-text.js';
import type { ArrayValue, Value } from '../../../value.js';
import { withinLength } from '../../limits.js';
import { goFormat } from './format.js';
import { GoBigInt, GoFloat, GoInt, type GoValue } from './go-value.js';

export function sprintf(format: string, values: ArrayValue): string {
  return withinLength(() => simple(format, values) ?? goFormat(format, values.map(argument)));
}

/**
 * Nearly all formats have only plain `%s`, `%d` and `%v`, or `%04d` for a date, for values that
 * fit; undefined for all others.
 */
function simple(format: string, values: ArrayValue): string | undefined {
  let out = '';
  let start = 0;
  let next = 0;
  for (let percent = format.indexOf('%'); percent >= 0; percent = format.indexOf('%', start)) {
    const value = values[next++];
    const width = paddedWidth(format, percent + 1);
    const end = percent + (width === 0 ? 2 : 4);
    const text = plainText(value, format[end - 1], width);
    if (text === undefined) return undefined;
    out += format.slice(start, percent) + text;
    checkTextLength(out.length);
    start = end;
  }
  return next === values.length ? out + format.slice(start) : undefined;
}

function plainText(value: Value | undefined, verb: string | undefined, width: number): string | undefined {
  if (typeof value === 'number') {
    if ((verb !== 'd' && verb !== 'v') || !Number.isSafeInteger(value)) return undefined;
    return width === 0 ? String(value) : padded(value, width);
  }
  if ((verb !== 's' && verb !== 'v') || value === undefined || value instanceof ExactNumber) return undefined;
  return typeof value === 'string' ? value : termText(value);
}

/** The width of `04d`, zero where another directive stands there. */
function paddedWidth(format: string, at: number): number {
  if (format[at] !== '0' || format[at + 2] !== 'd') return 0;
  const width = format.charCodeAt(at + 1) - 48;
  return width >= 1 && width <= 9 ? width : 0;
}

/** The sign is part of the width. */
function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
}

const int64Min = -(1n << 63n);
const int64Max = (1n << 63n) - 1n;

function argument(value: Value): GoValue {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || value instanceof ExactNumber) return numberArgument(value);
  return termText(value);
}

/**
 * The text of a number decides its type: 1 is an integer, 1.0 and 1.5e3 are floats, and 1e3, which
 * is neither digits alone nor has a point, stays a string.
 */
function numberArgument(value: NumberValue): GoValue {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return new GoInt(BigInt(value), 'int64');
  const text = numberText(value);
  if (/^-?\d+$/.test(text)) return integerArgument(text);
  const float = text.includes('.') ? Number(text) : Infinity;
  return Number.isFinite(float) ? new GoFloat(float) : text;
}

function integerArgument(text: string): GoValue {
  countDigits(text.length);
  const integer = BigInt(text);
  return integer >= int64Min && integer <= int64Max ? new GoInt(integer, 'int64') : new GoBigInt(integer);
}
