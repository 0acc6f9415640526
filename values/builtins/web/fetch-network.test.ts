import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { NetworkRequest } from '../host-network.js';
import { fetchNetwork } from './fetch-network.js';

let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (request.url === '/slow') return;
    if (request.url === '/moved') response.writeHead(302, { location: '/' }).end();
    else
      response
        .writeHead(200, { 'x-method': request.method!, 'x-cookie': request.headers.cookie ?? 'none' })
        .end(`${request.headers.custom}:${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const request = (path: string, more: Partial<NetworkRequest> = {}): NetworkRequest => ({
  method: 'GET',
  url: `${base}${path}`,
  headers: [['custom', 'a']],
  body: undefined,
  tls: undefined,
  socket: undefined,
  timeoutMs: 0,
  maxBodyBytes: 100,
  ...more,
});

const signal = new AbortController().signal;

test('a request has its method, headers and body, and its response too', async () => {
  const { statusCode, headers, body } = await fetchNetwork.request(
    request('/', { method: 'POST', body: new TextEncoder().encode('grün') }),
    signal,
  );
  expect([statusCode, new TextDecoder().decode(body), Object.fromEntries(headers)['x-method']]).toEqual([200, 'a:grün', 'POST']);
  const { statusCode: moved } = await fetchNetwork.request(request('/moved'), signal);
  // Node shows redirects; a page gets an error that says so.
  expect(moved).toBe(302);
});

test.each<[string, string, Partial<NetworkRequest>, RegExp]>([
  ['a response that is too large', '/', { method: 'POST', body: new Uint8Array(200) }, /larger than 100 bytes/],
  ['a time that ends', '/slow', { timeoutMs: 30 }, /timed out/],
  ['a time that is no whole number', '/slow', { timeoutMs: 30.5 }, /timed out/],
  ['settings of TLS', '/', { tls: {} as never }, /settings of TLS/],
  ['a Unix socket', '/', { socket: '/run/x' }, /Unix sockets/],
  ['nobody at the address', '/', { url: 'http://127.0.0.1:1/' }, /./],
])('%s is an error', async (_, path, more, message) => {
  const failed = fetchNetwork.request(request(path, more), signal);
  await expect(failed).rejects.toMatchObject({ name: 'NetworkError', message: expect.stringMatching(message) });
});

test('a request that is cancelled ends', async () => {
  const controller = new AbortController();
  const waiting = fetchNetwork.request(request('/slow'), controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'NetworkError', timedOut: false });
});

test('what the platform does not have is said', async () => {
  await expect(fetchNetwork.lookup('example.com', signal)).rejects.toThrow('looks up no names');
  expect(() => fetchNetwork.readFile('/etc/key')).toThrow('reads no files');
  expect(fetchNetwork.environment('HOME')).toBeUndefined();
  expect(fetchNetwork.checkKeyPair({ certificate: '', key: '' })).toContain('client certificates');
});
