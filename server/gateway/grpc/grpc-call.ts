/** One call: its stream, its metadata, its deadline and its end. */
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { framedMessage } from './grpc-messages.js';
import { type GrpcCode, GrpcError, grpcCodes, headerText } from './grpc-status.js';

const millisecondsOf: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

/** A client ends its call at its deadline, which is a moment before this server's. */
const slackMs = 100;

const contentType = 'application/grpc';

export class GrpcCall {
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  /** The start, as `performance.now()` counts. */
  readonly started = performance.now();
  /** Milliseconds that the client gives; infinite without a deadline. */
  readonly #limitMs: number;
  #aborted: AbortController | undefined;
  #hasEnded = false;

  /** Throws a GrpcError for a bad deadline. */
  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.#stream = stream;
    this.#headers = headers;
    this.#limitMs = timeoutOf(headers['grpc-timeout'] as string | undefined);
  }

  header(name: string): string | undefined {
    const value = this.#headers[name];
    return typeof value === 'string' ? value : value?.join(', ');
  }

  /** Milliseconds until the client's deadline: infinite without one, at least 0. */
  get leftMs(): number {
    return this.#limitMs === Number.POSITIVE_INFINITY
      ? this.#limitMs
      : Math.max(0, this.#limitMs - (performance.now() - this.started));
  }

  /** Whether the deadline has passed, also where the client has ended the call because of it. */
  get isLate(): boolean {
    return this.leftMs <= (this.isCancelled ? slackMs : 0);
  }

  /** Whether the client has ended the call, or its connection is gone. */
  get isCancelled(): boolean {
    return this.#stream.destroyed || this.#stream.aborted;
  }

  /** Whether it has its answer, or needs none. */
  get hasEnded(): boolean {
    return this.#hasEnded || this.isCancelled;
  }

  /** Aborted when the client ends the call, or the call ends with an error. */
  get signal(): AbortSignal {
    if (this.#aborted === undefined) {
      const controller = new AbortController();
      this.#aborted = controller;
      if (this.isCancelled) controller.abort();
      else
        this.#stream.once('close', () => {
          if (!this.#hasEnded) controller.abort();
        });
    }
    return this.#aborted.signal;
  }

  /** Sends a message. Resolves once the client has room for another. */
  send(message: Uint8Array): Promise<void> | undefined {
    if (this.isCancelled) return undefined;
    this.#respond();
    if (this.#stream.write(framedMessage(message))) return undefined;
    return new Promise((resolve) => {
      const done = () => {
        this.#stream.off('drain', done).off('close', done);
        resolve();
      };
      this.#stream.on('drain', done).on('close', done);
    });
  }

  /** Sends the only message and ends the call. */
  finish(message: Uint8Array): void {
    if (this.hasEnded) return;
    this.#hasEnded = true;
    this.#respond();
    this.#stream.end(framedMessage(message));
  }

  /** Ends the call after its messages. */
  close(): void {
    if (this.hasEnded) return;
    this.#hasEnded = true;
    this.#respond();
    this.#stream.end();
  }

  #respond(): void {
    const stream = this.#stream;
    if (stream.headersSent) return;
    stream.respond({ ':status': 200, 'content-type': contentType }, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'grpc-message': '' }));
  }

  /** Ends the call with an error. What the client still sends is not read. */
  fail(code: GrpcCode, message: string, more: Readonly<Record<string, string>> = {}): void {
    if (this.hasEnded) return;
    this.#hasEnded = true;
    this.#aborted?.abort();
    const stream = this.#stream;
    const status = { 'grpc-status': String(code), 'grpc-message': headerText(message), ...more };
    // A client that has not sent all is told to stop; without it, its data would fill the
    // connection's window.
    const stop = () => {
      if (!stream.readableEnded) stream.close();
    };
    if (stream.headersSent) {
      stream.removeAllListeners('wantTrailers');
      stream.once('wantTrailers', () => {
        stream.sendTrailers(status);
        stop();
      });
      stream.end();
      return;
    }
    stream.respond({ ':status': 200, 'content-type': contentType, ...status }, { endStream: true });
    stop();
  }
}

/** Throws a GrpcError. */
function timeoutOf(header: string | undefined): number {
  if (header === undefined) return Number.POSITIVE_INFINITY;
  const [, digits, unit] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  if (digits === undefined)
    throw new GrpcError(grpcCodes.internal, `malformed grpc-timeout: ${JSON.stringify(header)}`);
  return Number(digits) * millisecondsOf[unit!]!;
}
