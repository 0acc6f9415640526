import { checkTextLength } from '../memory.js';

/** Length of the parts of a text. */
const partLength = 1 << 14;

const last = { code: 0 };

/**
 * Builds a long text from many short ones. With `+=`, each of these would take 32 bytes until the
 * whole text is read. Throws a SizeError for a text that becomes too long.
 */
export class TextBuilder {
  #parts: string[] | undefined;
  #last = '';
  #length = 0;

  add(text: string): void {
    this.#last += text;
    if (this.#last.length > partLength) this.#cut();
  }

  #cut(): void {
    this.#length += this.#last.length;
    checkTextLength(this.#length);
    // Reading a character makes V8 flatten the joined string. The result is stored, or the compiler
    // would remove the read.
    last.code = this.#last.charCodeAt(0);
    (this.#parts ??= []).push(this.#last);
    this.#last = '';
  }

  get isEmpty(): boolean {
    return this.#last === '' && this.#parts === undefined;
  }

  toString(): string {
    if (this.#parts === undefined) return this.#last;
    this.#cut();
    return this.#parts.join('');
  }
}
