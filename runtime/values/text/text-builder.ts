import { checkTextLength } from '../memory.js';

/** Length of the parts that a text is put together of. */
const partLength = 1 << 14;

export let read = 0;

/**
 * A long text made of many short ones. Joined one after the other by `+=`, each would take 32 bytes until the whole is read. Throws a SizeError where it
 * becomes too long.
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
    // Reading a character makes one piece of the joined texts. It is kept, or the compiler drops the reading.
    read = this.#last.charCodeAt(0);
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
