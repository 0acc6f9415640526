import { readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/disk.js';
import type { NetworkRequest } from '../host-network.js';
import { nodeNetwork } from './network.js';
import { proxyFor } from './proxy.js';

test.each<readonly [url: string, noProxy: string, proxied: boolean]>([
  ['http://example.com/', '', true],
  ['http://localhost:81/', '', false],
  ['http://127.0.0.1/', '', false],
  ['http://127.8.8.8/', '', false],
  ['http://[::1]:81/', '', false],
  ['http://example.com/', '*', false],
  ['http://example.com/', 'other.com, example.com', false],
  ['http://EXAMPLE.com/', 'Example.com', false],
  ['http://a.example.com/', 'example.com', false],
  ['http://notexample.com/', 'example.com', true],
  ['http://a.example.com/', '.example.com', false],
  ['http://example.com/', '.example.com', true],
  ['http://a.example.com/', '*.example.com', false],
  ['http://example.com/', 'example.com:80', false],
  ['http://example.com:81/', 'example.com:80', true],
  ['http://10.1.2.3/', '10.1.2.3', false],
  ['http://10.1.2.3/', '10.1.0.0/16', false],
  ['http://10.2.2.3/', '10.1.0.0/16', true],
  ['http://10.1.2.3/', '2.3', true],
  ['http://10.1.2.3:81/', '10.1.2.3:80', true],
  ['http://[fd00::1]/', 'fd00::1', false],
  ['http://[fd00::1]:81/', '[fd00::1]:81', false],
  ['http://[fd00::1]:82/', '[fd00::1]:81', true],
  ['http://[fd00::1]/', '[fd00::1]', false],
  ['http://[fd00::1:2]/', 'fd00::1:2', false],
  ['http://[fd00::1]/', 'fd00::1:80', true],
  ['http://[fd00::1]/', 'fd00:0:0::1', false],
  ['http://[fd00::1]/', 'fd00::/8', false],
  ['http://example.com/', 'a/b, ,:80', true],
])('%s with NO_PROXY=%s', (url, noProxy, isProxied) => {
  expect(proxyFor(new URL(url), { HTTP_PROXY: 'http://proxy:3128', NO_PROXY: noProxy })).toBe(isProxied ? 'http://proxy:3128' : undefined);
});

test('each scheme has a variable, in capitals or not', () => {
  const environment = { http_proxy: 'http://a:1', HTTPS_PROXY: 'https://b:2', https_proxy: 'c:3', no_proxy: 'x.com' };
  expect(['http://e.com', 'https://e.com', 'https://x.com'].map((url) => proxyFor(new URL(url), environment))).toEqual([
    'http://a:1',
    'https://b:2',
    undefined,
  ]);
  expect(proxyFor(new URL('http://e.com'), { HTTP_PROXY: 'p:1' })).toBe('http://p:1');
  expect(proxyFor(new URL('http://e.com'), {})).toBeUndefined();
});

test.each(['socks5://user:secret@p:1', 'http://', 'http://a b'])('the proxy %s cannot be used', (proxy) => {
  expect(() => proxyFor(new URL('http://e.com'), { HTTP_PROXY: proxy })).toThrow('proxyconnect: HTTP_PROXY has no URL of http or https');
});

afterEach(() => void vi.unstubAllEnvs());

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy that leads all requests to one port of this machine, and notes what it is asked. */
async function proxyTo(port: number) {
  const asked: string[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization']}`);
    const { pathname } = new URL(incoming.url!);
    incoming.pipe(
      request(
        { port, host: '127.0.0.1', path: pathname, method: incoming.method, headers: incoming.headers },
        (answer) => void answer.pipe(outgoing),
      ),
    );
  });
  server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url} ${incoming.headers['proxy-authorization']}`);
    const other = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(other).pipe(socket);
    });
    for (const end of [socket, other]) end.on('error', () => undefined);
  });
  return { url: `http://user:secret@127.0.0.1:${await listening(server)}`, asked };
}

const authorization = `Basic ${Buffer.from('user:secret').toString('base64')}`;
const pem = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');

function asking(url: string, more: Partial<NetworkRequest> = {}): Promise<string> {
  const network = nodeNetwork();
  onTestFinished(() => network.close());
  const sent = {
    method: 'POST',
    url,
    headers: [],
    body: Buffer.from('x'),
    tls: undefined,
    socket: undefined,
    timeoutMs: 10_000,
    maxBodyBytes: 1000,
  };
  return network.request({ ...sent, ...more }, new AbortController().signal).then(({ body }) => Buffer.from(body).toString());
}

test('requests go through the proxy of the environment', async () => {
  const target = createServer((incoming, outgoing) => void outgoing.end(`${incoming.headers.host} ${incoming.url}`));
  const { url, asked } = await proxyTo(await listening(target));
  vi.stubEnv('HTTP_PROXY', url);
  expect(await asking('http://service.test:81/a')).toBe('service.test:81 /a');
  expect(asked).toEqual([`POST http://service.test:81/a ${authorization}`]);
});

test('requests over TLS go through a tunnel, with the same checks of certificates', async () => {
  const target = createTlsServer(
    { cert: pem('server.pem'), key: pem('server.key') },
    (incoming, outgoing) => void outgoing.end(incoming.url),
  );
  const { url, asked } = await proxyTo(await listening(target));
  vi.stubEnv('HTTPS_PROXY', url);
  const authorities = [pem('authority.pem')];
  const tls = { authorities, systemAuthorities: false, clientCertificates: [], insecureSkipVerify: false, serverName: undefined };
  expect(await asking('https://service.test/a', { tls })).toBe('/a');
  expect(asked).toEqual([`CONNECT service.test:443 ${authorization}`]);
  const failure = 'tls: failed to verify certificate';
  await expect(asking('https://other.test/', { tls })).rejects.toThrow(failure);
  await expect(asking('https://service.test/', { tls: { ...tls, authorities: [] } })).rejects.toThrow(failure);
});

test('this machine is asked without the proxy, and so are Unix sockets', async () => {
  const target = createServer((incoming, outgoing) => void outgoing.end(incoming.url));
  const port = await listening(target);
  const socket = join(temporaryDirectory(), 's');
  await new Promise<void>((resolve) =>
    createServer((_, outgoing) => void outgoing.end('s'))
      .listen(socket, resolve)
      .unref(),
  );
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
  expect(await asking(`http://127.0.0.1:${port}/a`)).toBe('/a');
  expect(await asking('http://service.test/', { socket })).toBe('s');
});

test('a proxy that is down is an error', async () => {
  vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
  await expect(asking('http://service.test/')).rejects.toThrow('connection refused');
});
