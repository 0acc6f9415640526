/** Addresses of the command line, and sockets bound to them. */

import { rmSync, statSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { systemProblem } from '../../../values/node.js';

/** An address that a server can be bound to. */
interface Address {
  readonly host?: string;
  readonly port?: number;
  /** The path of a Unix socket; it begins with a null byte in Linux's abstract namespace. */
  readonly path?: string;
  /** Whether connections use TLS. */
  readonly secure: boolean;
}

/**
 * Reads `host:port`, `:port`, or an `http://`, `https://` or `unix://` URL. Throws an Error.
 * @param hasTls whether an address without a scheme uses TLS
 */
export function parseAddress(text: string, hasTls: boolean): Address {
  // `unix://@name` is a name in Linux's abstract namespace, not a file.
  if (text.startsWith('unix://')) return { path: text.slice('unix://'.length).replace(/^@/, '\0'), secure: false };
  const [, scheme, rest = text] = /^(https?):\/\/(.*)$/.exec(text) ?? [];
  const colon = rest.lastIndexOf(':');
  const port = rest.slice(colon + 1);
  if (colon < 0 || !/^\d{1,5}$/.test(port)) throw new Error(`listen tcp: address ${text}: missing port in address`);
  if (Number(port) > 65_535) throw new Error(`listen tcp: address ${port}: invalid port`);
  const host = rest.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  return {
    port: Number(port),
    secure: scheme === undefined ? hasTls : scheme === 'https',
    ...(host !== '' && { host }),
  };
}

/** The URL of a bound server: `http://127.0.0.1:8181`, `unix:///tmp/s`. */
export function urlOf(server: Server, { host, path, secure }: Address): string {
  const bound = server.address() as AddressInfo | string | null;
  if (bound === null || typeof bound === 'string') return `unix://${path?.replace('\0', '@')}`;
  const shown = host ?? (bound.family === 'IPv6' ? `[${bound.address}]` : bound.address);
  return `${secure ? 'https' : 'http'}://${shown}:${bound.port}`;
}

/** Whether the address is a Unix socket that is a file. */
export function isSocketFile({ path }: Address): boolean {
  return path !== undefined && !path.startsWith('\0');
}

/**
 * Binds a server to an address. Rejects with an Error that says what to do.
 * @param reusePort whether other processes may bind to it too; the system shares out connections
 */
export function bind(server: Server, address: Address, reusePort = false): Promise<void> {
  const { host, port, path } = address;
  if (isSocketFile(address)) removeStaleSocket(path!);
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(bindError(error, address));
    server.once('error', refuse);
    const ready = () => {
      server.off('error', refuse);
      // An error after this concerns one connection, whose client notices it.
      server.on('error', () => undefined);
      resolve();
    };
    if (path !== undefined) server.listen(path, ready);
    else if (host === undefined) server.listen({ port, reusePort }, ready);
    // As in Go, `localhost` is the IPv4 address.
    else server.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, backlog: 4096, reusePort }, ready);
  });
}

const bindProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the address is in use by another program: choose another, or end that program',
  EACCES: 'permission denied: choose a port of 1024 or more',
  EPERM: 'permission denied: choose a port of 1024 or more',
  EADDRNOTAVAIL: 'no network interface of this machine has the address: choose another, such as 127.0.0.1 or 0.0.0.0',
  ENOTFOUND: 'there is no such host: choose the address of a network interface, such as 127.0.0.1 or 0.0.0.0',
};

function isDenied({ code = '' }: NodeJS.ErrnoException): boolean {
  return code === 'EACCES' || code === 'EPERM' || code === 'ENOENT';
}

/** The failure to bind, with its cure; the system's error is the cause. */
function bindError(error: NodeJS.ErrnoException, { host = '', port, path }: Address): Error {
  const shown =
    path === undefined ? `${host.includes(':') ? `[${host}]` : host}:${port}` : `unix://${path.replace('\0', '@')}`;
  // The system denies a socket whether its directory is missing or closed.
  const problem =
    path !== undefined && isDenied(error)
      ? 'its directory does not exist or may not be written to'
      : bindProblems[error.code ?? ''];
  return new Error(`cannot listen on ${shown}: ${problem ?? systemProblem(error)}`, { cause: error });
}

/** Removes the socket of a server that was killed: it would keep another from being bound. */
function removeStaleSocket(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isSocket() === true) rmSync(path);
}
