/** Numbers of texts, as `to_number` reads them. */
import { type NumberValue, numberFromInteger, numberFromText } from '../../../numbers/number.js';
import { goQuote } from '../../../text/term-text.js';
import { BuiltinError, operandTypeError } from '../../builtin-errors.js';

const decimalSyntax = /^([+-]?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

const hexSyntax =
  /^([+-]?)0[xX]_?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)?(?:\.([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)?)?[pP]([+-]?\d+)$/;

/** Any text of a float of 64 bits is a number, with all its digits. Infinities and NaN are not. */
export function parseNumberText(text: string): NumberValue {
  if (isShortInteger(text)) return Number(text);
  if (/^[+-]*(?:inf|infinity|nan)$/i.test(text)) throw operandTypeError(1, text, 'valid number string');
  // Digits may be separated by underscores.
  const plain = text.replace(/(?<=\d)_(?=\d)/g, '');
  const found = /^[+-]?\.?\d/.test(plain) ? decimalSyntax.exec(plain) : null;
  if (found === null) return hexNumberOf(text);
  if (!Number.isFinite(Number(plain))) throw parseError(text, 'value out of range');
  const [, sign, whole, fraction, exponent] = found;
  const literal = `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction ? `.${fraction}` : ''}${exponent === undefined ? '' : `e${exponent}`}`;
  return numberFromText(literal);
}

/** Integers up to this length are exact as doubles. */
const shortLength = 15;

/** Whether a text is a short integer as it is printed. */
function isShortInteger(text: string): boolean {
  if (text.length === 0 || text.length > shortLength) return false;
  const first = text.charCodeAt(0);
  if (first === zero) return text.length === 1;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < zero || text.charCodeAt(i) > zero + 9) return false;
  return true;
}

const zero = 0x30;

function hexNumberOf(text: string): NumberValue {
  const found = hexSyntax.exec(text);
  if (found === null || (found[2] === undefined && found[3] === undefined)) throw parseError(text, 'invalid syntax');
  const fraction = (found[3] ?? '').replaceAll('_', '');
  const mantissa = BigInt(`0x${(found[2] ?? '').replaceAll('_', '')}${fraction}`);
  const value = Number(mantissa) * 2 ** (Number(found[4]) - 4 * fraction.length);
  if (!Number.isFinite(value)) throw parseError(text, 'value out of range');
  const signed = found[1] === '-' ? -value : value;
  return Number.isInteger(signed) ? numberFromInteger(BigInt(signed)) : signed;
}

function parseError(text: string, problem: string): BuiltinError {
  return new BuiltinError(`strconv.ParseFloat: parsing ${goQuote(text)}: ${problem}`);
}
