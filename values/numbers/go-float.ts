/** Doubles as text, as Go's `strconv.FormatFloat` writes them: exact digits, ties to even. */

/** `0.d1d2d3… × 10^point`, the digits without trailing zeros; zero has none. */
interface Digits {
  readonly text: string;
  readonly point: number;
}

/** All digits of a double's exact value. */
function exactDigits(value: number): Digits {
  const [mantissa, exponent] = split(value);
  if (mantissa === 0n) return { text: '', point: 0 };
  const text =
    exponent >= 0 ? (mantissa << BigInt(exponent)).toString() : (mantissa * 5n ** BigInt(-exponent)).toString();
  return trimmed(text, text.length + Math.min(exponent, 0));
}

/** The fewest digits that read back as the same double. */
function shortestDigits(value: number): Digits {
  if (value === 0) return { text: '', point: 0 };
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  return trimmed(mantissa.replace('.', ''), Number(exponent) + 1);
}

function trimmed(text: string, point: number): Digits {
  return { text: text.replace(/0+$/, ''), point };
}

/** A positive double as `mantissa × 2^exponent`. */
function split(value: number): [bigint, number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return exponent === 0 ? [fraction, -1074] : [fraction | (1n << 52n), exponent - 1075];
}

/** Keeps `count` digits. */
function round({ text, point }: Digits, count: number): Digits {
  if (count >= text.length) return { text, point };
  if (count < 0) return { text: '', point: 0 };
  const kept = text.slice(0, count);
  const rest = text.slice(count);
  const half = `5${'0'.repeat(rest.length - 1)}`;
  const isOdd = count > 0 && Number(kept[count - 1]) % 2 === 1;
  if (rest < half || (rest === half && !isOdd)) return trimmed(kept, kept.replace(/0+$/, '') === '' ? 0 : point);
  const up = (BigInt(kept === '' ? '0' : kept) + 1n).toString().padStart(count, '0');
  return trimmed(up, point + up.length - count);
}

/**
 * `format` is one of e, E, f, g, G, b, x, X; a precision of -1 is the fewest digits that read back
 * the same. A sign comes first where the number is negative.
 */
export function formatFloat(value: number, format: string, precision: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return sign === '' ? '+Inf' : '-Inf';
  switch (format) {
    case 'e':
    case 'E':
      return (
        sign +
        scientific(precision < 0 ? shortestDigits(size) : round(exactDigits(size), precision + 1), format, precision)
      );
    case 'f':
      return sign + fixed(size, precision);
    case 'b': {
      const [mantissa, exponent] = split(size);
      return `${sign}${mantissa}p${exponent < 0 ? '' : '+'}${exponent}`;
    }
    case 'x':
    case 'X':
      return sign + hexadecimal(size, format, precision);
    default:
      return sign + general(size, format === 'G' ? 'E' : 'e', precision);
  }
}

function scientific({ text, point }: Digits, format: string, precision: number): string {
  const fraction = text.slice(1);
  const padded = precision < 0 ? fraction : fraction.padEnd(precision, '0');
  const exponent = text === '' ? 0 : point - 1;
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${text[0] ?? '0'}${padded === '' ? '' : `.${padded}`}${format}${exponent < 0 ? '-' : '+'}${digits}`;
}

function fixed(size: number, precision: number): string {
  if (precision < 0) return layOut(shortestDigits(size), -1);
  const digits = exactDigits(size);
  return layOut(round(digits, digits.point + precision), precision);
}

function layOut({ text, point }: Digits, precision: number): string {
  const whole = point > 0 ? text.slice(0, point).padEnd(point, '0') : '0';
  const fraction = point > 0 ? text.slice(point) : text === '' ? '' : '0'.repeat(-point) + text;
  const padded = precision < 0 ? fraction : fraction.slice(0, precision).padEnd(precision, '0');
  return padded === '' ? whole : `${whole}.${padded}`;
}

/**
 * `%g`: scientific where the exponent is under -4 or not under the precision (6 where that is the
 * shortest).
 */
function general(size: number, format: string, precision: number): string {
  const count = precision === 0 ? 1 : precision;
  const digits = precision < 0 ? shortestDigits(size) : round(exactDigits(size), count);
  const exponent = digits.text === '' ? 0 : digits.point - 1;
  let limit = precision < 0 ? 21 : count;
  if (precision < 0) limit = 6;
  else if (limit > digits.text.length && digits.text.length >= digits.point) limit = digits.text.length;
  if (digits.text !== '' && (exponent < -4 || exponent >= limit)) return scientific(digits, format, -1);
  return layOut(digits, -1);
}

function hexadecimal(size: number, format: string, precision: number): string {
  let [mantissa, exponent] = split(size);
  if (mantissa === 0n) exponent = 0;
  else {
    const shift = 53 - mantissa.toString(2).length;
    mantissa <<= BigInt(shift);
    exponent += 52 - shift;
  }
  // 52 bits after the point: 13 digits.
  if (precision >= 0 && precision < 13) {
    const dropped = BigInt(4 * (13 - precision));
    const rest = mantissa & ((1n << dropped) - 1n);
    const half = 1n << (dropped - 1n);
    mantissa >>= dropped;
    if (rest > half || (rest === half && (mantissa & 1n) === 1n)) mantissa += 1n;
    mantissa <<= dropped;
    if (mantissa >= 1n << 53n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const lead = mantissa >> 52n;
  const fraction = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, '0');
  const shown = precision < 0 ? fraction.replace(/0+$/, '') : fraction.slice(0, precision).padEnd(precision, '0');
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  const text = `0x${lead}${shown === '' ? '' : `.${shown}`}p${exponent < 0 ? '-' : '+'}${digits}`;
  return format === 'X' ? text.toUpperCase() : text;
}
