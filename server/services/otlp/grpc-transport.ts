/**
 * The part of gRPC that OTLP needs: calls with one message and one answer, over one connection. The
 * client of `@grpc/grpc-js` would be ten times as large as the rest of the exporters.
 */
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { connect, constants } from 'node:http2';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ExportResponse, IExporterTransport } from '@opentelemetry/otlp-exporter-base';
import { buildInfo } from '../../../engine/index.js';
import { type CollectorTls, collectorTlsOptions } from './collector-config.js';

interface GrpcTransportOptions {
  /** The URL of the collector, without a path. */
  readonly url: string;
  readonly tls: CollectorTls | undefined;
  /** `/SERVICE/METHOD`. */
  readonly path: string;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly isCompressed: boolean;
}

/** The largest answer, which tells how much of a message the collector took. */
const mostBytes = 4 * 1024 * 1024;
const prefixLength = 5;
const deadlineExceeded = 4;
const compress = promisify(gzip);

/** A call that did not succeed. */
class GrpcCallError extends Error {
  constructor(code: number, details: string) {
    super(`gRPC status ${code}: ${details}`);
    this.name = 'GrpcCallError';
  }
}

interface Connection {
  readonly session: ClientHttp2Session;
  /** How many calls wait for their answers. */
  calls: number;
}

export class GrpcTransport implements IExporterTransport {
  readonly #options: GrpcTransportOptions;
  /** The connection for the next call. */
  #connection: Connection | undefined;

  constructor(options: GrpcTransportOptions) {
    this.#options = options;
  }

  async send(data: Uint8Array, timeoutMillis: number): Promise<ExportResponse> {
    try {
      const message = framed(this.#options.isCompressed ? await compress(data) : data, this.#options.isCompressed);
      return { status: 'success', data: await this.#call(message, timeoutMillis) };
    } catch (error) {
      // The message of a stream that ended with its connection says little.
      const { cause } = error as Error;
      return { status: 'failure', error: cause instanceof Error ? cause : (error as Error) };
    }
  }

  shutdown(): void {
    this.#connection?.session.destroy();
    this.#connection = undefined;
  }

  async #call(message: Buffer, timeoutMs: number): Promise<Buffer> {
    const headers = await this.#headers(timeoutMs);
    const connection = this.#connected();
    const { session } = connection;
    connection.calls += 1;
    session.ref();
    try {
      return await answerOf(session.request(headers), message, timeoutMs);
    } catch (error) {
      // The next call finds out on a connection of its own whether the collector is there.
      this.#forget(connection);
      throw error;
    } finally {
      connection.calls -= 1;
      if (connection.calls === 0) {
        // An open connection alone does not keep the process.
        if (this.#connection === connection) session.unref();
        // A collector that is silent would not end it.
        else session.destroy();
      }
    }
  }

  #connected(): Connection {
    if (this.#connection !== undefined && !this.#connection.session.closed && !this.#connection.session.destroyed)
      return this.#connection;
    const { url, tls } = this.#options;
    const session = connect(url, tls && collectorTlsOptions(tls));
    const connection = { session, calls: 0 };
    // Each call gets the error, too.
    for (const event of ['error', 'goaway', 'close']) session.on(event, () => this.#forget(connection));
    this.#connection = connection;
    return connection;
  }

  #forget(connection: Connection): void {
    if (this.#connection === connection) this.#connection = undefined;
  }

  async #headers(timeoutMs: number): Promise<Readonly<Record<string, string>>> {
    const { path, headers, isCompressed } = this.#options;
    const given = Object.entries(await headers()).map(([name, value]) => [name.toLowerCase(), value]);
    return {
      ...Object.fromEntries(given),
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${Math.min(99_999_999, Math.max(1, Math.ceil(timeoutMs)))}m`,
      'user-agent': `writ/${buildInfo.version}`,
      ...(isCompressed && { 'grpc-encoding': 'gzip' }),
    };
  }
}

/** A message with the prefix of gRPC. */
function framed(message: Uint8Array, isCompressed: boolean): Buffer {
  const prefix = Buffer.alloc(prefixLength);
  prefix[0] = isCompressed ? 1 : 0;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Sends a message. Resolves with the answer's message; rejects with any other end of the call. */
function answerOf(stream: ClientHttp2Stream, message: Buffer, timeoutMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let ending: IncomingHttpHeaders = {};
    const fail = (error: Error) => {
      reject(error);
      stream.close(constants.NGHTTP2_CANCEL);
    };
    const timer = setTimeout(() => fail(new GrpcCallError(deadlineExceeded, 'Deadline exceeded')), timeoutMs);
    stream.on('response', (headers) => {
      ending = headers;
    });
    stream.on('trailers', (trailers) => {
      ending = { ...ending, ...trailers };
    });
    stream.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > mostBytes) fail(new Error(`the collector's answer is larger than ${mostBytes} bytes`));
      else chunks.push(chunk);
    });
    stream.on('error', reject);
    stream.on('close', () => {
      clearTimeout(timer);
      const complaint = complaintOf(ending);
      if (complaint === undefined) resolve(Buffer.concat(chunks).subarray(prefixLength));
      else reject(complaint);
    });
    stream.end(message);
  });
}

/** Why a call failed that ended with some headers. */
function complaintOf(ending: IncomingHttpHeaders): Error | undefined {
  const { ':status': status, 'grpc-status': code, 'grpc-message': details = '' } = ending;
  if (code === '0') return undefined;
  if (code !== undefined) return new GrpcCallError(Number(code), unescaped(String(details)));
  return new Error(
    status === undefined ? 'the collector ended the call' : `the collector answered HTTP ${status}, and no gRPC status`,
  );
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
