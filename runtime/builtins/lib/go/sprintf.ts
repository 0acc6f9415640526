/**
 * `sprintf`: numbers go to the formatter as Go numbers, strings as they are, anything else as its
 * text.
 */
import { checkTextLength } from '../../../values/memory.js';
import { ExactNumber, type NumberValue, numberText, writtenIntegerOf } from '../../../values/numbers/number.js';
import { termText } from '../../../values/text/term-text.js';
import type { ArrayValue, Value } from '../../../values/value.js';
import { withinLength } from '../../limits.js';
import { goFormat } from './format.js';
import { GoBigInt, GoFloat, GoInt, type GoValue } from './values.js';

export function sprintf(format: string, values: ArrayValue): string {
  return withinLength(() => simple(format, values) ?? goFormat(format, values.map(argument)));
}

/**
 * Nearly all formats have only plain `%s`, `%d` and `%v` for values that fit; undefined for all
 * others.
 */
function simple(format: string, values: ArrayValue): string | undefined {
  let out = '';
  let start = 0;
  let next = 0;
  for (let percent = format.indexOf('%'); percent >= 0; percent = format.indexOf('%', start)) {
    const value = values[next++];
    const verb = format[percent + 1];
    let text: string;
    if (typeof value === 'string') {
      if (verb !== 's' && verb !== 'v') return undefined;
      text = value;
    } else if (typeof value === 'number') {
      if ((verb !== 'd' && verb !== 'v') || !Number.isSafeInteger(value)) return undefined;
      text = String(value);
    } else if (value === undefined || value instanceof ExactNumber || (verb !== 's' && verb !== 'v')) return undefined;
    else text = termText(value);
    out += format.slice(start, percent) + text;
    checkTextLength(out.length);
    start = percent + 2;
  }
  return next === values.length ? out + format.slice(start) : undefined;
}

const int64Min = -(1n << 63n);
const int64Max = (1n << 63n) - 1n;

function argument(value: Value): GoValue {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || value instanceof ExactNumber) return numberArgument(value);
  return termText(value);
}

/** The text of a number decides its type: 1 and 1.0 are integers, 1.5 and 1e0 floats. */
function numberArgument(value: NumberValue): GoValue {
  const integer = writtenIntegerOf(value);
  if (integer === undefined) {
    const text = numberText(value);
    const float = Number(text);
    return Number.isFinite(float) ? new GoFloat(float, text) : text;
  }
  return integer >= int64Min && integer <= int64Max ? new GoInt(integer, 'int64') : new GoBigInt(integer);
}
