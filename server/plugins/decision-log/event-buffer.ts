/** Events that wait for their upload. When a buffer is full, the oldest events are dropped. */
import type { ChunkEncoder } from './chunk-encoder.js';
import { Fifo } from './fifo.js';

/** Events for one request. */
export interface Upload {
  readonly bytes: Uint8Array;
  /** The number of events. */
  readonly count: number;
  /** Where the buffer needs them to take them back. */
  readonly texts?: readonly string[];
}

export interface EventBuffer {
  /** Adds an event as JSON. */
  add(text: string): void;
  /** Makes all events that are there due, although they may not fill a chunk. */
  flush(): Promise<void>;
  /** The oldest events that are due or fill a chunk. They count until they are sent. */
  take(): Promise<readonly Upload[]>;
  sent(upload: Upload): void;
  /** Puts events that could not be sent in front again. */
  giveBack(uploads: readonly Upload[]): void;
  /** Events that have not been sent. */
  readonly count: number;
}

interface BufferOptions {
  readonly encoder: ChunkEncoder;
  /** Bytes or events. */
  readonly limit: number;
  /** Called with the number of events that were dropped. */
  readonly lose: (count: number) => void;
  /** Called when there is a full chunk. */
  readonly onFull: () => void;
}

/** A buffer of compressed chunks, limited by their bytes. */
export class SizeBuffer implements EventBuffer {
  readonly #options: BufferOptions;
  readonly #open = new Fifo<string>();
  #openLength = 0;
  /** Chunks are compressed one after the other, so they stay in order. */
  #sealing: Promise<void> = Promise.resolve();
  #sealingLength = 0;
  #sealingCount = 0;
  readonly #chunks = new Fifo<Upload>();
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

  #seal(): void {
    const texts = this.#open.all();
    if (texts.length === 0) return;
    const length = this.#openLength;
    this.#open.clear();
    this.#openLength = 0;
    this.#sealingLength += length;
    this.#sealingCount += texts.length;
    this.#sealing = this.#sealing.then(async () => {
      const chunks = await this.#options.encoder.encode(texts).catch(() => undefined);
      // There was no memory for them.
      if (chunks === undefined) this.#options.lose(texts.length);
      this.#sealingLength -= length;
      this.#sealingCount -= texts.length;
      for (const { bytes, texts: chunked } of chunks ?? []) {
        this.#chunks.push({ bytes, count: chunked.length });
        this.#bytes += bytes.length;
        this.#chunkedCount += chunked.length;
      }
      this.#makeRoom();
      this.#options.onFull();
    });
  }

  /** Chunks that are being compressed or sent are not dropped. */
  #makeRoom(): void {
    const { encoder, limit, lose } = this.#options;
    while (this.#bytes + encoder.estimate(this.#openLength + this.#sealingLength) > limit) {
      const oldest = this.#chunks.shift();
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

/** A buffer of events, limited by their number. They are compressed when they are sent. */
export class CountBuffer implements EventBuffer {
  readonly #options: BufferOptions;
  readonly #events = new Fifo<string>();
  #length = 0;
  /** So many of the oldest events are to be sent, whether they fill a chunk or not. */
  #due = 0;
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
    const chunks = await this.#options.encoder.encode(texts).catch(() => undefined);
    // There was no memory for them.
    if (chunks === undefined) this.#options.lose(texts.length);
    const uploads = (chunks ?? []).map(({ bytes, texts: chunked }) => ({ bytes, count: chunked.length, texts: chunked }));
    // Events that are too large for any chunk are lost.
    this.#takenCount -= texts.length - uploads.reduce((count, upload) => count + upload.count, 0);
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

  get #isFull(): boolean {
    return this.#length >= this.#options.encoder.target;
  }

  /** Events that are being sent count, and are not dropped. */
  #makeRoom(): void {
    for (; this.count > this.#options.limit && this.#events.length > 0; this.#options.lose(1)) this.#shift();
  }

  #shift(): string {
    const text = this.#events.shift()!;
    this.#length -= text.length;
    this.#due = Math.max(0, this.#due - 1);
    return text;
  }
}
