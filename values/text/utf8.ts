/**
 * Conversion between strings and bytes. A Rego string may hold bytes that are not valid UTF-8, for
 * example from `base64.decode`. Such a byte is represented by a lone low surrogate, U+DC00 plus the
 * byte: it counts as one character, prints as U+FFFD, and is encoded to the same byte again.
 */

import { utf16Text } from './utf16.js';

const encoder = new TextEncoder();
const lenientDecoder = new TextDecoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Encodes a string. A byte that was invalid UTF-8 when decoded is restored; any other lone
 * surrogate becomes U+FFFD.
 */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  if (text.isWellFormed()) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else for (const byte of encoder.encode(character)) bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** Decodes bytes. Never fails: see above for bytes that are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictDecoder.decode(bytes);
  } catch {
    return decodeLeniently(bytes);
  }
}

/**
 * Decodes a file of UTF-8, or of UTF-16 with a byte-order mark; the mark is left out. Bytes that
 * are not valid UTF-8 are kept, so that a reader can report them.
 */
export function textOfFile(bytes: Uint8Array): string {
  const text = utf16Text(bytes) ?? decodeUtf8(bytes);
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** As `textOfFile`, but bytes that are not valid UTF-8 become U+FFFD. */
export function lenientTextOfFile(bytes: Uint8Array): string {
  return utf16Text(bytes) ?? lenientDecoder.decode(bytes);
}

function decodeLeniently(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; ) {
    const size = sequenceLength(bytes, i);
    if (size === 0) parts.push(String.fromCharCode(0xdc00 + bytes[i++]!));
    else {
      let end = i + size;
      for (let next = sequenceLength(bytes, end); next > 0; next = sequenceLength(bytes, end)) end += next;
      parts.push(strictDecoder.decode(bytes.subarray(i, end)));
      i = end;
    }
  }
  return parts.join('');
}

/** The length of the UTF-8 sequence that starts at `i`, 0 if it is invalid. */
export function sequenceLength(bytes: Uint8Array, i: number): number {
  const first = bytes[i];
  if (first === undefined) return 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[i + 1];
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second === undefined || second < low || second > high) return 0;
  if (first < 0xe0) return 2;
  if (!isContinuation(bytes[i + 2])) return 0;
  if (first < 0xf0) return 3;
  return isContinuation(bytes[i + 3]) ? 4 : 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte <= 0xbf;
}

/** The bytes of a string, each as one character (0 to 255). */
export function toBinary(text: string): string {
  return isAscii(text) ? text : fromBytes(encodeUtf8(text));
}

/** The string whose bytes are given as characters 0 to 255. */
export function fromBinary(binary: string): string {
  if (isAscii(binary)) return binary;
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return decodeUtf8(bytes);
}

/** Bytes as characters 0 to 255. */
export function fromBytes(bytes: Uint8Array): string {
  const chunk = 8192;
  if (bytes.length <= chunk) return String.fromCharCode(...bytes);
  let binary = '';
  for (let i = 0; i < bytes.length; i += chunk) binary += String.fromCharCode(...bytes.subarray(i, i + chunk));
  return binary;
}

const nonAscii = /[^\0-\x7f]/;

/** The characters of shorter strings are tested one by one: that is faster. */
const shortString = 12;

export function isAscii(text: string): boolean {
  if (text.length > shortString) return !nonAscii.test(text);
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
