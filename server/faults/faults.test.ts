import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type TestServer, testServer } from '../../test/harness/server/app.js';
import { type Listener, listen } from '../http/sockets/listen.js';

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
    const response = await fetch(`${listener.url}/v1/data/p/allow`, { method: 'POST', body: '{"input": {"user": "alice"}}' });
    expect(await response.json()).toEqual({ result: true });
  }

  /** The bytes received until the text has come, or the connection ends. */
  async function received(socket: Socket, until: string): Promise<string> {
    let text = '';
    socket.setEncoding('latin1');
    while (!text.includes(until)) {
      const chunk = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      if (typeof chunk[0] !== 'string') break;
      text += chunk[0];
    }
    return text;
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
  });

  test('what is no HTTP is answered 400, and the connection closed', async () => {
    const socket = await open();
    socket.write('nonsense\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    await once(socket, 'close');
    await expectAnswers();
  });

  test('a head that never ends is no reason to keep others waiting, and goes when the server does', async () => {
    const slow = await open();
    slow.write('POST /v1/data/p/echo HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    for (let i = 0; i < 5; i++) {
      slow.write('a');
      await expectAnswers();
    }
    const closed = once(slow, 'close');
    await listener.close(50);
    await closed;
    listener = await listen(server.app, '127.0.0.1:0');
  });

  test.each([
    ['many', Array.from({ length: 50_000 }, (_, i) => `X-${i}: ${i}`).join('\r\n')],
    ['long', `X-Long: ${'x'.repeat(5_000_000)}`],
  ])('%s headers are refused', async (_title, headers) => {
    const socket = await open();
    const answer = received(socket, '\r\n\r\n');
    socket.write(request(headers));
    expect(await answer).toMatch(/^HTTP\/1\.1 431 /);
    await expectAnswers();
  });

  test('requests that come together are answered in their order', async () => {
    const socket = await open();
    const asked = Array.from({ length: 200 }, (_, i) => request(`Content-Length: ${String(i).length + 11}`, `{"input":${i} }`));
    const answers = received(socket, '{"result":199}');
    socket.write(asked.join(''));
    const results = [...(await answers).matchAll(/\{"result":(\d+)\}/g)].map(([, n]) => Number(n));
    expect(results).toEqual(Array.from({ length: 200 }, (_, i) => i));
  });

  test('a request sees what an earlier one of its connection wrote', async () => {
    const rules = Array.from({ length: 2000 }, (_, i) => `r${i} := ${i}`).join('\n');
    const policy = `package late\n\n${rules}\n`;
    const socket = await open();
    const answer = received(socket, '{"result":1999}');
    socket.write(`PUT /v1/policies/late.rego HTTP/1.1\r\nHost: x\r\nContent-Length: ${policy.length}\r\n\r\n${policy}`);
    socket.write('GET /v1/data/late/r1999 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await answer).toMatch(/\{"result":1999\}/);
  });

  test('a client that never reads its answers is given only so many', async () => {
    const text = 'x'.repeat(100_000);
    const body = JSON.stringify({ input: text });
    const one = request(`Content-Length: ${body.length}`, body);
    const deaf = await open();
    deaf.pause();
    for (let i = 0; i < 500; i++) deaf.write(one);
    for (let i = 0; i < 20; i++) await expectAnswers();
    // If all were accepted, 50 MB would be waiting here.
    expect(deaf.bytesWritten).toBeGreaterThan(0);
    expect(deaf.writableLength).toBeGreaterThan(10_000_000);
    deaf.destroy();
    await expectAnswers();
  });

  test.each([
    ['with its length', (body: string) => request(`Content-Length: ${body.length}`, body)],
    ['in chunks', (body: string) => request('Transfer-Encoding: chunked', `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`)],
    [
      'inflated',
      (body: string) => {
        const bytes = gzipSync(body);
        return Buffer.concat([Buffer.from(request(`Content-Encoding: gzip\r\nContent-Length: ${bytes.length}`)), bytes]);
      },
    ],
  ])('a body over the limit, %s, is refused, and the next request answered', async (_title, requestOf) => {
    const limited = await testServer({
      policies,
      config: { server: { decoding: { max_length: 10_000, gzip: { max_length: 10_000 } } } },
    });
    const other = await listen(limited.app, '127.0.0.1:0');
    try {
      const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const answer = received(socket, 'too large');
      socket.write(requestOf(`{"input": "${'x'.repeat(100_000)}"}`));
      expect(await answer).toMatch(/^HTTP\/1\.1 400 .*"invalid_parameter".*too large/s);
      const response = await fetch(`${other.url}/v1/data/p/echo`, { method: 'POST', body: '{"input": 1}' });
      expect(await response.json()).toEqual({ result: 1 });
    } finally {
      await other.close(0);
    }
  });

  test.each([
    ['an escape in the path', 'GET /v1/data/p/%ff%fe HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 200 .*\{\}/s],
    ['a path that is not escaped', Buffer.from('GET /v1/data/p/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'), /^HTTP\/1\.1 (200|400) /],
    ['a query', 'GET /v1/data/p/echo?input=%22%ff%22 HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 200 .*\{"result":"\xef\xbf\xbd"\}/s],
    ['half an escape', 'GET /v1/data/p/%f HTTP/1.1\r\nHost: x\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a body', Buffer.from(request('Content-Length: 14', '{"input":"\xff"} '), 'latin1'), /^HTTP\/1\.1 200 .*"result":"\xef\xbf\xbd"/s],
    [
      'a policy',
      Buffer.from('PUT /v1/policies/x HTTP/1.1\r\nHost: x\r\nContent-Length: 21\r\n\r\npackage x\n\ny := "\xff" \n', 'latin1'),
      /^HTTP\/1\.1 (200|400) /,
    ],
  ])('bytes that are no UTF-8, in %s, are answered', async (_title, bytes, expected) => {
    const socket = await open();
    const answer = received(socket, '}');
    socket.write(bytes);
    setTimeout(() => socket.end(), 300);
    expect(await answer).toMatch(expected);
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
    ['closed objects', `${'{"input":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('JSON of %s, 100,000 levels deep', async (_title, body) => {
    const { ask } = await testServer({ policies });
    for (const [method, path] of [
      ['POST', '/v1/data/p/echo'],
      ['POST', '/v0/data/p/echo'],
      ['POST', '/'],
      ['PUT', '/v1/data/deep'],
      ['PATCH', '/v1/data/deep'],
      ['POST', '/v1/query'],
      ['GET', `/v1/data/p/echo?input=${encodeURIComponent(body)}`],
    ] as const) {
      const { status, text } = await ask(method, path, method === 'GET' ? undefined : body, json);
      expect(status, `${method} ${path.slice(0, 30)}`).toBe(400);
      expect(JSON.parse(text).code).toBe('invalid_parameter');
    }
    const { status, text } = await ask('PATCH', '/v1/data', `[{"op":"add","path":"x","value":${body}}]`, json);
    expect([status, JSON.parse(text).code]).toEqual([400, 'invalid_parameter']);
  });

  test.each([
    ['arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['open arrays', '['.repeat(100_000)],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['parentheses', `${'('.repeat(100_000)}1${')'.repeat(100_000)}`],
    ['comprehensions', `${'[1 | x := '.repeat(20_000)}1${']'.repeat(20_000)}`],
    ['operators', '1 + '.repeat(100_000).concat('1')],
    ['a reference', `data${'[data'.repeat(50_000)}${']'.repeat(50_000)}`],
  ])('a policy and a query with %s, as deep', async (_title, term) => {
    const { ask } = await testServer({ policies });
    for (const [method, path, body] of [
      ['PUT', '/v1/policies/deep', `package deep\n\nx := ${term}\n`],
      ['POST', '/v1/query', JSON.stringify({ query: `x = ${term}` })],
    ] as const) {
      const { status, text } = await ask(method, path, body);
      expect(status, text.slice(0, 300)).toBe(400);
      expect(JSON.parse(text).code).toBe('invalid_parameter');
    }
    expect((await ask('POST', '/v1/data/p/allow', '{"input": {"user": "alice"}}')).text).toBe('{"result":true}\n');
  });

  test.each([
    [
      'aliases of aliases',
      `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 15 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`).join(',')}]`).join('\n')}\ninput: *a15`,
    ],
    ['an alias of itself', 'input: &a [*a]'],
    ['100,000 levels', `input: ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['100,000 levels of blocks', `input:\n${Array.from({ length: 3000 }, (_, i) => `${' '.repeat(i + 1)}a:`).join('\n')}`],
  ])('YAML with %s', async (_title, body) => {
    const { ask } = await testServer({ policies });
    for (const path of ['/v1/data/p/echo', '/v0/data/p/echo', '/v1/query']) {
      const { status, text } = await ask('POST', path, body, { 'content-type': 'application/x-yaml' });
      expect([status, JSON.parse(text).code], path).toEqual([400, 'invalid_parameter']);
    }
  });
});

test('a policy that does not end is ended by the deadline', async () => {
  const { ask } = await testServer({ policies, config: { server: { decision_timeout_seconds: 0.3 } } });
  const { status, text } = await ask('POST', '/v1/data/endless/p', '{"input": {}}');
  expect(status).toBe(500);
  expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', errors: [{ code: 'eval_cancel_error' }] });
  expect((await ask('POST', '/v1/data/p/allow', '{"input": {"user": "alice"}}')).text).toBe('{"result":true}\n');
});
