/** The certificates that clients send when they connect. */
import type { X509Certificate } from 'node:crypto';
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';

const chains = new WeakMap<TLSSocket, readonly X509Certificate[]>();

/** The chain that a client has sent, its own certificate first; empty without one. */
export function clientChain(socket: TLSSocket): readonly X509Certificate[] {
  return chains.get(socket) ?? [];
}

/**
 * Remembers the chain of each connection. Only the first look at a connection sees it (Node's issue 65579), and Node itself takes one at the end of the
 * handshake; key log lines are the one sign of a handshake that comes before that.
 */
export function rememberChains(server: Server): void {
  const known = new WeakSet<TLSSocket>();
  server.on('keylog', (_line, socket) => {
    if (known.has(socket)) return;
    known.add(socket);
    socket.prependOnceListener('secure', () => chains.set(socket, chainOf(socket)));
  });
}

/** So many certificates of a chain count. */
const longest = 20;

function chainOf(socket: TLSSocket): readonly X509Certificate[] {
  const found: X509Certificate[] = [];
  for (let next = socket.getPeerX509Certificate(); next !== undefined && found.length < longest; next = next.issuerCertificate)
    found.push(next);
  return found;
}
