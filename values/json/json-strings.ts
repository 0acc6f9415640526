/** Strings of JSON texts from bytes. */
import { bytesPerPiece, PieceReader } from './piece-reader.js';

/** Strings up to this length are looked up in a cache, since keys repeat. */
const maxCachedLength = 24;
const cacheSize = 1024;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const header = 32;

/** Memory of a key that is not in the cache: V8 stores objects with such keys as hash tables. */
const bytesPerUncachedKey = 64;

export class StringReader extends PieceReader {
  readonly #cache: string[] = Array(cacheSize).fill('');
  #hasEscapes = false;
  /** The complete string. */
  text = '';

  /**
   * Reads the string that begins at a quote, or its next piece; returns its end, or the position of
   * an error.
   */
  read(at: number): number {
    const bytes = this.bytes;
    const start = this.isInside ? at : at + 1;
    const limit = start + bytesPerPiece;
    let isAscii = true;
    let hasEscapes = false;
    let i = start;
    for (;;) {
      const c = bytes[i];
      if (c === 34) break;
      if (c === 92) {
        const end = this.#escape(i + 1);
        if (this.problem !== undefined) return end;
        hasEscapes = true;
        i = end;
      } else if (c === undefined || c < 32) {
        this.problem = 'in string literal';
        return i;
      } else {
        if (c >= 128) isAscii = false;
        i++;
      }
      // The bytes of a character are not split.
      if (i > limit && ((bytes[i] ?? 0) & 0xc0) !== 0x80) {
        this.#add(start, i, hasEscapes);
        this.isInside = true;
        return i;
      }
    }
    if (!this.isInside && !hasEscapes && isAscii && i - start <= maxCachedLength) this.text = this.#short(start, i);
    else {
      this.#add(start, i, hasEscapes);
      // A surrogate pair may be split between two pieces; unpaired surrogates are replaced.
      this.text = this.#hasEscapes ? this.before.toWellFormed() : this.before;
      this.before = '';
      this.#hasEscapes = false;
      this.isInside = false;
      this.takenBytes += header;
    }
    return i + 1;
  }

  #add(start: number, end: number, hasEscapes: boolean): void {
    const text = decoder.decode(this.bytes.subarray(start, end));
    this.before += hasEscapes ? (JSON.parse(`"${text}"`) as string) : text;
    this.#hasEscapes ||= hasEscapes;
    this.takenBytes += text.length === end - start ? text.length : 2 * text.length;
  }

  /** The end of an escape sequence whose backslash is before `i`, or the position of an error. */
  #escape(i: number): number {
    const c = this.bytes[i];
    if (c === 117) {
      for (let k = i + 1; k < i + 5; k++) {
        if (isHex(this.bytes[k])) continue;
        this.problem = 'in \\u hexadecimal character escape';
        return k;
      }
      return i + 5;
    }
    if (c !== undefined && escapes.includes(c)) return i + 1;
    this.problem = 'in string escape code';
    return i;
  }

  #short(start: number, end: number): string {
    const bytes = this.bytes;
    let hash = 0;
    for (let i = start; i < end; i++) hash = (hash * 31 + bytes[i]!) | 0;
    const slot = hash & (cacheSize - 1);
    const known = this.#cache[slot]!;
    if (isText(known, bytes, start, end)) return known;
    let text = '';
    for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i]!);
    this.takenBytes += header + bytesPerUncachedKey + text.length;
    this.#cache[slot] = text;
    return text;
  }
}

const escapes: readonly number[] = [...'"\\/bfnrt'].map((c) => c.charCodeAt(0));

function isHex(c: number | undefined): boolean {
  return c !== undefined && ((c >= 48 && c <= 57) || (c >= 65 && c <= 70) || (c >= 97 && c <= 102));
}

function isText(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
