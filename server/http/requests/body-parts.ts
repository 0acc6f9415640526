/** Collects the parts of a body, within the memory that requests have. */
import { inSlices, joinBytesSteps } from '../../../values/index.js';
import type { ApiError } from '../responses/api-error.js';
import type { Exchange } from './exchange.js';

/** Shorter bodies are inflated and parsed at once, and their memory is not counted. */
export const inlineUpTo = 16 * 1024;

/** Bytes that are joined in some microseconds. */
const joinedAtOnce = 256 * 1024;

/** The number of parts that are kept as they arrive: to copy them takes as long as to read them. */
const fewParts = 16;

/** The C library gives blocks of this size back to the system, as bin/writ sets it up. */
const bytesOfBlock = 256 * 1024;

/**
 * Frees the memory of bytes that nothing else refers to. Thousands of parts would wait for the next
 * collection otherwise, and the C library keeps most of such small allocations.
 */
function free({ buffer, length }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === length) buffer.transfer(0);
}

/** Shared: each new one takes 0.2 microseconds. */
const noRoom = new Uint8Array(0);

/** The parts of a body as they arrive. */
export class Parts {
  readonly #exchange: Exchange;
  readonly #limit: number;
  readonly #complaint: () => ApiError;
  #parts: Uint8Array[] = [];
  #length = 0;
  /** The free part of the last block. */
  #room: Uint8Array = noRoom;

  constructor(exchange: Exchange, limit: number, complaint: () => ApiError) {
    this.#exchange = exchange;
    this.#limit = limit;
    this.#complaint = complaint;
  }

  /** Throws an ApiError where the body gets too long. */
  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length > this.#limit) throw this.#complaint();
    if (this.#length <= inlineUpTo) {
      this.#parts.push(part);
      return;
    }
    this.#exchange.memory.take(part.length);
    if (part.length >= bytesOfBlock || this.#parts.length < fewParts) this.#parts.push(part);
    else this.#copy(part);
  }

  /** Copies a small part into blocks. */
  #copy(part: Uint8Array): void {
    for (let rest = part; rest.length > 0; ) {
      if (this.#room.length === 0) this.#room = Buffer.allocUnsafeSlow(bytesOfBlock);
      const fits = rest.subarray(0, this.#room.length);
      this.#room.set(fits);
      this.#parts.push(this.#room.subarray(0, fits.length));
      this.#room = this.#room.subarray(fits.length);
      rest = rest.subarray(fits.length);
    }
    free(part);
  }

  async joined(): Promise<Uint8Array> {
    const parts = this.#parts;
    this.#parts = [];
    const [first, ...others] = parts;
    if (first !== undefined && others.length === 0) return first;
    return this.#length <= joinedAtOnce
      ? Buffer.concat(parts)
      : await inSlices(joinBytesSteps(parts, Buffer.allocUnsafeSlow(this.#length)));
  }
}
