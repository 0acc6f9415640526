/** A gRPC server over HTTP/2 without TLS: unary calls, and streams of a few messages. */
import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:http2';
import type { Socket } from 'node:net';
import { GrpcCall } from './grpc-call.js';
import { ArrivingBytes, acceptedEncodings, GrpcMessageReader } from './grpc-messages.js';
import { GrpcError, grpcCodes } from './grpc-status.js';

/**
 * Answers the one message of a call. What it throws other than a GrpcError is unknown to clients.
 */
type UnaryMethod = (message: Buffer, call: GrpcCall) => Uint8Array | Promise<Uint8Array>;

/** Answers each message of a call as it comes. */
type StreamMethod = (message: Buffer, call: GrpcCall) => Promise<void> | undefined;

export type Method =
  | { readonly kind: 'unary'; readonly answer: UnaryMethod }
  /** @param endsWithClient whether the call ends when the client has sent its last message */
  | { readonly kind: 'stream'; readonly answer: StreamMethod; readonly endsWithClient: boolean };

/** Methods by name, by the service's name with its package. */
export type GrpcServices = ReadonlyMap<string, ReadonlyMap<string, Method>>;

interface GrpcLimits {
  /** Bytes of one message of a client. */
  readonly mostReceived: number;
  /** Bytes of one answer. */
  readonly mostSent: number;
  /** Milliseconds in which a message must arrive. */
  readonly arrivalMs?: number;
}

/** The most calls of one connection. A client with more waits, or opens another connection. */
const mostStreams = 1000;
/** The most bytes of messages that are arriving, of all calls. */
const mostArriving = 256 * 1024 * 1024;
const defaultArrivalMs = 60_000;
/** A connection on which nothing comes is asked after this time whether it is alive. */
const keepAliveMs = 60_000;
const maxHeaderListSize = 64 * 1024;

export class GrpcServer {
  /** Bind it to an address, or give it connections by its event `connection`. */
  readonly server: Http2Server;
  readonly #services: GrpcServices;
  readonly #limits: GrpcLimits;
  readonly #report: (error: Error) => void;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #arriving = new ArrivingBytes(mostArriving);
  /** Calls whose messages have not arrived, by their start. */
  readonly #waiting = new Map<ServerHttp2Stream, number>();
  readonly #arrivalMs: number;
  readonly #sweep: NodeJS.Timeout;

  /** @param report gets errors of this program, which clients are not told */
  constructor(services: GrpcServices, limits: GrpcLimits, report: (error: Error) => void) {
    this.#services = services;
    this.#limits = limits;
    this.#report = report;
    this.server = createServer({ settings: { maxConcurrentStreams: mostStreams, maxHeaderListSize } });
    this.server.on('session', (session) => {
      this.#sessions.add(session);
      session.on('close', () => this.#sessions.delete(session));
      // A connection that breaks has ended.
      session.on('error', () => undefined);
    });
    this.server.on('sessionError', () => undefined);
    // A gateway whose machine is gone never says so, and its watches would stay.
    this.server.on('connection', (socket: Socket) => socket.setKeepAlive(true, keepAliveMs));
    this.server.on('stream', (stream, headers) => this.#accept(stream, headers));
    this.#arrivalMs = limits.arrivalMs ?? defaultArrivalMs;
    this.#sweep = setInterval(() => this.#endLate(), this.#arrivalMs / 10);
    this.#sweep.unref();
  }

  #accept(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    stream.on('error', () => undefined);
    // The client has reset it already: Node ends a connection with too many of these.
    if (stream.destroyed) return;
    if (headers[':method'] !== 'POST') return refuse(stream, 405);
    if (!isGrpc(headers['content-type'])) return refuse(stream, 415);
    try {
      const call = new GrpcCall(stream, headers);
      this.#read(stream, call, String(headers[':path']), String(headers['grpc-encoding'] ?? 'identity'));
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      new GrpcCall(stream, {}).fail(error.code, error.message, { 'grpc-accept-encoding': acceptedEncodings });
    }
  }

  #read(stream: ServerHttp2Stream, call: GrpcCall, path: string, encoding: string): void {
    const method = this.#methodAt(path);
    const reader = new GrpcMessageReader(encoding, this.#limits.mostReceived, this.#arriving);
    let answering: Promise<void> | undefined;
    this.#waiting.set(stream, call.started);
    const fail = (error: unknown) => {
      reader.close();
      this.#waiting.delete(stream);
      this.#fail(call, error);
    };
    const answered = (message: Buffer) => this.#answer(method, message, call);
    stream.on('data', (chunk: Buffer) => {
      if (call.hasEnded) return;
      try {
        reader.add(chunk);
        if (method.kind === 'stream') {
          for (let message = reader.next(); message !== undefined; message = reader.next()) {
            const next = message;
            // Messages wait for each other, and the client for all of them.
            stream.pause();
            answering = Promise.resolve(answering)
              .then(async () => await answered(await next))
              .then(() => void stream.resume(), fail);
            this.#waiting.delete(stream);
          }
        } else if (reader.beyond > 0) throw new GrpcError(grpcCodes.internal, 'the call has more than one message');
      } catch (error) {
        fail(error);
      }
    });
    stream.on('end', () => {
      this.#waiting.delete(stream);
      if (call.hasEnded) return;
      if (method.kind === 'stream') {
        if (method.endsWithClient) void Promise.resolve(answering).then(() => call.close());
        return;
      }
      try {
        const message = reader.next();
        if (message === undefined) throw new GrpcError(grpcCodes.internal, 'the call has no whole message');
        const done = message instanceof Promise ? message.then(answered) : answered(message);
        if (done instanceof Promise) done.catch(fail);
      } catch (error) {
        fail(error);
      }
    });
    stream.on('close', () => {
      reader.close();
      this.#waiting.delete(stream);
    });
  }

  #answer(method: Method, message: Buffer, call: GrpcCall): Promise<void> | undefined {
    if (method.kind === 'stream') return method.answer(message, call);
    const answer = method.answer(message, call);
    if (answer instanceof Promise) return answer.then((bytes) => this.#finish(call, bytes));
    this.#finish(call, answer);
    return undefined;
  }

  #finish(call: GrpcCall, answer: Uint8Array): void {
    const { mostSent } = this.#limits;
    if (answer.length > mostSent)
      throw new GrpcError(
        grpcCodes.resourceExhausted,
        `grpc: trying to send message larger than max (${answer.length} vs. ${mostSent})`,
      );
    call.finish(answer);
  }

  #fail(call: GrpcCall, error: unknown): void {
    if (error instanceof GrpcError) call.fail(error.code, error.message);
    else {
      this.#report(error as Error);
      call.fail(grpcCodes.unknown, 'internal error');
    }
  }

  #methodAt(path: string): Method {
    const [, service, name = ''] = /^\/([^/]+)\/(.*)$/.exec(path) ?? [];
    if (service === undefined)
      throw new GrpcError(grpcCodes.unimplemented, `malformed method name: ${JSON.stringify(path)}`);
    const methods = this.#services.get(service);
    if (methods === undefined) throw new GrpcError(grpcCodes.unimplemented, `unknown service ${service}`);
    const method = methods.get(name);
    if (method === undefined)
      throw new GrpcError(grpcCodes.unimplemented, `unknown method ${name} for service ${service}`);
    return method;
  }

  #endLate(): void {
    const late = performance.now() - this.#arrivalMs;
    for (const [stream, started] of this.#waiting) {
      if (started > late) return;
      this.#waiting.delete(stream);
      stream.close();
    }
  }

  /**
   * Takes no more calls, answers open ones within `graceMs`, and resolves when all connections are
   * closed.
   */
  async close(graceMs: number): Promise<void> {
    clearInterval(this.#sweep);
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      // Without a listening socket there is nothing to wait for but connections.
      if (!this.server.listening) resolve();
    });
    const ended = [...this.#sessions].map(
      (session) => new Promise<void>((resolve) => session.once('close', () => resolve())),
    );
    for (const session of this.#sessions) session.close();
    const cut = setTimeout(() => {
      for (const session of this.#sessions) session.destroy();
    }, graceMs);
    await Promise.all([closed, ...ended]);
    clearTimeout(cut);
  }
}

/** `application/grpc`, or with the one format that is spoken here. */
function isGrpc(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/grpc(?:\+proto)?(?:\s*;|$)/i.test(contentType);
}

function refuse(stream: ServerHttp2Stream, status: number): void {
  stream.respond({ ':status': status }, { endStream: true });
  stream.close();
}
