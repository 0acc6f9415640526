/** Base64 as Go reads and writes it; most texts are left to the platform. */

import { encodeUtf8, fromBytes, isAscii } from '../../../text/utf8.js';
import { Base64Error, decodeCharacters } from './base64-decoder.js';

/** The bytes of a base64 text. Throws a Base64Error. */
export function decodeBase64(text: string): Uint8Array {
  const binary = plainBinary(text);
  return binary === undefined ? decodeCharacters(text, 'standard', true) : toBytes(binary);
}

/** The same bytes as characters 0 to 255. */
export function binaryOfBase64(text: string): string {
  return plainBinary(text) ?? fromBytes(decodeCharacters(text, 'standard', true));
}

// `atob` decodes ten times as fast, but accepts some texts that are illegal here.
const plainText = /^[A-Za-z0-9+/]*={0,2}$/;
const plainUrlText = /^[\w-]*={0,2}$/;

/** Undefined for texts that are illegal, or have line breaks. */
function plainBinary(text: string): string | undefined {
  return text.length % 4 === 0 && plainText.test(text) ? atob(text) : undefined;
}

/** The bytes of base64url, with or without padding. */
function plainUrlBinary(text: string): string | undefined {
  const isWhole = text.endsWith('=') ? text.length % 4 === 0 : text.length % 4 !== 1;
  if (!isWhole || !plainUrlText.test(text)) return undefined;
  const standard = text.includes('-') ? text.replaceAll('-', '+') : text;
  return atob(standard.includes('_') ? standard.replaceAll('_', '/') : standard);
}

function toBytes(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/**
 * The bytes of a base64url text with or without padding. Throws a Base64Error, such as `illegal
 * base64url string: a` for a length that no padding completes.
 */
export function decodeBase64Url(text: string): Uint8Array {
  const binary = plainUrlBinary(text);
  return binary === undefined ? decodeCharacters(withPadding(text), 'url', true) : toBytes(binary);
}

/** The same bytes as characters 0 to 255. */
export function binaryOfBase64Url(text: string): string {
  return plainUrlBinary(text) ?? fromBytes(decodeCharacters(withPadding(text), 'url', true));
}

function withPadding(text: string): string {
  if (text.endsWith('=')) return text;
  switch (text.length % 4) {
    case 0:
      return text;
    case 2:
      return `${text}==`;
    case 3:
      return `${text}=`;
    default:
      throw new Base64Error(`illegal base64url string: ${text}`);
  }
}

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(fromBytes(bytes));
}

/** The base64url of bytes without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return urlText(encodeBase64(bytes));
}

/** The base64url of the bytes of a text. */
export function encodeTextUrl(text: string): string {
  return isAscii(text) ? urlText(btoa(text)) : encodeBase64Url(encodeUtf8(text));
}

function urlText(standard: string): string {
  const padding = standard.indexOf('=', standard.length - 2);
  const text = padding < 0 ? standard : standard.slice(0, padding);
  const minus = text.includes('+') ? text.replaceAll('+', '-') : text;
  return minus.includes('/') ? minus.replaceAll('/', '_') : minus;
}
