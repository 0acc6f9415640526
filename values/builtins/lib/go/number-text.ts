/** Numbers by the verbs of formats. */
import { formatFloat } from '../../../numbers/go-float.js';
import { goQuoteRune, isPrintable } from '../../../text/term-text.js';
import type { Style } from './directive.js';
import { pad, padWithSpaces } from './text.js';

const bases: { readonly [verb: string]: number } = { b: 2, o: 8, O: 8, d: 10, v: 10, x: 16, X: 16 };
const prefixes: { readonly [verb: string]: string } = { b: '0b', o: '0', O: '0o', x: '0x', X: '0X' };

function signOf(isNegative: boolean, style: Style): string {
  return isNegative ? '-' : style.plus ? '+' : style.space ? ' ' : '';
}

function digitsOf(value: bigint, verb: string, base: number): string {
  const digits = (value < 0n ? -value : value).toString(base);
  return verb === 'X' ? digits.toUpperCase() : digits;
}

/** An integer of 64 bits; undefined where the verb is not for integers. */
export function integerText(value: bigint, verb: string, style: Style): string | undefined {
  const base = bases[verb];
  if (base !== undefined) return positional(value, verb, base, style);
  if (verb === 'c') return pad(runeText(value), style);
  if (verb === 'q') return pad(goQuoteRune(runeText(value).codePointAt(0)!, style.plus), style);
  return verb === 'U' ? padWithSpaces(unicodeText(value, style), style) : undefined;
}

/** Zeros fill the width before the prefix is put to it; a precision takes their place. */
function positional(value: bigint, verb: string, base: number, style: Style): string {
  const { width = 0, precision, zero, minus, sharp } = style;
  if (value === 0n && precision === 0) return padWithSpaces('', style);
  const sign = signOf(value < 0n, style);
  const filled = zero && !minus ? width - sign.length : 0;
  let digits = digitsOf(value, verb, base).padStart(precision ?? filled, '0');
  if (sharp && base === 8 && !digits.startsWith('0')) digits = `0${digits}`;
  const prefix = verb === 'O' || (sharp && base !== 8) ? (prefixes[verb] ?? '') : '';
  return padWithSpaces(sign + prefix + digits, style);
}

function unicodeText(value: bigint, { precision = 0, sharp }: Style): string {
  const code = BigInt.asUintN(64, value);
  const digits = digitsOf(code, 'X', 16).padStart(Math.max(precision, 4), '0');
  const shown = sharp && isRune(code) ? String.fromCodePoint(Number(code)) : '';
  return `U+${digits}${shown !== '' && isPrintable(shown) ? ` '${shown}'` : ''}`;
}

function isRune(value: bigint): boolean {
  return value >= 0n && value <= 0x10ffffn && !(value >= 0xd800n && value <= 0xdfffn);
}

function runeText(value: bigint): string {
  return isRune(value) ? String.fromCodePoint(Number(value)) : '\ufffd';
}

/** An integer of any size. Zeros that fill the width are between prefix and digits. */
export function bigIntegerText(value: bigint, verb: string, style: Style): string | undefined {
  const base = verb === 's' ? 10 : bases[verb];
  if (base === undefined) return undefined;
  const { width = 0, precision, zero, minus, sharp } = style;
  const start = signOf(value < 0n, style) + (sharp || verb === 'O' ? (prefixes[verb] ?? '') : '');
  const filled = zero && !minus ? width - start.length : 0;
  const digits = digitsOf(value, verb, base).padStart(precision ?? filled, '0');
  return padWithSpaces(start + digits, style);
}

const floatVerbs = 'vgGeEfFbxX';

/** The digits after the point where a format states no precision. */
const defaultPrecision = 6;

/** A finite float; undefined where the verb is not for floats. */
export function goFloatText(value: number, verb: string, style: Style): string | undefined {
  if (!floatVerbs.includes(verb)) return undefined;
  return formText(value, verb === 'v' ? 'g' : verb === 'F' ? 'f' : verb, style);
}

function formText(value: number, form: string, style: Style): string {
  const isFixed = form === 'f' || form === 'e' || form === 'E';
  const text = formatFloat(value, form, style.precision ?? (isFixed ? defaultPrecision : -1));
  const digits = text.replace(/^[+-]/, '');
  return inWidth(
    text.startsWith('-'),
    style.sharp && form !== 'b' ? withPoint(digits, form, style.precision) : digits,
    style,
  );
}

/** `%#v` of a float: the fewest digits, scientific from an exponent of 21 on. */
export function floatSyntax(value: number, style: Style): string {
  if (style.precision !== undefined) return formText(value, 'g', style);
  const size = Math.abs(value);
  const isScientific = size !== 0 && (size < 1e-4 || size >= 1e21);
  const text = formatFloat(size, isScientific ? 'e' : 'f', -1);
  return inWidth(value < 0 || Object.is(value, -0), text, style);
}

/** Zeros that fill the width are between sign and digits. */
function inWidth(isNegative: boolean, digits: string, style: Style): string {
  const sign = signOf(isNegative, style);
  const filled = style.zero && !style.minus ? (style.width ?? 0) - sign.length : 0;
  return padWithSpaces(sign + digits.padStart(filled, '0'), style);
}

/** `#`: a float shows its point, and `%g`, `%G` and `%x` the zeros that end it. */
function withPoint(text: string, form: string, precision = defaultPrecision): string {
  const isHexadecimal = form === 'x' || form === 'X';
  const start = isHexadecimal ? '0x'.length : 0;
  const end = start + text.slice(start).search(isHexadecimal ? /[^\da-fA-F.]|$/ : /[^\d.]|$/);
  const mantissa = text.slice(start, end);
  const pointed = mantissa.includes('.') ? mantissa : `${mantissa}.`;
  const keepsZeros = form === 'g' || form === 'G' || form === 'x';
  // Zeros before the first other digit are not significant, but a number that is a 0 has one digit.
  const significant = mantissa === '0' ? 1 : pointed.replace('.', '').replace(/^0+/, '').length;
  const zeros = keepsZeros ? Math.max(precision - significant, 0) : 0;
  return text.slice(0, start) + pointed + '0'.repeat(zeros) + text.slice(end);
}
