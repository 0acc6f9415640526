/** A buffer of compressed chunks, limited by their bytes. */
import { encoded, splitUp } from './encoded.js';
import type { BufferOptions, EventBuffer } from './event-buffer.js';
import { Fifo } from './fifo.js';
import type { Upload } from './upload.js';

export class SizeBuffer implements EventBuffer {
  readonly #options: BufferOptions;
  readonly #open = new Fifo<string>();
  #openLength = 0;
  /** Chunks are compressed one after the other, so they stay in order. */
  #sealing: Promise<void> = Promise.resolve();
  #sealingLength = 0;
  #sealingCount = 0;
  readonly #chunks = new Fifo<Upload>();
  readonly #aside = new Fifo<Upload>();
  #bytes = 0;
  #chunkedCount = 0;

  constructor(options: BufferOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#open.length + this.#sealingCount + this.#chunkedCount;
  }

  add(text: string): void {
    const { encoder, limit, lose } = this.#options;
    // Making room for it would empty the buffer in vain.
    if (encoder.estimate(text.length) > limit) {
      lose(1);
      return;
    }
    this.#open.push(text);
    this.#openLength += text.length;
    if (this.#openLength >= encoder.target) this.#seal();
    this.#makeRoom();
  }

  async flush(): Promise<void> {
    this.#seal();
    await this.#sealing;
  }

  take(): Promise<readonly Upload[]> {
    const next = this.#chunks.shift();
    return Promise.resolve(next === undefined ? [] : [next]);
  }

  sent({ bytes, count }: Upload): void {
    this.#bytes -= bytes.length;
    this.#chunkedCount -= count;
  }

  giveBack(uploads: readonly Upload[]): void {
    this.#chunks.unshift(uploads);
    this.#makeRoom();
  }

  async split(upload: Upload): Promise<void> {
    const smaller = await splitUp(upload, this.#options);
    this.sent(upload);
    this.#count(smaller);
    this.giveBack(smaller);
  }

  #count(uploads: readonly Upload[]): void {
    for (const { bytes, count } of uploads) {
      this.#bytes += bytes.length;
      this.#chunkedCount += count;
    }
  }

  setAside(upload: Upload): void {
    this.#aside.push(upload);
    this.#makeRoom();
  }

  takeAside(): readonly Upload[] {
    return this.#aside.takeAll();
  }

  #seal(): void {
    const texts = this.#open.takeAll();
    if (texts.length === 0) return;
    const length = this.#openLength;
    this.#openLength = 0;
    this.#sealingLength += length;
    this.#sealingCount += texts.length;
    this.#sealing = this.#sealing.then(async () => {
      const chunks = await encoded(texts, this.#options);
      this.#sealingLength -= length;
      this.#sealingCount -= texts.length;
      for (const { bytes, count } of chunks) this.#chunks.push({ bytes, count });
      this.#count(chunks);
      this.#makeRoom();
      this.#options.onFull();
    });
  }

  /**
   * Drops refused chunks first, which may never be accepted. Chunks that are being compressed or
   * sent are not dropped.
   */
  #makeRoom(): void {
    const { encoder, limit, lose } = this.#options;
    while (this.#bytes + encoder.estimate(this.#openLength + this.#sealingLength) > limit) {
      const oldest = this.#aside.shift() ?? this.#chunks.shift();
      if (oldest !== undefined) {
        this.sent(oldest);
        lose(oldest.count);
        continue;
      }
      const text = this.#sealingCount === 0 ? this.#open.shift() : undefined;
      if (text === undefined) return;
      this.#openLength -= text.length;
      lose(1);
    }
  }
}
