/** A buffer of events, limited by their number. They are compressed when they are sent. */
import { encoded, splitUp } from './encoded.js';
import type { BufferOptions, EventBuffer } from './event-buffer.js';
import { Fifo } from './fifo.js';
import type { Upload } from './upload.js';

export class CountBuffer implements EventBuffer {
  readonly #options: BufferOptions;
  readonly #events = new Fifo<string>();
  #length = 0;
  /** The number of oldest events to send, whether they fill a chunk or not. */
  #due = 0;
  readonly #aside = new Fifo<Upload>();
  #takenCount = 0;

  constructor(options: BufferOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#events.length + this.#takenCount;
  }

  add(text: string): void {
    this.#events.push(text);
    this.#length += text.length;
    this.#makeRoom();
    if (this.#isFull) this.#options.onFull();
  }

  flush(): Promise<void> {
    this.#due = this.#events.length;
    return Promise.resolve();
  }

  async take(): Promise<readonly Upload[]> {
    if (this.#due === 0 && !this.#isFull) return [];
    const { target } = this.#options.encoder;
    const texts: string[] = [];
    for (let length = 0; length < target && this.#events.length > 0; ) {
      const text = this.#shift();
      length += text.length;
      texts.push(text);
    }
    this.#takenCount += texts.length;
    const uploads = await encoded(texts, this.#options);
    // Events that are too large for any chunk are lost.
    this.#takenCount -= texts.length - countOf(uploads);
    return uploads.length === 0 ? await this.take() : uploads;
  }

  sent({ count }: Upload): void {
    this.#takenCount -= count;
  }

  giveBack(uploads: readonly Upload[]): void {
    const texts = uploads.flatMap(({ texts = [] }) => texts);
    this.#takenCount -= texts.length;
    this.#events.unshift(texts);
    this.#due += texts.length;
    for (const text of texts) this.#length += text.length;
    this.#makeRoom();
  }

  async split(upload: Upload): Promise<void> {
    const smaller = await splitUp(upload, this.#options);
    this.#takenCount -= upload.count - countOf(smaller);
    this.giveBack(smaller);
  }

  setAside(upload: Upload): void {
    this.#aside.push(upload);
    this.#makeRoom();
  }

  takeAside(): readonly Upload[] {
    return this.#aside.takeAll();
  }

  get #isFull(): boolean {
    return this.#length >= this.#options.encoder.target;
  }

  /**
   * Drops refused events first, which may never be accepted. Events that are being sent count, and
   * are not dropped.
   */
  #makeRoom(): void {
    while (this.count > this.#options.limit && this.#aside.length > 0) {
      const refused = this.#aside.shift()!;
      this.sent(refused);
      this.#options.lose(refused.count);
    }
    for (; this.count > this.#options.limit && this.#events.length > 0; this.#options.lose(1)) this.#shift();
  }

  #shift(): string {
    const text = this.#events.shift()!;
    this.#length -= text.length;
    this.#due = Math.max(0, this.#due - 1);
    return text;
  }
}

function countOf(uploads: readonly Upload[]): number {
  return uploads.reduce((count, upload) => count + upload.count, 0);
}
