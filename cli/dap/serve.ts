/** Where clients come from: the streams of the process, or connections to an address. */

import { createServer, type Server, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { Adapter } from './adapter.js';
import type { AdapterHost } from './host.js';
import { DapConnection } from './protocol/connection.js';

/** Clients at the same time; more are refused. */
const mostClients = 64;

/**
 * Serves one client.
 * @returns the reason why the connection was closed, if the client's bytes are one
 */
export function serveStreams(input: Readable, output: Writable, host: AdapterHost): Promise<string | undefined> {
  return new DapConnection(input, output, (connection) => new Adapter(connection, host)).closed;
}

export interface DebugAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `127.0.0.1:4712`, `:4712`, `4712` or `[::1]:4712`: without a host the loopback address.
 * Throws an Error for anything else.
 */
export function debugAddress(text: string): DebugAddress {
  const [, bracketed, plain, port] = /^(?:(?:\[([^\]]+)\]|([^:[\]]*)):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new Error(`${JSON.stringify(text)} is no address: give HOST:PORT, or PORT`);
  return { host: bracketed ?? (plain || '127.0.0.1'), port: Number(port) };
}

/** Whether only this machine can connect to a host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

export interface DebugListener {
  readonly address: DebugAddress;
  /** Ends all sessions. */
  close(): Promise<void>;
}

/**
 * Serves every client that connects, each with its own session. Rejects if the address cannot be
 * bound.
 * @param onFault told why a connection was closed
 */
export async function listenForClients(
  { host: name, port }: DebugAddress,
  host: AdapterHost,
  onFault: (reason: string) => void,
): Promise<DebugListener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
    void serveStreams(socket, socket, host).then((reason) => reason !== undefined && onFault(reason));
  });
  server.maxConnections = mostClients;
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, name, resolve));
  return { address: { host: name, port: portOf(server) }, close: () => close(server, sockets) };
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}
