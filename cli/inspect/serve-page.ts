/** Serves the inspector's page on the loopback interface until the command is interrupted. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Io } from '../io.js';
import { isLocalHost } from '../server/local-address.js';

/** @param ended resolves when the page is no longer wanted; by default after an interrupt */
export async function servePage(html: string, io: Io, ended: Promise<void> = interrupted()): Promise<void> {
  const server = createServer((request, response) => {
    const status = !isLocalHost(request.headers.host)
      ? 403
      : request.url?.split('?')[0] !== '/'
        ? 404
        : request.method === 'GET' || request.method === 'HEAD'
          ? 200
          : 405;
    response.writeHead(status, {
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    response.end(status === 200 && request.method === 'GET' ? html : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  io.stdout(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
  await ended;
  server.closeAllConnections();
  server.close();
}

async function interrupted(): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
