/** Tells which JSON texts the native reader reads without loss, from their bytes. */
import { decodeUtf8 } from '../text/utf8.js';
import { hasUnpairedEscape, longNumber } from './exact-forms.js';
import { maxDepth } from './json-error.js';

const [quote, plus, comma, minus, point, zero, nine] = [34, 43, 44, 45, 46, 48, 57];
const [upperE, bracket, backslash, closingBracket, lowerE] = [69, 91, 92, 93, 101];
const [letterD, letterU, brace, closingBrace] = [100, 117, 123, 125];

/**
 * The number of values of a JSON text that `JSON.parse` reads as it is. Undefined where the text
 * nests too deeply, or where a number or a string of it may lose its form. Of a text that is no
 * JSON the answer means nothing.
 */
export function nativeValues(bytes: Uint8Array): number | undefined {
  let values = 1;
  let depth = 0;
  let hasSurrogate = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === quote) {
      let inside = bytes[++i];
      for (; inside !== quote && inside !== undefined; inside = bytes[++i]) {
        if (inside !== backslash) continue;
        hasSurrogate ||= bytes[i + 1] === letterU && (bytes[i + 2]! | 32) === letterD;
        i++;
      }
    } else if (byte === comma) values++;
    else if (byte === bracket || byte === brace) {
      values++;
      if (++depth > maxDepth) return undefined;
    } else if (byte === closingBracket || byte === closingBrace) depth--;
    else if (byte <= nine && (byte >= zero || byte === minus)) {
      i = lastOfExact(bytes, i);
      if (i < 0) return undefined;
    }
  }
  return hasSurrogate && hasUnpairedEscape(decodeUtf8(bytes)) ? undefined : values;
}

/** The last place of a number that keeps its form; less than zero for any other. */
function lastOfExact(bytes: Uint8Array, start: number): number {
  let at = -1;
  let end = start + 1;
  for (; ; end++) {
    const byte = bytes[end]!;
    if (byte === point) at = end;
    else if (byte === lowerE || byte === upperE || byte === plus || byte === minus) return -1;
    else if (!(byte >= zero && byte <= nine)) break;
  }
  if (end - start >= longNumber) return -1;
  const last = bytes[end - 1];
  if (at < 0) return last === zero && end - start === 2 && bytes[start] === minus ? -1 : end - 1;
  return last === zero || startsSmall(bytes, at) ? -1 : end - 1;
}

/** Whether six zeros follow a point. */
function startsSmall(bytes: Uint8Array, at: number): boolean {
  for (let i = at + 1; i <= at + 6; i++) if (bytes[i] !== zero) return false;
  return true;
}
