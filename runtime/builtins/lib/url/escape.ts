/** Percent escapes as Go's `net/url` reads and writes them. */
import { checkTextLength } from '../../../values/memory.js';
import { goQuote } from '../../../values/text/term-text.js';
import { TextBuilder } from '../../../values/text/text-builder.js';
import { fromBinary, toBinary } from '../../../values/text/utf8.js';

/** Text with an escape that is none; the message is Go's. */
export class UrlError extends Error {}

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

/** Reads escapes. Throws a UrlError at one that is none. */
export function unescapeBytes(text: string): string {
  if (!text.includes('%')) return text;
  checkEscapes(text);
  return fromBinary(toBinary(text).replace(/%([0-9a-fA-F]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16))));
}

/** Throws a UrlError at the first percent sign that no two hexadecimal digits follow. */
export function checkEscapes(text: string): void {
  const bad = /%(?![0-9a-fA-F]{2})/.exec(text);
  if (bad !== null) throw new UrlError(`invalid URL escape ${quoteEscape(text, bad.index)}`);
}

function quoteEscape(text: string, at: number): string {
  return goQuote(fromBinary(toBinary(text.slice(at, at + 3)).slice(0, 3)));
}
