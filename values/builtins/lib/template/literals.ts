/** Constants in templates: numbers, characters and strings as Go writes them. */
import { goQuote } from '../../../text/term-text.js';
import { GoFloat, GoInt, type GoValue } from '../go/go-value.js';
import { TemplateSyntaxError, type TemplateToken } from './lexer.js';

/** The value of a constant. Throws a TemplateSyntaxError. */
export function constantOf({ kind, text, at }: TemplateToken): GoValue {
  const wrong = (message: string) => new TemplateSyntaxError(message, at);
  if (kind === 'bool') return text === 'true';
  if (kind === 'number') return numberOf(text, wrong);
  const value = unquote(text);
  if (kind === 'string') {
    if (value === undefined) throw wrong('invalid syntax');
    return value;
  }
  const [character, ...others] = value ?? '';
  if (character === undefined || others.length > 0) throw wrong(`malformed character constant: ${text}`);
  return new GoInt(BigInt(character.codePointAt(0)!), 'int');
}

const integerSyntax = /^([+-]?)(\d+|0x[\da-f]+|0b[01]+|0o[0-7]+)$/i;
const floatSyntax = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function numberOf(literal: string, wrong: (message: string) => TemplateSyntaxError): GoInt | GoFloat {
  const text = literal.replaceAll('_', '');
  const [, sign, digits] = integerSyntax.exec(text) ?? [];
  if (digits !== undefined) {
    // A 0 before other octal digits has the meaning of `0o`.
    const isOctal = /^0[0-7]+$/.test(digits);
    const size = BigInt(isOctal ? `0o${digits}` : digits);
    const value = sign === '-' ? -size : size;
    if (!isOctal && BigInt.asIntN(64, value) !== value) throw wrong(`integer overflow: ${goQuote(text)}`);
    return new GoInt(value, 'int');
  }
  const value = Number(text);
  if (!floatSyntax.test(text) || !Number.isFinite(value)) throw wrong(`illegal number syntax: ${goQuote(literal)}`);
  return new GoFloat(value);
}

const namedEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
]);

const backslashes = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3}|.|$)/gs;

/** The text of a quoted literal, undefined where it has an escape that Go does not know. */
export function unquote(literal: string): string | undefined {
  const inner = literal.slice(1, -1);
  if (literal.startsWith('`')) return inner.replaceAll('\r', '');
  let isValid = true;
  const text = inner.replace(backslashes, (sequence) => {
    const meant = escapedText(sequence.slice(1));
    isValid &&= meant !== undefined;
    return meant ?? '';
  });
  return isValid ? text : undefined;
}

/** The text of an escape, without its backslash. */
function escapedText(sequence: string): string | undefined {
  if (sequence.length < 2) return namedEscapes.get(sequence);
  const isOctal = /^\d/.test(sequence);
  const code = isOctal ? Number.parseInt(sequence, 8) : Number.parseInt(sequence.slice(1), 16);
  if (code > 0x10ffff) return undefined;
  const isByte = isOctal || sequence.startsWith('x');
  // Bytes that are no ASCII stand as half surrogates (see `values/text/utf8.ts`).
  return String.fromCodePoint(isByte && code >= 0x80 ? 0xdc00 + code : code);
}
