/** HTTP servers for tests: each records its requests and ends after the test. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from '../set-up/concurrent-tests.js';

interface SeenRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface TestServer {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** Ends the server and its connections, as a crash would. */
  readonly close: () => Promise<void>;
}

type Handler = (request: SeenRequest, response: ServerResponse) => void;

interface ServeOptions {
  /** Serves over TLS. */
  readonly tls?: ServerOptions;
  /** A free port by default. */
  readonly port?: number;
}

/** Starts a server. The handler runs once a request's body was read. */
export async function serve(handler: Handler, { tls, port = 0 }: ServeOptions = {}): Promise<TestServer> {
  const requests: SeenRequest[] = [];
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const seen = { method, path: url, headers, body: Buffer.concat(parts) };
      requests.push(seen);
      handler(seen, response);
    });
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const { port: own } = server.address() as AddressInfo;
  return { url: `http${tls === undefined ? '' : 's'}://127.0.0.1:${own}`, requests, close };
}
