/** Reads bodies of requests within limits. */

import { constants } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { SideThread } from '../../../engine/node.js';
import { utf16Decoder } from '../../../values/index.js';
import { type ApiError, invalidParameter } from '../responses/api-error.js';
import { inlineUpTo, Parts } from './body-parts.js';
import type { Exchange } from './exchange.js';
import { inflated } from './inflate.js';
import { bodyInUtf8 } from './utf16-body.js';

export interface BodyLimits {
  /** Bytes as sent. */
  readonly maxLength: number;
  /** Bytes after inflating. */
  readonly gzipMaxLength: number;
  /**
   * Tokens of one statement of a policy. Each stage of the compiler handles a statement in one
   * step.
   */
  readonly maxStatementTokens: number;
  /** Reads long YAML. Absent: it is read in this thread, in one step. */
  readonly sideThread?: SideThread | undefined;
}

/** Throws an ApiError where the header says that the body is too long. */
export function checkLength(exchange: Exchange, { maxLength }: BodyLimits): void {
  const length = exchange.header('content-length');
  if (length !== undefined && Number(length) > maxLength) throw tooLarge();
}

function tooLarge(): ApiError {
  return invalidParameter('request body too large');
}

/**
 * The body's bytes, inflated if they are gzip, in UTF-8 if they are UTF-16. Throws or rejects with
 * an ApiError.
 */
export function readBody(exchange: Exchange, limits: BodyLimits): Promise<Uint8Array> {
  return (exchange.body ??= readAndInflate(exchange, limits));
}

async function readAndInflate(exchange: Exchange, limits: BodyLimits): Promise<Uint8Array> {
  checkLength(exchange, limits);
  const { incoming } = exchange;
  const parts = new Parts(exchange, limits.maxLength, tooLarge);
  if (incoming === undefined) parts.add(new Uint8Array(await exchange.request.arrayBuffer()));
  else await exchange.deadline.whileWaiting(readIncoming(incoming, parts));
  const sent = await parts.joined();
  const isGzip = exchange.header('content-encoding')?.includes('gzip') === true;
  const bytes = isGzip ? await inflated(exchange, sent, limits.gzipMaxLength) : sent;
  const decoder = utf16Decoder(bytes);
  return decoder === undefined ? bytes : await bodyInUtf8(exchange, bytes, decoder, tooLarge);
}

/**
 * The number of chunks after which other tasks run. Node reads a socket up to 32 times before it
 * lets go, which is 300,000 chunks of one byte.
 */
const chunksPerTurn = 2000;

function readIncoming(incoming: IncomingMessage, parts: Parts): Promise<void> {
  return new Promise((resolve, reject) => {
    let chunks = 0;
    let isRefused = false;
    const add = (chunk: Buffer) => {
      if (++chunks % chunksPerTurn === 0) pauseForOneTurn(incoming);
      // The rest of a refused body is dropped.
      if (isRefused) return;
      try {
        parts.add(chunk);
      } catch (error) {
        isRefused = true;
        reject(error);
      }
    };
    incoming.on('data', add);
    incoming.on('end', () => arrivals.whenAllAreRead(resolve));
    // The client closed the connection in the middle of the body. It gets no answer.
    incoming.on('error', () => reject(invalidParameter('unexpected EOF')));
    incoming.on('close', () => {
      if (!incoming.complete) reject(invalidParameter('unexpected EOF'));
    });
  });
}

/** Pauses the socket after the chunk that was read, until other tasks have run. */
function pauseForOneTurn(incoming: IncomingMessage): void {
  // It asks for more after each chunk, and that would end the pause.
  incoming._read = () => {};
  incoming.socket.pause();
  setImmediate(() => {
    // The method of its class again.
    delete (incoming as { _read?: unknown })._read;
    incoming.socket.resume();
  });
}

/** Whether the headers allow a body to be long. */
export function mayBeLong(exchange: Exchange): boolean {
  if (exchange.header('content-encoding')?.includes('gzip') === true) return true;
  const length = exchange.header('content-length');
  return length === undefined || Number(length) > inlineUpTo;
}

/** The most bytes that a body takes, inflated. Call it before the request is answered. */
export function bodyBytes(exchange: Exchange): number {
  return mayBeLong(exchange) ? Math.max(exchange.memory.bytes, inlineUpTo) : Number(exchange.header('content-length'));
}

/**
 * The text of a body. Bytes that are no UTF-8 become U+FFFD. Throws an ApiError where it is too
 * long.
 */
export function textOfBody(bytes: Uint8Array): string {
  if (bytes.length > constants.MAX_STRING_LENGTH) throw tooLarge();
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return buffer.toString('utf8');
}

/** Requests that go on at once before a turn is looked at again: others may have begun to come. */
const mostAlone = 16;

/**
 * Reads all requests that have arrived, then decides all, then answers all. Each of these steps has
 * its own code and data in the processor's caches. One by one, requests took a third longer
 * (measured with 32 connections).
 */
class Arrivals {
  #waiting: (() => void)[] = [];
  /**
   * The requests that go on at once, since the last one was the only one of its turn: to wait for
   * others takes a turn of the event loop, a tenth of a request.
   */
  #alone = 0;

  /** Calls back once all requests that have arrived are read. The callback must not throw. */
  whenAllAreRead(callback: () => void): void {
    if (this.#alone > 0) {
      this.#alone--;
      callback();
    } else if (this.#waiting.push(callback) === 1) setImmediate(this.#goOn);
  }

  readonly #goOn = (): void => {
    const all = this.#waiting;
    this.#waiting = [];
    this.#alone = all.length === 1 ? mostAlone : 0;
    for (const one of all) one();
  };
}

const arrivals = new Arrivals();
