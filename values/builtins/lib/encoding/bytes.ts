/** Bytes of texts as base64 and in hexadecimal. */
import { checkTextLength } from '../../../memory.js';
import { encodeUtf8, fromBinary, isAscii, toBinary } from '../../../text/utf8.js';
import { BuiltinError } from '../../builtin-errors.js';
import { binaryOfBase64, binaryOfBase64Url, encodeBase64, encodeTextUrl } from '../go/base64.js';
import { Base64Error } from '../go/base64-decoder.js';
import { toHex } from '../go/octets.js';

/** Texts up to this length have results within the limit. */
const long = 1 << 14;

export function base64(text: string): string {
  // Four characters encode three bytes, and a character has at most three bytes.
  if (text.length > long) checkTextLength(Math.ceil((isAscii(text) ? text.length : 3 * text.length) / 3) * 4);
  return isAscii(text) ? btoa(text) : encodeBase64(encodeUtf8(text));
}

/** The base64url of a text without padding. */
export function base64Url(text: string): string {
  checkTextLength(4 * text.length);
  return encodeTextUrl(text);
}

export function textOfBase64(text: string): string {
  return fromBinary(binaryOfBase64(text));
}

export function textOfBase64Url(text: string): string {
  // Lengths and positions count bytes.
  const binary = toBinary(text);
  if (binary.length % 4 === 1 && !binary.endsWith('=')) throw new Base64Error(`illegal base64url string: ${text}`);
  return fromBinary(binaryOfBase64Url(binary));
}

export function encodeHex(text: string): string {
  checkTextLength(2 * text.length);
  const bytes = encodeUtf8(text);
  checkTextLength(2 * bytes.length);
  return toHex(bytes);
}

export function decodeHex(text: string): string {
  const bad = /[^0-9a-fA-F]/.exec(text);
  if (bad !== null) throw new BuiltinError(`encoding/hex: invalid byte: ${firstByte(text, bad.index)}`);
  if (text.length % 2 === 1) throw new BuiltinError('encoding/hex: odd length hex string');
  return fromBinary(text.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))));
}

/** The first byte of a character, shown as if it were one: `U+0067 'g'`. */
function firstByte(text: string, at: number): string {
  const code = toBinary(String.fromCodePoint(text.codePointAt(at)!)).charCodeAt(0);
  const shows = code >= 0x20 && code !== 0x7f && (code < 0x80 || code > 0xa0) && code !== 0xad;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}${shows ? ` '${String.fromCharCode(code)}'` : ''}`;
}
