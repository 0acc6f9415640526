/** Makes gzip chunks of events that are as large as the upload limit allows. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { parseJson, toJson, type Value } from '../../../values/index.js';
import type { Upload } from './upload.js';

/** Events as a compressed JSON array. */
interface Chunk extends Upload {
  readonly texts: readonly string[];
}

const gzipInThread = promisify(gzip);
const gunzipInThread = promisify(gunzip);

/** The part of the limit that a chunk should fill: its ratio of compression is an estimate. */
const fill = 0.9;

/** Gzip compresses at most to a thousandth. */
const bestCompression = 1100;

/** Characters of a chunk, however well its events compress. */
const mostCharacters = 8 * 1024 * 1024;

export class ChunkEncoder {
  /** Bytes of a single event. */
  readonly #limit: number;
  /** Bytes of several events: less where the service takes no more. */
  #chunkLimit: number;
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
    this.#chunkLimit = limit;
    this.#smaller = smaller;
    this.#lose = lose;
  }

  /** Characters of events that probably fill a chunk. */
  get target(): number {
    return Math.min(mostCharacters, Math.floor((this.#chunkLimit * fill) / this.#ratio));
  }

  /** The bytes that the characters probably take. */
  estimate(characters: number): number {
    return characters * this.#ratio;
  }

  /** One chunk, or several where the estimate was wrong. */
  async encode(texts: readonly string[]): Promise<readonly Chunk[]> {
    const [first, ...others] = texts;
    if (first === undefined) return [];
    const isOne = others.length === 0;
    // Gzip cannot make it small enough, and joining it may exceed the longest string.
    if (isOne && first.length > this.#limit * bestCompression) return await this.#encodeSmaller(first);
    const text = `[${texts.join(',')}]`;
    const bytes = await gzipInThread(text);
    // The ratio of a short chunk tells little about long ones.
    const limit = isOne ? this.#limit : this.#chunkLimit;
    if (text.length >= this.target / 2 || bytes.length > limit) this.#ratio = bytes.length / text.length;
    if (bytes.length <= limit) return [{ bytes, count: texts.length, texts }];
    if (isOne) return await this.#encodeSmaller(first);
    const half = texts.length >> 1;
    return [...(await this.encode(texts.slice(0, half))), ...(await this.encode(texts.slice(half)))];
  }

  /** Smaller chunks for one that was too large for the service. Later chunks are as small. */
  async split(upload: Upload): Promise<readonly Chunk[]> {
    const texts = upload.texts ?? (await textsOf(upload.bytes));
    const [first, ...others] = texts;
    if (first !== undefined && others.length === 0) return await this.#encodeSmaller(first);
    this.#chunkLimit = Math.min(this.#chunkLimit, upload.bytes.length >> 1);
    return await this.encode(texts);
  }

  async #encodeSmaller(text: string): Promise<readonly Chunk[]> {
    const smaller = this.#smaller(text);
    if (smaller !== undefined) return await this.encode([smaller]);
    this.#lose();
    return [];
  }
}

async function textsOf(bytes: Uint8Array): Promise<readonly string[]> {
  const events = parseJson((await gunzipInThread(bytes)).toString('utf8')) as readonly Value[];
  return events.map((event) => toJson(event));
}
