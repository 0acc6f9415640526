import { checkTextLength } from '../memory.js';

const size = 1 << 16;

/** The most bytes of a UTF-16 unit in UTF-8. */
const bytesPerUnit = 3;

/** Strings up to this length are tested and copied in one loop. */
const shortString = 256;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const [quotationMark, backslash] = [34, 92];

/**
 * JSON text under construction, as bytes: many short pieces become a string at once. With `+=`,
 * each piece would take memory until the whole text is read.
 */
export class JsonBytes {
  readonly #bytes = new Uint8Array(size);
  #at = 0;
  /** The text before the bytes. */
  #before = '';
  readonly #quote: (text: string) => string;

  /** @param quote makes a well-formed JSON literal of any string */
  constructor(quote: (text: string) => string) {
    this.#quote = quote;
  }

  /** Adds a string as a JSON literal. */
  string(text: string): void {
    const { length } = text;
    if (length > shortString) return this.text(this.#quote(text));
    if (this.#at + length + 2 > size) this.#flush();
    const bytes = this.#bytes;
    let at = this.#at;
    bytes[at++] = quotationMark;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code < 0x20 || code > 0x7e || code === quotationMark || code === backslash)
        return this.text(this.#quote(text));
      bytes[at++] = code;
    }
    bytes[at++] = quotationMark;
    this.#at = at;
  }

  /** Adds an ASCII character. */
  character(code: number): void {
    if (this.#at === size) this.#flush();
    this.#bytes[this.#at++] = code;
  }

  /** Adds a well-formed text. */
  text(text: string): void {
    if (this.#at + bytesPerUnit * text.length > size) this.#flush();
    if (bytesPerUnit * text.length > size) {
      checkTextLength(this.#before.length + text.length);
      this.#before += text;
      return;
    }
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < text.length; i++) {
      const code = text.codePointAt(i)!;
      if (code < 0x80) {
        bytes[at++] = code;
        continue;
      }
      if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
      else {
        if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
        else {
          // A surrogate pair.
          i++;
          bytes[at++] = 0xf0 | (code >> 18);
          bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
        }
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      }
      bytes[at++] = 0x80 | (code & 0x3f);
    }
    this.#at = at;
  }

  /** Takes the whole text out. */
  take(): string {
    this.#flush();
    const text = this.#before;
    this.#before = '';
    return text;
  }

  #flush(): void {
    const text = decoder.decode(this.#bytes.subarray(0, this.#at));
    this.#at = 0;
    checkTextLength(this.#before.length + text.length);
    this.#before = this.#before === '' ? text : this.#before + text;
  }
}
