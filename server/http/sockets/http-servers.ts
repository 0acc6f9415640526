/** Node's servers of HTTP/1, HTTP/2 and HTTPS, with the limits of this one. */

import { constants } from 'node:crypto';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createHttp2, type Http2Server, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import type { Server as NetServer, Server, Socket } from 'node:net';
import type { SecureContextOptions, SecureVersion } from 'node:tls';
import { withOldVersions } from './cipher-suites.js';
import { rememberChains } from './client-chain.js';
import { sortingServer } from './front.js';
import { httpOnTls, looksLikeHttp, type ParserError, textOfParserError, wasRefused } from './refusals.js';

export interface ServerTlsOptions {
  readonly cert: string;
  readonly key: string;
  /** Authorities to check client certificates with; the system's if left out. */
  readonly ca?: string;
  /** Whether a client must show a certificate. */
  readonly requireClientCertificate: boolean;
  readonly minVersion: SecureVersion;
  /** Suites of TLS up to 1.2, by OpenSSL's names; Node's own if left out. */
  readonly ciphers?: string;
}

/** Clients keep connections for later requests, and close them before this time. */
const keepAliveMs = 120_000;

/** The longest time for a request's line and headers, as in the reference. */
const headersMs = 32_000;

/** The longest request line with headers, as in Go: queries and inputs are in the line. */
const maxHeaderSize = 1024 * 1024;

/**
 * An authorization policy sees all headers: 50,000 would keep other requests waiting for half a
 * second.
 */
const maxHeadersCount = 10_000;

/** The rest of the request's checks include the one for a host. */
const serverOptions = { maxHeaderSize, requireHostHeader: false, connectionsCheckingInterval: headersMs / 8 };

/** A server of HTTP/1, with TLS where its options are given. */
export function httpServer(listener: RequestListener, tls: ServerTlsOptions | undefined): HttpServer {
  const server =
    tls === undefined ? createServer({ ...serverOptions, keepAlive: true }, listener) : secureServer(listener, tls);
  server.maxHeadersCount = maxHeadersCount;
  server.keepAliveTimeout = keepAliveMs;
  // A request may take long to arrive, but not forever.
  server.requestTimeout = 300_000;
  server.headersTimeout = headersMs;
  server.on('clientError', refuse);
  return server;
}

function secureServer(listener: RequestListener, tls: ServerTlsOptions): HttpServer {
  const { requireClientCertificate: required } = tls;
  const options = { ...secureContext(tls), requestCert: required, rejectUnauthorized: required, ...serverOptions };
  const server = createSecureServer(options, listener);
  if (required) rememberChains(server);
  return server as unknown as HttpServer;
}

/** The part of the TLS options that a running server can replace. */
export function secureContext({
  cert,
  key,
  ca,
  minVersion,
  ciphers,
  requireClientCertificate,
}: ServerTlsOptions): SecureContextOptions {
  const isOld = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  const list = isOld ? withOldVersions(ciphers) : ciphers;
  // A resumed session would hold only the client's own certificate of its chain.
  const secureOptions = requireClientCertificate ? constants.SSL_OP_NO_TICKET : 0;
  return {
    cert,
    key,
    minVersion,
    secureOptions,
    ...(ca !== undefined && { ca }),
    ...(list !== undefined && { ciphers: list }),
  };
}

/** Answers bytes that are not HTTP as Go does. */
function refuse(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else socket.end(wasRefused(socket) ? '' : textOfParserError(error));
}

/** The server that accepts connections for another. */
export interface Front {
  readonly accepts: NetServer;
  readonly connections: OpenConnections;
  /** Ends connections of its own once they have no requests. */
  readonly close: () => void;
  /** Ends them at once. */
  readonly end: () => void;
}

export function plainFront(server: HttpServer): Front {
  return { accepts: server, connections: new OpenConnections(server), close: () => undefined, end: () => undefined };
}

/** For TLS: answers a client that speaks HTTP without it. */
export function tlsFront(server: HttpServer): Front {
  const sorting = sortingServer((first) => (looksLikeHttp(first) ? httpOnTls : server));
  return { ...sorting, connections: new OpenConnections(sorting.accepts), close: () => undefined };
}

/**
 * A client may send thousands of requests in one piece, and reset each at once: those are not
 * looked at. Node ends a connection with too many of them.
 */
function passOverReset(server: Http2Server): void {
  const listeners = server.listeners('stream') as ((stream: ServerHttp2Stream, ...rest: unknown[]) => void)[];
  server.removeAllListeners('stream');
  server.on('stream', (stream, ...rest) => {
    if (stream.destroyed) stream.on('error', () => undefined);
    else for (const listener of listeners) listener(stream, ...rest);
  });
}

/** Serves HTTP/2 beside HTTP/1, both without TLS. */
export function http2Front(http1: HttpServer, listener: RequestListener): Front {
  const http2 = createHttp2(
    { settings: { maxHeaderListSize: maxHeaderSize }, maxHeaderListPairs: maxHeadersCount },
    listener as never,
  );
  passOverReset(http2);
  const sessions = new Set<Pick<Http2Session, 'close' | 'destroy'>>();
  http2.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  const preface = Buffer.from('PRI * HTTP/2.0');
  const isHttp2 = (first: Buffer) =>
    first.subarray(0, preface.length).equals(preface.subarray(0, Math.min(preface.length, first.length)));
  const sorting = sortingServer((first) => (isHttp2(first) ? http2 : http1));
  return {
    accepts: sorting.accepts,
    connections: new OpenConnections(sorting.accepts),
    close: () => {
      for (const session of sessions) session.close();
    },
    end: () => {
      for (const session of sessions) session.destroy();
      sorting.end();
    },
  };
}

/**
 * The open connections of a server: Node's count leaves out those that another process accepts and
 * passes on.
 */
class OpenConnections {
  #count = 0;
  #whenNone: (() => void) | undefined;

  constructor(accepts: Server) {
    accepts.on('connection', (socket: Socket) => {
      this.#count++;
      socket.once('close', () => {
        this.#count--;
        if (this.#count === 0) this.#whenNone?.();
      });
    });
  }

  /** Resolves once there are none. */
  async none(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenNone = resolve;
    });
  }
}
