import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, constants } from 'node:http2';
import { Agent } from 'node:https';
import { connect as connectTcp, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { testServer } from '../../../test/harness/server/app.js';
import { metricsText } from '../../services/metrics/prometheus.js';
import { createApp, type ServerApp } from '../app.js';
import { httpServer } from './http-servers.js';
import { type ListenOptions, listen } from './listen.js';

const policies = { 'p.rego': 'package p\n\nx := 1\n' };
const h2c = { h2c: true };
const pem = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const tls = { cert: pem('server.pem'), key: pem('server.key'), requireClientCertificate: false, minVersion: 'TLSv1.2' as const };

function getOverHttp1(options: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({ path: '/v1/data/p/x', agent: false, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve(text));
    });
    sent.on('error', reject).end();
  });
}

test('a Unix socket is made with its permissions, over one that was left behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'writ-listen-'));
  const path = join(folder, 's.sock');
  const { app } = await testServer({ policies });
  try {
    const left = createServer().listen(path);
    await once(left, 'listening');
    const listener = await listen(app, `unix://${path}`, { unixSocketPermissions: '700' });
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(await getOverHttp1({ socketPath: path })).toBe('{"result":1}\n');
    await listener.close(0);
    left.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a client has 32 seconds for the headers of a request', () => {
  const server = httpServer(() => undefined, undefined);
  expect([server.headersTimeout, server.requestTimeout]).toEqual([32_000, 300_000]);
});

test('a file that is no socket is not removed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'writ-listen-'));
  const path = join(folder, 'file');
  writeFileSync(path, 'mine');
  const { app } = await testServer();
  await expect(listen(app, `unix://${path}`)).rejects.toThrow('is in use by another program');
  expect(statSync(path).size).toBe(4);
  rmSync(folder, { recursive: true });
});

test('HTTP/2 without TLS shares its port with HTTP/1', async () => {
  const { app } = await testServer({ policies });
  const listener = await listen(app, '127.0.0.1:0', { h2c: true });
  const { port } = new URL(listener.url);
  expect(await getOverHttp1({ port, host: '127.0.0.1' })).toBe('{"result":1}\n');
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({ ':path': '/v1/data/p/x' });
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await once(stream, 'end');
  expect(text).toBe('{"result":1}\n');
  session.close();
  await listener.close(0);
});

test('requests of HTTP/2 that are reset in the same piece are not handled, and thousands end the connection', async () => {
  const { app } = await testServer({ policies });
  let handled = 0;
  const counting: typeof app = {
    ...app,
    fetch(...args) {
      handled++;
      return app.fetch(...args);
    },
  };
  const listener = await listen(counting, '127.0.0.1:0', h2c);
  const { port } = new URL(listener.url);
  const socket = connectTcp(Number(port), '127.0.0.1').on('error', () => undefined);
  const closed = once(socket, 'close');
  const received: Buffer[] = [];
  socket.on('data', (bytes) => void received.push(bytes));
  const requests = Array.from({ length: 5000 }, (_, i) => [
    frame(headersFrame, 2 * i + 1, Buffer.from([0x82, 0x86, 0x84, 0x01, 1, 0x78])),
    frame(resetFrame, 2 * i + 1, Buffer.from([0, 0, 0, constants.NGHTTP2_CANCEL])),
  ]);
  socket.write(
    Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(settingsFrame, 0, Buffer.alloc(0)), ...requests.flat()]),
  );
  await closed;
  // A request may be handled where its reset comes in the next piece.
  expect(handled).toBeLessThan(100);
  expect(frameTypes(Buffer.concat(received))).toContain(goawayFrame);
  expect(await getOverHttp1({ port, host: '127.0.0.1' })).toBe('{"result":1}\n');
  await listener.close(0);
});

const headersFrame = 1;
const resetFrame = 3;
const settingsFrame = 4;
const goawayFrame = 7;

/** A frame of HTTP/2; one of headers ends both headers and request. */
function frame(type: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = type === headersFrame ? constants.NGHTTP2_FLAG_END_STREAM | constants.NGHTTP2_FLAG_END_HEADERS : 0;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

function frameTypes(bytes: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) types.push(bytes[at + 3]!);
  return types;
}

describe('closing', () => {
  const neverMs = 2 ** 30;

  test.each([
    ['of HTTP/1', {}],
    ['of HTTP/1 beside HTTP/2', { h2c: true }],
  ])('waits for no connection %s without a request', async (_which, options) => {
    const { app } = await testServer({ policies });
    const listener = await listen(app, '127.0.0.1:0', options);
    const socket = connectTcp(Number(new URL(listener.url).port), '127.0.0.1');
    socket.setEncoding('utf8').write('GET /v1/data/p/x HTTP/1.1\r\nHost: writ\r\n\r\n');
    let answer = '';
    while (!answer.endsWith('{"result":1}\n')) answer += String((await once(socket, 'data'))[0]);
    await Promise.all([listener.close(neverMs), once(socket, 'close')]);
  });

  test('waits for no idle session of HTTP/2', async () => {
    const { app } = await testServer({ policies });
    const listener = await listen(app, '127.0.0.1:0', { h2c: true });
    const session = connect(`http://127.0.0.1:${new URL(listener.url).port}`);
    await once(session.request({ ':path': '/v1/data/p/x' }).resume(), 'end');
    await Promise.all([listener.close(neverMs), once(session, 'close')]);
  });

  test('waits for no client that spoke HTTP without TLS and has left', async () => {
    const { app } = await testServer({ policies });
    const listener = await listen(app, '127.0.0.1:0', { tls });
    const socket = connectTcp({ port: Number(new URL(listener.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.setEncoding('utf8').write('GET / HTTP/1.1\r\n');
    expect(String((await once(socket, 'data'))[0])).toContain('400 Bad Request');
    socket.end('Host: writ\r\n\r\n');
    await Promise.all([listener.close(neverMs), once(socket.resume(), 'close')]);
  });

  test.each<[string, string, ListenOptions]>([
    ['before its request line', '', h2c],
    ['within a request', 'GET / HTTP/1.1\r\n', h2c],
    ['within the preface of HTTP/2', 'PRI * ', h2c],
    ['before the handshake of TLS', '', { tls }],
    ['within the handshake of TLS', '\u0016\u0003\u0001', { tls }],
  ])('cuts off a connection that stays %s', async (_where, sent, options) => {
    const { app } = await testServer({ policies });
    const listener = await listen(app, '127.0.0.1:0', options);
    const { port, protocol } = new URL(listener.url);
    const socket = connectTcp(Number(port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    await once(socket, 'connect');
    if (sent !== '') socket.write(sent);
    // A later connection has been answered, so the server knows the first one.
    const client = protocol === 'https:' ? { protocol, agent: new Agent({ rejectUnauthorized: false }) } : {};
    expect(await getOverHttp1({ port, host: '127.0.0.1', ...client })).toBe('{"result":1}\n');
    await Promise.all([listener.close(0), once(socket, 'close')]);
  });
});

test.each(['nonsense', 'host', '127.0.0.1:port', 'https://127.0.0.1:0'])('%s is no address to listen at', async (address) => {
  const { app } = await testServer();
  await expect(listen(app, address)).rejects.toThrow();
});

test('an address that is taken says so', async () => {
  const { app } = await testServer();
  const listener = await listen(app, '127.0.0.1:0');
  await expect(listen(app, listener.url.replace('http://', ''))).rejects.toThrow('is in use by another program');
  await listener.close(0);
});

describe('CONNECT', () => {
  const ask = async (app: ServerApp, options: ListenOptions, text: string) => {
    const listener = await listen(app, '127.0.0.1:0', options);
    const port = Number(new URL(listener.url).port);
    const socket =
      options.tls === undefined ? connectTcp(port, '127.0.0.1') : connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
    socket.setEncoding('latin1').write(text);
    let answer = '';
    for await (const part of socket) answer += part;
    await listener.close(0);
    return answer;
  };
  const head = (target: string) => `CONNECT ${target} HTTP/1.1\r\nHost: writ\r\n\r\n`;

  test.each<[string, ListenOptions]>([
    ['/v1/data', {}],
    ['/health', {}],
    ['example.com:443', {}],
    ['/v1/data', h2c],
    ['/v1/data', { tls }],
  ])('%s with %o is answered 405, and the connection ends', async (target, options) => {
    const { app, context } = await testServer({ policies });
    expect(await ask(app, options, head(target))).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n[\s\S]*Method Not Allowed\n$/);
    expect(metricsText([context.durations.metric])).toMatch(/count\{code="405",handler="[\w/]+",method="connect"\} 1/);
  });

  test('at an address of diagnostics is answered 404', async () => {
    const { context } = await testServer({ policies });
    expect(await ask(createApp(context, { diagnosticsOnly: true }), {}, head('/v1/data'))).toContain('HTTP/1.1 404 Not Found\r\n');
  });

  test('behind other requests is answered after them', async () => {
    const { app } = await testServer({ policies });
    const answer = await ask(app, {}, `GET /v1/data/p/x HTTP/1.1\r\nHost: writ\r\n\r\n${head('/')}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"result":1\}\nHTTP\/1\.1 405/);
  });
});

test.each([
  ['GET /v1/data/p/x HTTP/1.0', 'which names no host', '200 OK'],
  ['GET /v1/data/p/x HTTP/1.1\r\nHost: my_service:8181\r\nConnection: close', 'to a name that no domain can have', '200 OK'],
  ['GET /v1/data/p/x HTTP/1.1\r\nConnection: close', 'which must name a host', '400 Bad Request: missing required Host header'],
])('%s, %s, is answered %s', async (head, _which, status) => {
  const { app } = await testServer({ policies });
  const listener = await listen(app, '127.0.0.1:0');
  const socket = connectTcp(Number(new URL(listener.url).port), '127.0.0.1');
  socket.setEncoding('utf8').write(`${head}\r\n\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  expect(answer.slice(0, answer.indexOf('\r\n'))).toBe(`HTTP/1.1 ${status}`);
  await listener.close(0);
});

test('a request line is taken as long as inputs in it are', async () => {
  const { app } = await testServer({ policies: { 'p.rego': 'package p\n\nlength := count(input)\n' } });
  for (const options of [{}, { h2c: true }]) {
    const listener = await listen(app, '127.0.0.1:0', options);
    const url = new URL(listener.url);
    const path = `/v1/data/p/length?input="${'a'.repeat(900_000)}"`;
    expect(await getOverHttp1({ host: url.hostname, port: url.port, path })).toBe('{"result":900000}\n');
    await listener.close(0);
  }
});
