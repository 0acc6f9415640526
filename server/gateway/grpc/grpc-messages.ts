/**
 * Messages in the bodies of gRPC: a byte that tells whether one is compressed, its length, and its
 * bytes.
 */
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { GrpcError, grpcCodes } from './grpc-status.js';

const prefixLength = 5;

/** The compressions that clients may use, for `grpc-accept-encoding`. */
export const acceptedEncodings = 'identity,deflate,gzip';

const inflaters = { gzip: promisify(gunzip), deflate: promisify(inflate) } as const;

/** A message with its prefix. */
export function framedMessage(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(prefixLength + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, prefixLength);
  return frame;
}

/** Bytes of messages that have not arrived whole, of all calls of a server. */
export class ArrivingBytes {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws a GrpcError where others hold too many. */
  take(bytes: number): void {
    if (this.#held + bytes > this.#most)
      throw new GrpcError(grpcCodes.resourceExhausted, 'too many large messages at once');
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Cuts the chunks of one call into messages. */
export class GrpcMessageReader {
  readonly #mostBytes: number;
  readonly #encoding: string;
  readonly #arriving: ArrivingBytes;
  #chunks: Buffer[] = [];
  #length = 0;

  /**
   * Throws a GrpcError for a compression that is unknown.
   * @param encoding `grpc-encoding`
   */
  constructor(encoding: string, mostBytes: number, arriving: ArrivingBytes) {
    if (encoding !== 'identity' && !Object.hasOwn(inflaters, encoding))
      throw new GrpcError(
        grpcCodes.unimplemented,
        `grpc: Decompressor is not installed for grpc-encoding ${JSON.stringify(encoding)}`,
      );
    this.#encoding = encoding;
    this.#mostBytes = mostBytes;
    this.#arriving = arriving;
  }

  /** Throws a GrpcError for a message that is too large, as soon as its length is known. */
  add(chunk: Buffer): void {
    this.#arriving.take(chunk.length);
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    this.#check();
  }

  #check(): void {
    if (this.#length < prefixLength) return;
    const length = this.#joined().readUInt32BE(1);
    if (length > this.#mostBytes)
      throw new GrpcError(
        grpcCodes.resourceExhausted,
        `grpc: received message larger than max (${length} vs. ${this.#mostBytes})`,
      );
  }

  /** A buffer with the prefix at least: joining all at each chunk would be quadratic. */
  #beginning(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= prefixLength) return first;
    return this.#joined();
  }

  #joined(): Buffer {
    const [first, ...others] = this.#chunks;
    if (first !== undefined && others.length === 0) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }

  /** The bytes that have arrived after the next message. */
  get beyond(): number {
    return this.#length < prefixLength ? 0 : this.#length - prefixLength - this.#joined().readUInt32BE(1);
  }

  /** The next whole message, or the promise of a compressed one; undefined until it has arrived. */
  next(): Buffer | Promise<Buffer> | undefined {
    if (this.#length < prefixLength) return undefined;
    const end = prefixLength + this.#beginning().readUInt32BE(1);
    if (this.#length < end) return undefined;
    const all = this.#joined();
    this.#arriving.release(end);
    this.#chunks = all.length === end ? [] : [all.subarray(end)];
    this.#length -= end;
    this.#check();
    const message = all.subarray(prefixLength, end);
    const flag = all.readUInt8(0);
    return flag === 0 ? message : this.#inflated(message, flag);
  }

  async #inflated(message: Buffer, flag: number): Promise<Buffer> {
    if (flag !== 1) throw new GrpcError(grpcCodes.internal, `grpc: received unexpected payload format ${flag}`);
    if (this.#encoding === 'identity')
      throw new GrpcError(grpcCodes.internal, 'grpc: compressed flag set with identity or empty encoding');
    try {
      return await inflaters[this.#encoding as keyof typeof inflaters](message, { maxOutputLength: this.#mostBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
        throw new GrpcError(
          grpcCodes.resourceExhausted,
          `grpc: received message after decompression larger than max ${this.#mostBytes}`,
        );
      throw new GrpcError(
        grpcCodes.internal,
        `grpc: failed to decompress the received message: ${(error as Error).message}`,
      );
    }
  }

  /** Forgets all. */
  close(): void {
    this.#arriving.release(this.#length);
    this.#chunks = [];
    this.#length = 0;
  }
}
