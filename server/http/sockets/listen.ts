/** Sockets: TCP and Unix, with and without TLS, HTTP/1 and, without TLS, HTTP/2 on the same port. */
import { constants } from 'node:crypto';
import { chmodSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { createServer as createSecureServer, Server as SecureServer } from 'node:https';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { SecureContextOptions, SecureVersion } from 'node:tls';
import { getRequestListener } from '@hono/node-server';
import type { ServerApp } from '../app.js';
import type { NodeBindings } from '../exchange.js';
import { httpOnTls, looksLikeHttp, type ParserError, refusing, textOfParserError, wasRefused } from '../refusals.js';
import { withOldVersions } from './cipher-suites.js';
import { rememberChains } from './client-chain.js';
import { sortingServer } from './front.js';

export interface TlsOptions {
  readonly cert: string;
  readonly key: string;
  /** Those that client certificates are checked against; the system's if left out. */
  readonly ca?: string;
  /** Whether a client must show a certificate. */
  readonly requireClientCertificate: boolean;
  readonly minVersion: SecureVersion;
  /** Suites of TLS up to 1.2, in OpenSSL's words; Node's own if left out. */
  readonly ciphers?: string;
}

export interface ListenOptions {
  readonly tls?: TlsOptions | undefined;
  readonly h2c?: boolean;
  /** Octal digits, such as `755`. */
  readonly unixSocketPermissions?: string;
}

/** A socket that takes requests. */
export interface Listener {
  /** As it can be asked at: `http://127.0.0.1:8181`, `unix:///tmp/s`. */
  readonly url: string;
  /** Takes no more connections, lets requests end for so long, then cuts them off. */
  close(graceMs: number): Promise<void>;
  /** Other certificates for connections to come. */
  reloadTls(tls: TlsOptions): void;
}

/** Clients keep connections for later; they, not we, say when that ends, within reason. */
const keepAliveMs = 120_000;

/** A request's line and headers, as much as Go takes: queries and inputs stand in the line. */
const maxHeaderSize = 1024 * 1024;

/** An authorization policy sees all of them: with 50,000 it would keep others waiting for half a second. */
const maxHeadersCount = 10_000;

/** That a host must be named is checked with the rest of the request. */
const serverOptions = { maxHeaderSize, requireHostHeader: false };

/** @param address `host:port`, `:port`, an `http://`, `https://` or `unix://` URL. Rejects where it cannot be listened at. */
export async function listen(app: ServerApp, address: string, options: ListenOptions = {}): Promise<Listener> {
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings as unknown as NodeBindings), {
    overrideGlobalObjects: true,
    // HTTP/1.0 names no host, and those who look after health speak it.
    hostname: 'localhost',
  }) as RequestListener;
  const place = parseAddress(address, options.tls !== undefined);
  const checked = refusing(listener);
  const server = place.secure ? secureServer(checked, options.tls) : createServer({ ...serverOptions, keepAlive: true }, checked);
  server.maxHeadersCount = maxHeadersCount;
  server.keepAliveTimeout = keepAliveMs;
  // A request may take long to send; one that takes forever must not hold its socket forever.
  server.requestTimeout = 300_000;
  server.headersTimeout = 60_000;
  server.on('clientError', refuse);
  const front = frontOf(server, listener, place.secure, options.h2c === true);
  await bind(front.accepts, place);
  if (place.path !== undefined && isFile(place.path) && options.unixSocketPermissions !== undefined)
    chmodSync(place.path, Number.parseInt(options.unixSocketPermissions, 8));
  const port = (front.accepts.address() as AddressInfo | string | null) ?? '';
  const url =
    typeof port === 'string'
      ? `unix://${place.path?.replace('\0', '@')}`
      : `${place.secure ? 'https' : 'http'}://${place.host ?? hostText(port)}:${port.port}`;
  return {
    url,
    close: (graceMs) => drain(server, front.accepts, graceMs, front.end),
    reloadTls: (tls) => {
      if (server instanceof SecureServer) server.setSecureContext(contextOf(tls));
    },
  };
}

interface Place {
  readonly host?: string;
  readonly port?: number;
  readonly path?: string;
  readonly secure: boolean;
}

function parseAddress(address: string, hasTls: boolean): Place {
  // With an at sign it is a name in Linux's own namespace, not a file.
  if (address.startsWith('unix://')) return { path: address.slice('unix://'.length).replace(/^@/, '\0'), secure: false };
  const [, scheme, rest = address] = /^(https?):\/\/(.*)$/.exec(address) ?? [];
  const colon = rest.lastIndexOf(':');
  if (colon < 0 || !/^\d{1,5}$/.test(rest.slice(colon + 1))) throw new Error(`listen tcp: address ${address}: missing port in address`);
  if (Number(rest.slice(colon + 1)) > 65_535) throw new Error(`listen tcp: address ${rest.slice(colon + 1)}: invalid port`);
  const host = rest.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return { port: Number(rest.slice(colon + 1)), secure: scheme === undefined ? hasTls : scheme === 'https', ...(host !== '' && { host }) };
}

function hostText({ address, family }: AddressInfo): string {
  return family === 'IPv6' ? `[${address}]` : address;
}

function secureServer(listener: RequestListener, tls: TlsOptions | undefined): HttpServer {
  if (tls === undefined) throw new Error('https addresses need --tls-cert-file and --tls-private-key-file');
  const { requireClientCertificate: required } = tls;
  const options = { ...contextOf(tls), requestCert: required, rejectUnauthorized: required, ...serverOptions };
  const server = createSecureServer(options, listener);
  if (required) rememberChains(server);
  return server as unknown as HttpServer;
}

function contextOf({ cert, key, ca, minVersion, ciphers, requireClientCertificate }: TlsOptions): SecureContextOptions {
  const isOld = minVersion === 'TLSv1' || minVersion === 'TLSv1.1';
  const list = isOld ? withOldVersions(ciphers) : ciphers;
  // A session that is taken up again holds no more than the client's own certificate.
  const secureOptions = requireClientCertificate ? constants.SSL_OP_NO_TICKET : 0;
  return { cert, key, minVersion, secureOptions, ...(ca !== undefined && { ca }), ...(list !== undefined && { ciphers: list }) };
}

/** What is no HTTP is answered as Go answers it. */
function refuse(error: ParserError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else socket.end(wasRefused(socket) ? '' : textOfParserError(error));
}

/** What accepts connections, and ends those that are left. */
interface Front {
  readonly accepts: NetServer;
  readonly end: () => void;
}

function frontOf(server: HttpServer, listener: RequestListener, secure: boolean, h2c: boolean): Front {
  const end = () => undefined;
  if (secure) return { accepts: sortingServer((first) => (looksLikeHttp(first) ? httpOnTls : server)), end };
  return h2c ? withHttp2(server, listener) : { accepts: server, end };
}

function withHttp2(http1: HttpServer, listener: RequestListener): Front {
  const http2 = createHttp2({ settings: { maxHeaderListSize: maxHeaderSize }, maxHeaderListPairs: maxHeadersCount }, listener as never);
  const sessions = new Set<{ destroy(): void }>();
  http2.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  const preface = Buffer.from('PRI * HTTP/2.0');
  const isHttp2 = (first: Buffer) => first.subarray(0, preface.length).equals(preface.subarray(0, Math.min(preface.length, first.length)));
  const end = () => {
    for (const session of sessions) session.destroy();
  };
  return { accepts: sortingServer((first) => (isHttp2(first) ? http2 : http1)), end };
}

function bind(server: NetServer, { host, port, path }: Place): Promise<void> {
  if (path !== undefined && isFile(path)) removeStaleSocket(path);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const ready = () => {
      server.off('error', reject);
      // A connection that could not be taken is the client's trouble.
      server.on('error', () => undefined);
      resolve();
    };
    if (path !== undefined) server.listen(path, ready);
    else if (host === undefined) server.listen({ port }, ready);
    // As Go does: a name that stands for both is the IPv4 address.
    else server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, backlog: 4096 }, ready);
  });
}

function isFile(path: string): boolean {
  return !path.startsWith('\0');
}

/** A socket that a server left behind when it was killed is in the way of the next. */
function removeStaleSocket(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isSocket() === true) rmSync(path);
}

async function drain(server: HttpServer, accepts: NetServer, graceMs: number, end: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    accepts.close(() => resolve());
  });
  server.closeIdleConnections();
  // A connection becomes idle when its last request is answered, of which nobody is told.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => {
    server.closeAllConnections();
    end();
  }, graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
