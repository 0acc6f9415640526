/** Bytes as text and back, without help of the platform's own buffers. */
import { TextBuilder } from '../../../text/text-builder.js';
import { isAscii } from '../../../text/utf8.js';

// Bad UTF-8 becomes U+FFFD, and a byte order mark stays, as the reference reads text.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The text of bytes that ought to be UTF-8. `values/text/utf8.ts` has strings that keep others.
 */
export function octetsText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** As `octetsText`, of bytes that are given as characters 0 to 255. */
export function textOfBinary(binary: string): string {
  return isAscii(binary) ? binary : octetsText(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Lower-case hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  const text = new TextBuilder();
  for (let i = 0; i < bytes.length; i++) text.add(hexDigits[bytes[i]!]!);
  return text.toString();
}

/** The bytes of a hexadecimal text, undefined where it is none. */
function fromHex(text: string): Uint8Array | undefined {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return undefined;
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** Whether two byte strings are the same; for secrets use the host's comparison. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A number's big-endian bytes without leading zeros. */
export function bytesOfInteger(value: bigint): Uint8Array {
  const digits = value.toString(16);
  return fromHex(digits.length % 2 === 0 ? digits : `0${digits}`)!;
}

/** The number of big-endian bytes. */
export function integerOfBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`);
}
