/** The certificates that clients send when they connect. */
import type { X509Certificate } from 'node:crypto';
import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';

const chains = new WeakMap<TLSSocket, readonly X509Certificate[]>();

/** The chain that a client sent, beginning with its own certificate; empty without one. */
export function clientChain(socket: TLSSocket): readonly X509Certificate[] {
  return chains.get(socket) ?? [];
}

/**
 * Remembers the chain of each connection. Only the first read of a connection's chain is complete
 * (Node's issue 65579), and Node itself reads it at the end of the handshake. Key log lines are the
 * only event of a handshake before that.
 */
export function rememberChains(server: Server): void {
  const known = new WeakSet<TLSSocket>();
  server.on('keylog', (_line, socket) => {
    if (known.has(socket)) return;
    known.add(socket);
    socket.prependOnceListener('secure', () => chains.set(socket, chainOf(socket)));
  });
}

/** Further certificates of a chain are left out. */
const longest = 20;

function chainOf(socket: TLSSocket): readonly X509Certificate[] {
  const found: X509Certificate[] = [];
  for (
    let next = socket.getPeerX509Certificate();
    next !== undefined && found.length < longest;
    next = next.issuerCertificate
  )
    found.push(next);
  return found;
}
