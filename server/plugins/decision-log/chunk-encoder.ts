/** Makes gzip chunks of events that are as large as the upload limit allows. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Events as a compressed JSON array. */
interface Chunk {
  readonly bytes: Uint8Array;
  readonly texts: readonly string[];
}

const gzipInThread = promisify(gzip);

/** The part of the limit that a chunk should fill: its ratio of compression is an estimate. */
const fill = 0.9;

/** Gzip compresses at most to a thousandth. */
const bestCompression = 1100;

/** Characters of a chunk, however well its events compress. */
const mostCharacters = 8 * 1024 * 1024;

export class ChunkEncoder {
  readonly #limit: number;
  readonly #smaller: (text: string) => string | undefined;
  readonly #lose: () => void;
  /** Compressed bytes for each character, as in the last large chunk. */
  #ratio = 1;

  /**
   * @param limit bytes of a chunk
   * @param smaller a shorter form of an event that alone exceeds the limit, if it has one
   * @param lose called for an event that exceeds it in any form
   */
  constructor(limit: number, smaller: (text: string) => string | undefined, lose: () => void) {
    this.#limit = limit;
    this.#smaller = smaller;
    this.#lose = lose;
  }

  /** Characters of events that probably fill a chunk. */
  get target(): number {
    return Math.min(mostCharacters, Math.floor((this.#limit * fill) / this.#ratio));
  }

  /** The bytes that so many characters probably take. */
  estimate(characters: number): number {
    return characters * this.#ratio;
  }

  /** One chunk, or several where the estimate was wrong. */
  async encode(texts: readonly string[]): Promise<readonly Chunk[]> {
    if (texts.length === 0) return [];
    // Gzip cannot make it small enough, and joining it may exceed the longest string.
    if (texts.length === 1 && texts[0]!.length > this.#limit * bestCompression) return await this.#encodeSmaller(texts[0]!);
    const text = `[${texts.join(',')}]`;
    const bytes = await gzipInThread(text);
    // The ratio of a short chunk tells little about long ones.
    if (text.length >= this.target / 2 || bytes.length > this.#limit) this.#ratio = bytes.length / text.length;
    if (bytes.length <= this.#limit) return [{ bytes, texts }];
    if (texts.length === 1) return await this.#encodeSmaller(texts[0]!);
    const half = texts.length >> 1;
    return [...(await this.encode(texts.slice(0, half))), ...(await this.encode(texts.slice(half)))];
  }

  async #encodeSmaller(text: string): Promise<readonly Chunk[]> {
    const smaller = this.#smaller(text);
    if (smaller !== undefined) return await this.encode([smaller]);
    this.#lose();
    return [];
  }
}
