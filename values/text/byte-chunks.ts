/** Text that is written in pieces, as bytes. */

const encoder = new TextEncoder();

/** Bytes of the first chunk; each further one is twice as long, up to the last length. */
const firstChunk = 64 * 1024;
const longestChunk = 1024 * 1024;

/** Longer texts are encoded by the platform. */
const shortText = 256;

export class ByteChunks {
  readonly #take: (bytes: number) => void;
  readonly #full: Uint8Array[] = [];
  /** The bytes in the full chunks. */
  #before = 0;
  #chunk: Uint8Array;
  #at = 0;

  /** @param take called with bytes of memory before their allocation; it may throw */
  constructor(take: (bytes: number) => void = () => {}) {
    this.#take = take;
    take(firstChunk);
    this.#chunk = new Uint8Array(firstChunk);
  }

  /** The number of bytes so far. */
  get length(): number {
    return this.#before + this.#at;
  }

  /** Lone surrogates become U+FFFD. */
  text(text: string): void {
    const { length } = text;
    if (length > shortText || this.#at + length > this.#chunk.length) return this.bytes(encoder.encode(text));
    const chunk = this.#chunk;
    let at = this.#at;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return this.bytes(encoder.encode(text));
      chunk[at++] = code;
    }
    this.#at = at;
  }

  bytes(bytes: Uint8Array): void {
    let rest = bytes;
    for (let room = this.#chunk.length - this.#at; rest.length > room; room = this.#chunk.length) {
      this.#chunk.set(rest.subarray(0, room), this.#at);
      rest = rest.subarray(room);
      this.#next();
    }
    this.#chunk.set(rest, this.#at);
    this.#at += rest.length;
  }

  /**
   * The bytes since a length was reached, without a copy; undefined where they are in several
   * chunks.
   */
  since(length: number): Uint8Array | undefined {
    return length < this.#before ? undefined : this.#chunk.subarray(length - this.#before, this.#at);
  }

  /** Forgets the bytes after a length; those that `since` returned for them are no longer valid. */
  cutTo(length: number): void {
    while (length < this.#before) {
      this.#chunk = this.#full.pop()!;
      this.#before -= this.#chunk.length;
    }
    this.#at = length - this.#before;
  }

  /** All bytes, in their order. */
  parts(): readonly Uint8Array[] {
    return [...this.#full, this.#chunk.subarray(0, this.#at)];
  }

  #next(): void {
    this.#full.push(this.#chunk);
    this.#before += this.#chunk.length;
    const size = Math.min(longestChunk, 2 * this.#chunk.length);
    this.#take(size);
    this.#chunk = new Uint8Array(size);
    this.#at = 0;
  }
}
