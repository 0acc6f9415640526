/** Scalars of text messages as the JSON form of Protocol Buffers has them. */

import { numberFromInteger, type Value } from '../../../../values/index.js';
import type { ProtoEnum, ProtoMessage } from './proto-types.js';

/** A scalar as it stands in the text: texts in quotes as bytes, or a word. */
export type ScalarToken = { readonly bytes: Uint8Array } | { readonly word: string };

/** The value of a scalar; undefined if it is none of the type. */
export function protoScalar(type: string, declared: ProtoEnum | undefined, token: ScalarToken): Value | undefined {
  if (type === 'string' || type === 'bytes') {
    if (!('bytes' in token)) return undefined;
    return type === 'bytes' ? Buffer.from(token.bytes).toString('base64') : utf8(token.bytes);
  }
  if (!('word' in token)) return undefined;
  const { word } = token;
  if (declared) return enumValue(declared, word);
  if (type === 'bool') return truths.get(word);
  if (type === 'double' || type === 'float') return floatValue(type, word);
  return integerValue(type, word);
}

/** Whether a field without presence is left out. */
export function isDefault(value: Value, declared: ProtoMessage | ProtoEnum | undefined): boolean {
  if (declared?.kind === 'enum') return declared.values.get(String(value)) === 0 || value === 0;
  return value === 0 || value === false || value === '' || value === '0';
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'True', 't', '1'].map((word) => [word, true] as const),
  ...['false', 'False', 'f', '0'].map((word) => [word, false] as const),
]);

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function enumValue({ values }: ProtoEnum, word: string): Value | undefined {
  if (values.has(word)) return word;
  if (!/^-?\d+$/.test(word)) return undefined;
  return [...values].find(([, number]) => number === Number(word))?.[0] ?? Number(word);
}

const integer = /^(-?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)$/;

function integerValue(type: string, word: string): Value | undefined {
  const [, sign, digits] = integer.exec(word) ?? [];
  if (digits === undefined) return undefined;
  const size = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === '-' ? -size : size;
  const bits = type.includes('64') ? 64 : 32;
  const isUnsigned = type.startsWith('u') || type.startsWith('fixed');
  const fits = isUnsigned ? BigInt.asUintN(bits, value) === value : BigInt.asIntN(bits, value) === value;
  if (!fits) return undefined;
  return bits === 64 ? String(value) : numberFromInteger(value);
}

const float = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?$/;

function floatValue(type: string, word: string): Value | undefined {
  const [, sign = '', name] = /^(-?)(inf(?:inity)?|nan)$/i.exec(word) ?? [];
  if (name !== undefined) return name.toLowerCase() === 'nan' ? 'NaN' : `${sign}Infinity`;
  if (!float.test(word)) return undefined;
  const written = Number(word.replace(/[fF]$/, ''));
  const value = type === 'float' ? Math.fround(written) : written;
  if (!Number.isFinite(value)) return String(value);
  return type === 'float' ? shortestFloat(value) : value;
}

/** The number with the fewest digits that is the same float of 32 bits. */
function shortestFloat(value: number): number {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

const simpleEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};

/** The bytes of texts in quotes that stand behind each other. */
export function textOfLiterals(quoted: string): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [literal] of quoted.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|#[^\n]*/g))
    if (!literal.startsWith('#'))
      for (const [part] of literal
        .slice(1, -1)
        .matchAll(/\\(?:[0-7]{1,3}|[xX][\da-fA-F]{1,2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|.)|[^\\]+/g))
        parts.push(bytesOfPart(part));
  return Buffer.concat(parts);
}

function bytesOfPart(part: string): Uint8Array {
  if (!part.startsWith('\\')) return Buffer.from(part);
  const body = part.slice(1);
  if (/^[0-7]/.test(body)) return Buffer.of(Number.parseInt(body, 8) & 255);
  if (/^[xX]./.test(body)) return Buffer.of(Number.parseInt(body.slice(1), 16));
  if (/^[uU]./.test(body))
    return Buffer.from(String.fromCodePoint(Math.min(Number.parseInt(body.slice(1), 16), 0x10ffff)));
  const simple = simpleEscapes[body];
  return simple === undefined ? Buffer.from(body) : Buffer.of(simple);
}
