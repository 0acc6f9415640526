import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { NetworkRequest } from '../host-network.js';
import { nodeNetwork } from './network.js';

/** A server that breaks each connection off at its second request. */
async function onceServer(secure = false) {
  const used = new WeakSet<Socket>();
  const methods: string[] = [];
  const listener: RequestListener = ({ socket, method }, response) => {
    methods.push(method!);
    if (used.has(socket)) socket.destroy();
    else response.end('answer');
    used.add(socket);
  };
  const pem = (name: string) => readFileSync(new URL(`../../../fixtures/tls/server.${name}`, import.meta.url));
  const server = secure ? createTlsServer({ cert: pem('pem'), key: pem('key') }, listener) : createServer(listener);
  return { methods, ...(await asking(server, secure)) };
}

/** A client of a server. */
async function asking(server: Server, secure = false) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const network = nodeNetwork({ keepsTls: true });
  onTestFinished(async () => {
    await network.close();
    server.close();
  });
  const url = `http${secure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const insecure = { authorities: [], systemAuthorities: false, clientCertificates: [], insecureSkipVerify: true, serverName: undefined };
  const tls = secure ? insecure : undefined;
  const ask = async (method: string, headers: NetworkRequest['headers'] = [], repeats?: boolean, limits: Partial<NetworkRequest> = {}) => {
    const more = { ...limits, ...(repeats !== undefined && { repeats }) };
    const request = { method, url, headers, body: undefined, tls, socket: undefined, timeoutMs: 10_000, maxBodyBytes: 1000, ...more };
    const { body } = await network.request(request, new AbortController().signal);
    return Buffer.from(body).toString();
  };
  return { ask };
}

test.each<readonly [string, NetworkRequest['headers']]>([
  ['GET', []],
  ['OPTIONS', []],
  ['POST', [['Idempotency-Key', '1']]],
])('a %s that meets a connection which the server has ended is sent on another one', async (method, headers) => {
  const { ask, methods } = await onceServer();
  for (let i = 0; i < 3; i++) expect(await ask(method, headers)).toBe('answer');
  expect(methods).toHaveLength(5);
});

test('a request that may have an effect is not sent again', async () => {
  const { ask, methods } = await onceServer();
  expect(await ask('POST')).toBe('answer');
  await expect(ask('POST')).rejects.toThrow('EOF');
  expect(methods).toHaveLength(2);
});

test.each([false, true])('any request may be sent again where the caller says so (TLS: %j)', async (secure) => {
  const { ask, methods } = await onceServer(secure);
  for (let i = 0; i < 4; i++) expect(await ask('POST', [], true)).toBe('answer');
  expect(methods).toHaveLength(7);
});

test('nothing is sent again behind the first byte of an answer', async () => {
  let requests = 0;
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      if (++requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nanswer');
      else socket.end('HTTP/1.1 20');
    });
  });
  const { ask } = await asking(server);
  expect(await ask('POST', [], true)).toBe('answer');
  await expect(ask('POST', [], true)).rejects.toThrow();
  expect(requests).toBe(2);
});

test('a new connection that the server ends without an answer is an error', async () => {
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections++;
    socket.once('data', () => socket.destroy());
  });
  const { ask } = await asking(server);
  await expect(ask('POST', [], true)).rejects.toThrow('EOF');
  expect(connections).toBe(1);
});

test('a server that ends each connection behind its answer fails no request', async () => {
  const { ask } = await asking(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nanswer'));
    }),
  );
  for (let i = 0; i < 200; i++) expect(await ask('POST', [], true)).toBe('answer');
});

test.each([
  ['timeoutMs', 1e12],
  ['headerTimeoutMs', 1e12],
  ['bodySilenceMs', 1e12],
])('a time limit that is too long for a timer is a long one: %s of %s', async (limit, milliseconds) => {
  const slow = createServer((_, response) => {
    response.write('a');
    setTimeout(() => response.end('b'), 50);
  });
  const { ask } = await asking(slow);
  expect(await ask('GET', [], undefined, { [limit]: milliseconds })).toBe('ab');
});
