/** Listens at an address: TCP or a Unix socket, with or without TLS, HTTP/1 and HTTP/2. */
import { chmodSync } from 'node:fs';
import { type Server as HttpServer, type RequestListener, ServerResponse } from 'node:http';
import { Server as SecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { ServerApp } from '../app.js';
import type { NodeBindings } from '../requests/exchange.js';
import { bind, isSocketFile, parseAddress, urlOf } from './address.js';
import { connectHandler } from './connect.js';
import { drain } from './drain.js';
import type { Front, ServerTlsOptions } from './http-servers.js';
import { http2Front, httpServer, plainFront, secureContext, tlsFront } from './http-servers.js';
import { inTurn } from './in-turn.js';
import { refusing } from './refusals.js';

export interface ListenOptions {
  readonly tls?: ServerTlsOptions | undefined;
  /** Whether to serve HTTP/2 without TLS. */
  readonly h2c?: boolean;
  /** Octal digits, such as `755`. */
  readonly unixSocketPermissions?: string;
  /**
   * Whether other processes serve the address too. `port`: each is bound to it, and the system
   * shares out connections. `passed`: another process accepts, and passes connections on.
   */
  readonly shared?: 'port' | 'passed' | undefined;
}

/** A socket that accepts requests. */
export interface Listener {
  /** A URL for requests: `http://127.0.0.1:8181`, `unix:///tmp/s`. */
  readonly url: string;
  /** Accepts no more connections, and cuts off requests that have not ended in this time. */
  close(graceMs: number): Promise<void>;
  /** Takes a connection that another process has accepted. */
  take(socket: Socket): void;
  /** Uses other certificates for later connections. */
  reloadTls(tls: ServerTlsOptions): void;
}

/** @param address as `parseAddress` reads it. Rejects where it cannot be bound. */
export async function listen(app: ServerApp, address: string, options: ListenOptions = {}): Promise<Listener> {
  const listener = getRequestListener((request, bindings) => app.fetch(request, bindings as unknown as NodeBindings), {
    overrideGlobalObjects: true,
    // Requests of HTTP/1.0 name no host, and some health checks send them.
    hostname: 'localhost',
  }) as RequestListener;
  const place = parseAddress(address, options.tls !== undefined);
  if (place.secure && options.tls === undefined)
    throw new Error('https addresses need --tls-cert-file and --tls-private-key-file');
  const connect = connectHandler(app);
  const handler = inTurn((incoming, response) =>
    (incoming.method === 'CONNECT' ? connect : listener)(incoming, response),
  );
  const server = httpServer(refusing(handler), place.secure ? options.tls : undefined);
  server.on('connect', (incoming) => handler(incoming, new ServerResponse(incoming)));
  const front = frontOf(server, listener, place.secure, options.h2c === true);
  const isPassed = options.shared === 'passed';
  // Before this event, Node's server has no list of its connections and no time limits of requests.
  if (isPassed || front.accepts !== server) server.emit('listening');
  if (!isPassed) await bind(front.accepts, place, options.shared === 'port');
  if (!isPassed && isSocketFile(place) && options.unixSocketPermissions !== undefined) {
    chmodSync(place.path!, Number.parseInt(options.unixSocketPermissions, 8));
  }
  return {
    url: isPassed ? address : urlOf(front.accepts, place),
    take: (socket) => void front.accepts.emit('connection', socket),
    close: (graceMs) => drain(server, front, graceMs),
    reloadTls: (tls) => {
      if (server instanceof SecureServer) server.setSecureContext(secureContext(tls));
    },
  };
}

function frontOf(server: HttpServer, listener: RequestListener, secure: boolean, h2c: boolean): Front {
  if (secure) return tlsFront(server);
  return h2c ? http2Front(server, listener) : plainFront(server);
}
