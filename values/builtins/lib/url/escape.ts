/** Percent escapes of bytes in URLs. */
import { checkTextLength } from '../../../memory.js';
import { StacklessError } from '../../../stackless-error.js';
import { goQuote } from '../../../text/term-text.js';
import { TextBuilder } from '../../../text/text-builder.js';
import { fromBinary, toBinary } from '../../../text/utf8.js';

/** The error of a malformed URL or part of one: `invalid URL escape "%zz"`. */
export class UrlError extends StacklessError {
  constructor(message: string) {
    super(message);
    this.name = 'UrlError';
  }
}

/** Escapes a part of a query: all but letters, digits and `-_.~`, a space as `+`. */
export function queryEscape(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  return escapeBytes(text, /[\w.~ -]/).replaceAll(' ', '+');
}

/** Escapes the bytes that `plain` does not match. */
export function escapeBytes(text: string, plain: RegExp): string {
  checkTextLength(text.length);
  const escaped = new TextBuilder();
  for (const byte of toBinary(text)) {
    escaped.add(plain.test(byte) ? byte : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
  }
  return escaped.toString();
}

/** Reads the escapes of a query part, `+` as a space. Throws a UrlError. */
export function queryUnescape(text: string): string {
  if (!text.includes('+')) return unescapeBytes(text);
  checkEscapes(text);
  return unescapeBytes(text.replaceAll('+', ' '));
}

/** Decodes escapes. Throws a UrlError at an invalid one. */
export function unescapeBytes(text: string): string {
  if (!text.includes('%')) return text;
  checkEscapes(text);
  return fromBinary(
    toBinary(text).replace(/%([0-9a-fA-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

/** Throws a UrlError at the first percent sign that no two hexadecimal digits follow. */
export function checkEscapes(text: string): void {
  const bad = /%(?![0-9a-fA-F]{2})/.exec(text);
  if (bad !== null) throw badEscape(text.slice(bad.index));
}

/** The complaint about the escape that a text begins with: its three bytes are shown. */
export function badEscape(text: string): UrlError {
  return new UrlError(`invalid URL escape ${goQuote(fromBinary(toBinary(text.slice(0, 3)).slice(0, 3)))}`);
}
