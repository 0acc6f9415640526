/**
 * Base64 as Go reads and writes it: line breaks are skipped, padding is strict, and an error names
 * the first bad byte.
 */

import { StacklessError } from '../../../stackless-error.js';

export class Base64Error extends StacklessError {
  constructor(message: string) {
    super(message);
    this.name = 'Base64Error';
  }
}

const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function table(alphabet: string): Uint8Array {
  const values = new Uint8Array(128).fill(0xff);
  for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i;
  return values;
}

const tables = { standard: table(standard), url: table(standard.replace('+', '-').replace('/', '_')) };

const lineFeed = 10;
const carriageReturn = 13;
const equals = 61;

/**
 * The bytes of a text, which must have its padding or must not. Throws a Base64Error: `illegal
 * base64 data at input byte 4`.
 */
export function decodeCharacters(text: string, alphabet: 'standard' | 'url', padded: boolean): Uint8Array {
  const values = tables[alphabet];
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let size = 0;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const value = c < 128 ? values[c]! : 0xff;
    if (value !== 0xff) {
      bits = (bits << 6) | value;
      if (++held === 4) {
        bytes[size++] = bits >> 16;
        bytes[size++] = bits >> 8;
        bytes[size++] = bits;
        held = bits = 0;
      }
      continue;
    }
    if (c === lineFeed || c === carriageReturn) continue;
    if (c !== equals || !padded || held < 2) throw illegal(i);
    checkPadding(text, i, held);
    return finish(bytes, size, bits, held);
  }
  if (held === 1 || (held > 0 && padded)) throw illegal(text.length - held);
  return finish(bytes, size, bits, held);
}

/** From the first `=` on only the rest of the padding may follow. */
function checkPadding(text: string, at: number, held: number): void {
  let i = skipLineBreaks(text, at + 1);
  if (held === 2) {
    if (i === text.length) throw illegal(text.length);
    if (text.charCodeAt(i) !== equals) throw illegal(i - 1);
    i = skipLineBreaks(text, i + 1);
  }
  if (i < text.length) throw illegal(i);
}

function skipLineBreaks(text: string, i: number): number {
  while (i < text.length && (text.charCodeAt(i) === lineFeed || text.charCodeAt(i) === carriageReturn)) i++;
  return i;
}

function finish(bytes: Uint8Array, size: number, bits: number, held: number): Uint8Array {
  if (held === 2) bytes[size++] = bits >> 4;
  else if (held === 3) {
    bytes[size++] = bits >> 10;
    bytes[size++] = bits >> 2;
  }
  return bytes.subarray(0, size);
}

function illegal(at: number): Base64Error {
  return new Base64Error(`illegal base64 data at input byte ${at}`);
}
