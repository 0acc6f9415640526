import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Listener, listen } from './listen.js';
import { type TestServer, testServer } from './testing.js';

const policies = {
  'p.rego': 'package p\n\nallow if input.user == "alice"\n\necho := input\n',
  'endless.rego':
    'package endless\n\nxs := numbers.range(1, 3000)\n\np := count([1 | some a in xs; some b in xs; some c in xs; a + b + c == 0])\n',
};

describe('a server with sockets', () => {
  let server: TestServer;
  let listener: Listener;
  let port: number;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    server = await testServer({ policies });
    listener = await listen(server.app, '127.0.0.1:0');
    port = Number(new URL(listener.url).port);
  });

  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await listener.close(0);
  });

  async function open(): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async function expectAnswers(): Promise<void> {
    const started = performance.now();
    const response = await fetch(`${listener.url}/v1/data/p/allow`, { method: 'POST', body: '{"input": {"user": "alice"}}' });
    expect(await response.json()).toEqual({ result: true });
    expect(performance.now() - started).toBeLessThan(5000);
  }

  const request = (headers: string, body = '') => `POST /v1/data/p/echo HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

  test('a client that stops in the middle of its body is no reason to keep others waiting', async () => {
    const stopped = await open();
    stopped.write(request('Content-Length: 1000', '{"input": '));
    await expectAnswers();
    stopped.destroy();
    await expectAnswers();
  });

  test('a client that stops in the middle of a chunked body is none either', async () => {
    const stopped = await open();
    stopped.write(request('Transfer-Encoding: chunked', 'a\r\n{"input": '));
    await expectAnswers();
    stopped.destroy();
    await expectAnswers();
  });

  test('5,000 idle connections leave others their answers', async () => {
    for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 500 }, open));
    await expectAnswers();
  }, 30_000);

  test('what is no HTTP is answered 400, and the connection closed', async () => {
    const socket = await open();
    socket.write('nonsense\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    await once(socket, 'close');
    await expectAnswers();
  });

  test('closing lets a request end that has begun', async () => {
    const socket = await open();
    socket.write(request('Content-Length: 12', '{"input"'));
    await expectAnswers();
    const closed = listener.close(5000);
    socket.write(': 1}');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('{"result":1}');
    await closed;
  });
});

describe('bodies that no one should send', () => {
  const json = { 'content-type': 'application/json' };
  const small = { server: { decoding: { max_length: 1000, gzip: { max_length: 100_000 } } } };

  test('over the limit', async () => {
    const { ask } = await testServer({ policies, config: small });
    const { status, text } = await ask('POST', '/v1/data/p/echo', JSON.stringify({ input: 'x'.repeat(2000) }), json);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toEqual({ code: 'invalid_parameter', message: 'request body too large' });
  });

  test('gzip that inflates to more than the limit', async () => {
    const { app } = await testServer({ policies, config: small });
    const body = gzipSync(Buffer.alloc(50_000_000, 32)).subarray(0, 900);
    const bomb = gzipSync(Buffer.from(`{"input": "${'x'.repeat(500_000)}"}`));
    for (const bytes of [body, bomb]) {
      const request = new Request('http://localhost/v1/data/p/echo', {
        method: 'POST',
        body: new Uint8Array(bytes),
        headers: { 'content-encoding': 'gzip' },
      });
      expect((await app.fetch(request)).status).toBe(400);
    }
  });

  test('invalid UTF-8 is read as what stands for it', async () => {
    const { app } = await testServer({ policies });
    const body = Buffer.concat([Buffer.from('{"input": "a'), Buffer.from([0xff, 0xfe]), Buffer.from('b"}')]);
    const response = await app.fetch(new Request('http://localhost/v1/data/p/echo', { method: 'POST', body: new Uint8Array(body) }));
    expect(await response.json()).toEqual({ result: 'a\ufffd\ufffdb' });
  });

  test.each([
    ['arrays', '['.repeat(100_000)],
    ['closed arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', '{"input":'.repeat(100_000)],
  ])('JSON of %s, 100,000 levels deep', async (_title, body) => {
    const { ask } = await testServer({ policies });
    for (const [method, path] of [
      ['POST', '/v1/data/p/echo'],
      ['POST', '/v0/data/p/echo'],
      ['PUT', '/v1/data/deep'],
      ['PATCH', '/v1/data/deep'],
      ['POST', '/v1/query'],
    ] as const) {
      expect((await ask(method, path, body, json)).status, `${method} ${path}`).toBe(400);
    }
  });
});

test('a policy that does not end is ended by the deadline', async () => {
  const { ask } = await testServer({ policies, config: { server: { decision_timeout_seconds: 0.3 } } });
  const started = performance.now();
  const { status, text } = await ask('POST', '/v1/data/endless/p', '{"input": {}}');
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', errors: [{ code: 'eval_cancel_error' }] });
  expect((await ask('POST', '/v1/data/p/allow', '{"input": {"user": "alice"}}')).text).toBe('{"result":true}\n');
});
