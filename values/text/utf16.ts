/** UTF-16 with a byte-order mark: the redirections of Windows PowerShell 5 write files so. */

const littleEndian = new TextDecoder('utf-16le');
const encoder = new TextEncoder();

/** The text after the mark; undefined for bytes that do not begin with a mark of UTF-16. */
export function utf16Text(bytes: Uint8Array): string | undefined {
  const order = byteOrder(bytes);
  return order && decode(order === 'utf-16le' ? bytes : swapped(bytes));
}

/** A decoder of long texts in parts, for Node; undefined for bytes without a mark of UTF-16. */
export function utf16Decoder(start: Uint8Array): TextDecoder | undefined {
  const order = byteOrder(start);
  return order && new TextDecoder(order);
}

function byteOrder(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return isUtf32(bytes) ? undefined : 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Half of a character at the end becomes a lone surrogate, which readers report. */
function decode(bytes: Uint8Array): string {
  const whole = littleEndian.decode(bytes.subarray(0, bytes.length & ~1));
  return bytes.length % 2 === 0 ? whole : whole + String.fromCharCode(0xdc00 + bytes.at(-1)!);
}

/** The same text in UTF-8, or the bytes themselves if they do not begin with a mark of UTF-16. */
export function utf16AsUtf8(bytes: Uint8Array): Uint8Array {
  const text = utf16Text(bytes);
  return text === undefined ? bytes : encoder.encode(text);
}

function isUtf32(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[2] === 0 && bytes[3] === 0;
}

/** Not every JavaScript has a decoder for big-endian text. A last odd byte stays. */
function swapped(bytes: Uint8Array): Uint8Array {
  const result = Uint8Array.from(bytes);
  for (let i = 1; i < bytes.length; i += 2) {
    result[i - 1] = bytes[i]!;
    result[i] = bytes[i - 1]!;
  }
  return result;
}
