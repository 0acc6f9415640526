/** The end of a server's sockets. */
import type { Server as HttpServer } from 'node:http';
import type { Front } from './http-servers.js';

/** Accepts no more connections, and cuts off requests that have not ended in this time. */
export async function drain(
  server: HttpServer,
  { accepts, connections, close, end }: Front,
  graceMs: number,
): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    accepts.close(() => resolve());
  });
  server.closeIdleConnections();
  close();
  // No event reports that a connection has become idle.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => {
    server.closeAllConnections();
    end();
  }, graceMs);
  await Promise.all([closed, connections.none()]);
  clearInterval(idle);
  clearTimeout(cut);
}
