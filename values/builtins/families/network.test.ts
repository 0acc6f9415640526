import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { callBuiltin, testContext } from '../../../test/harness/builtins.js';
import type { Value } from '../../value.js';
import type { BuiltinContext } from '../builtin-context.js';
import { CacheSet } from '../cache.js';
import { nodeHost } from '../host/node.js';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

afterAll(() => nodeHost.network!.close());

async function listen(server: Server, at?: string): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => (at === undefined ? server.listen(0, '127.0.0.1', resolve) : server.listen(at, resolve)));
  return at ?? `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server on this machine that counts its requests. */
async function serve(listener: RequestListener): Promise<{ url: string; host: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const host = await listen(
    createServer((request, response) => {
      seen.push(request);
      listener(request, response);
    }),
  );
  return { url: `http://${host}`, host, seen };
}

class Suspended {
  readonly answered: Promise<unknown>;
  constructor(answered: Promise<unknown>) {
    this.answered = answered;
  }
}

/**
 * The context of one evaluation: answers that a built-in waits for are recorded, and the call is
 * repeated.
 */
function evaluation(overrides: Partial<BuiltinContext> = {}): BuiltinContext {
  const record = new Map<string, { value: unknown } | { error: unknown }>();
  return testContext(nodeHost, {
    timeNs: BigInt(Date.now()) * 1_000_000n,
    wait<T>(key: string, start: (signal: AbortSignal) => Promise<T>): T {
      const known = record.get(key);
      if (known === undefined) {
        const answered = start(new AbortController().signal).then(
          (value) => record.set(key, { value }),
          (error: unknown) => record.set(key, { error }),
        );
        throw new Suspended(answered);
      }
      if ('error' in known) throw known.error;
      return known.value as T;
    },
    ...overrides,
  });
}

async function call(name: string, operand: Value, context: BuiltinContext = evaluation()): Promise<Record<string, Value>> {
  for (;;) {
    try {
      return (await callBuiltin(name, [operand], context)) as Record<string, Value>;
    } catch (error) {
      if (!(error instanceof Suspended)) throw error;
      await error.answered;
    }
  }
}

const send = (request: { readonly [key: string]: Value }, context?: BuiltinContext) =>
  call('http.send', { method: 'get', ...request }, context);

function bodyOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text));
  });
}

describe('a response', () => {
  test('is decoded by its type, with all values of each header', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(
        201,
        [
          ['Content-Type', 'application/problem+json; charset=utf-8'],
          ['X-Many', 'a'],
          ['X-Many', 'b'],
        ].flat(),
      );
      response.end('{"n": 12345678901234567890}');
    });
    const answer = await send({ url });
    expect(answer).toMatchObject({ status: '201 Created', status_code: 201, raw_body: '{"n": 12345678901234567890}' });
    expect(answer.headers).toMatchObject({ 'content-type': ['application/problem+json; charset=utf-8'], 'x-many': ['a', 'b'] });
    expect(String((answer.body as { n: Value }).n)).toBe('12345678901234567890');
    expect(answer.headers).not.toHaveProperty('transfer-encoding');
  });

  test('has a null body where its type is another or it cannot be decoded, unless JSON is asked for', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/broken') response.setHeader('Content-Type', 'application/json');
      if (request.url === '/yaml') response.setHeader('Content-Type', 'application/x-yaml');
      response.end({ '/broken': '{', '/yaml': 'a: [1, yes]' }[request.url!] ?? '[1]');
    });
    expect(await send({ url })).toMatchObject({ body: null, raw_body: '[1]' });
    expect(await send({ url: `${url}/broken` })).toMatchObject({ body: null, raw_body: '{' });
    expect(await send({ url: `${url}/yaml` })).toMatchObject({ body: { a: [1, 'yes'] } });
    expect(await send({ url, force_json_decode: true })).toMatchObject({ body: [1] });
    expect(await send({ url, force_yaml_decode: true })).toMatchObject({ body: [1] });
  });

  test('is what its body starts with, and nothing where it breaks off', async () => {
    const { url } = await serve((request, response) => {
      response.setHeader('Content-Type', 'application/json');
      if (request.url !== '/half') response.end('{"a": "}"} and more');
      else {
        response.setHeader('Content-Length', '100');
        response.write('{');
        setTimeout(() => request.socket.destroy(), 20);
      }
    });
    expect((await send({ url })).body).toEqual({ a: '}' });
    await expect(send({ url: `${url}/half` })).rejects.toThrow(/^unexpected EOF$/);
  });

  test('that came compressed is inflated, unless the caller asked for the encoding', async () => {
    const { url } = await serve((request, response) => {
      response.setHeader('Content-Encoding', 'gzip');
      response.end(request.headers['accept-encoding'] === 'gzip' ? gzipSync('hello') : '');
    });
    const answer = await send({ url });
    expect(answer.raw_body).toBe('hello');
    expect(answer.headers).not.toHaveProperty('content-encoding');
    const own = await send({ url, headers: { 'accept-encoding': 'gzip' } });
    expect(own.headers).toHaveProperty('content-encoding', ['gzip']);
    expect(own.raw_body).not.toBe('hello');
  });
});

describe('a request', () => {
  test('carries method, headers and a JSON body; a raw body goes as it is', async () => {
    const { url } = await serve(async (request, response) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify([request.method, request.url, request.headers['x-a'] ?? null, await bodyOf(request)]));
    });
    const json = await send({ url: `${url}/p?q=1`, method: 'post', headers: { 'x-a': '1' }, body: { b: ['<', 1] } });
    expect(json.body).toEqual(['POST', '/p?q=1', '1', '{"b":["\\u003c",1]}']);
    expect((await send({ url, method: 'put', body: { b: 1 }, raw_body: 'raw' })).body).toEqual(['PUT', '/', null, 'raw']);
  });

  test('names a host of its own where a header says so', async () => {
    const { url } = await serve((request, response) => response.end(request.headers.host));
    expect((await send({ url, headers: { Host: 'other.test' } })).raw_body).toBe('other.test');
  });

  test('is made once in an evaluation, whatever the headers that do not count', async () => {
    const { url, seen } = await serve((_, response) => response.end(String(Math.random())));
    const context = evaluation();
    const first = await send({ url, headers: { trace: '1', a: 'b' }, cache_ignored_headers: ['trace'] }, context);
    const second = await send({ url, headers: { trace: '2', a: 'b' }, cache_ignored_headers: ['trace'] }, context);
    expect(second).toEqual(first);
    expect(seen.length).toBe(1);
    await send({ url, headers: { trace: '2', a: 'c' }, cache_ignored_headers: ['trace'] }, context);
    expect(seen.length).toBe(2);
  });

  test('is made again after an error as often as asked', async () => {
    let failures = 2;
    const { url } = await serve((request, response) => (failures-- > 0 ? request.socket.destroy() : response.end('there')));
    await expect(send({ url })).rejects.toThrow(`Get "${url}": EOF`);
    expect((await send({ url, max_retry_attempts: 2 })).raw_body).toBe('there');
  });

  test('ends after its time', async () => {
    const { url } = await serve(() => {});
    await expect(send({ url, timeout: '50ms' })).rejects.toThrow(`Get ${url}: request timed out`);
    expect(await send({ url, timeout: 50_000_000, raise_error: false })).toEqual({
      status_code: 0,
      error: {
        code: 'eval_http_send_network_error',
        message: `Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
      },
    });
  });

  test('ends after its time while the body comes, too', async () => {
    const { url } = await serve((_, response) => response.write('a'));
    await expect(send({ url, timeout: '50ms' })).rejects.toThrow('while reading body');
  });

  test('that cannot be sent is an error', async () => {
    await expect(send({ url: 'ftp://127.0.0.1/' })).rejects.toThrow('Get "ftp://127.0.0.1/": unsupported protocol scheme "ftp"');
    await expect(send({ url: 'http://127.0.0.1:99999/' })).rejects.toThrow('dial tcp: address 99999: invalid port');
    await expect(send({ url: 'http://127.0.0.1:1/', headers: { 'a b': 'c' } })).rejects.toThrow(
      'net/http: invalid header field name "a b"',
    );
    await expect(send({ url: 'http://127.0.0.1:1/' })).rejects.toThrow('dial tcp 127.0.0.1:1: connect: connection refused');
  });

  test('goes to a Unix socket', async () => {
    const path = await listen(
      createServer((request, response) => response.end(request.url)),
      join(tmpdir(), `writ-network-test-${process.pid}.sock`),
    );
    expect((await send({ url: `unix://localhost/end/point?socket=${encodeURIComponent(path)}&a=b` })).raw_body).toBe('/end/point?a=b');
  });
});

describe('a redirect', () => {
  test('is answered as it is, and followed where that is enabled', async () => {
    const { url } = await serve((request, response) => {
      if (request.url === '/end') response.end(`${request.method} ${request.headers.referer ?? ''}`);
      else response.writeHead(303, { Location: '/end' }).end();
    });
    expect(await send({ url })).toMatchObject({ status_code: 303 });
    expect((await send({ url, method: 'post', body: 1, enable_redirect: true })).raw_body).toBe(`GET ${url}`);
  });

  test('keeps method and body where its status says so', async () => {
    const { url } = await serve(async (request, response) => {
      if (request.url === '/end') response.end(`${request.method} ${await bodyOf(request)}`);
      else response.writeHead(308, { Location: '/end' }).end();
    });
    expect((await send({ url, method: 'post', body: 1, enable_redirect: true })).raw_body).toBe('POST 1');
  });

  test('to another host takes no credentials along', async () => {
    const { url: target, host } = await serve((request, response) => response.end(JSON.stringify(request.headers)));
    const { url } = await serve((request, response) => {
      response.writeHead(302, { Location: request.url === '/away' ? target.replace('127.0.0.1', 'localhost') : target }).end();
    });
    const request = { headers: { authorization: 'secret', cookie: 'c', 'x-a': '1' }, enable_redirect: true, force_json_decode: true };
    expect((await send({ url, ...request })).body).toMatchObject({ authorization: 'secret', cookie: 'c', 'x-a': '1', host });
    const { body } = await send({ url: `${url}/away`, ...request });
    expect(body).toMatchObject({ 'x-a': '1' });
    expect(body).not.toHaveProperty('authorization');
    expect(body).not.toHaveProperty('cookie');
  });

  test('without end is an error', async () => {
    const { url } = await serve((_, response) => response.writeHead(302, { Location: '/' }).end());
    await expect(send({ url, enable_redirect: true })).rejects.toThrow(/stopped after \d+ redirects/);
  });
});

describe('hosts that may be talked to', () => {
  test('are checked before anything is sent, at redirects too', async () => {
    const { url, seen } = await serve((_, response) => response.writeHead(302, { Location: 'http://localhost:1/' }).end());
    await expect(send({ url }, evaluation({ allowNet: [] }))).rejects.toThrow('unallowed host: 127.0.0.1');
    expect(seen.length).toBe(0);
    const context = evaluation({ allowNet: ['127.0.0.1'] });
    expect(await send({ url }, context)).toMatchObject({ status_code: 302 });
    await expect(send({ url, enable_redirect: true }, context)).rejects.toThrow('Get "http://localhost:1/": unallowed host: localhost');
    await expect(call('net.lookup_ip_addr', 'localhost', context)).rejects.toThrow('unallowed host: localhost');
  });

  test('of references in JSON Schemas', async () => {
    const { url } = await serve((_, response) => response.end('{"definitions": {"n": {"type": "integer"}}}'));
    const schema = { $ref: `${url}/s.json#/definitions/n` };
    const matchWith = async (context: BuiltinContext) => {
      for (;;) {
        try {
          return await callBuiltin('json.match_schema', [['x'], schema], context);
        } catch (error) {
          if (!(error instanceof Suspended)) throw error;
          await error.answered;
        }
      }
    };
    await expect(matchWith(evaluation({ allowNet: ['other.test'] }))).rejects.toThrow('remote reference loading disabled');
    expect(await matchWith(evaluation())).toMatchObject([false, [{ type: 'invalid_type' }]]);
  });
});

describe('responses kept across evaluations', () => {
  async function countedServer(headers: Record<string, string>) {
    const { url, seen } = await serve((request, response) => {
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      if (headers.ETag !== undefined && request.headers['if-none-match'] === headers.ETag) response.writeHead(304).end();
      else response.end(String(seen.length));
    });
    const caches = new CacheSet();
    const later = (seconds: number) => evaluation({ caches, timeNs: BigInt(Date.now() + seconds * 1000) * 1_000_000n });
    return { url, seen, later };
  }

  test('hold as long as their headers say', async () => {
    const { url, seen, later } = await countedServer({ 'Cache-Control': 'max-age=60' });
    expect((await send({ url, cache: true }, later(0))).raw_body).toBe('1');
    expect((await send({ url, cache: true, caching_mode: 'deserialized' }, later(1))).raw_body).toBe('2');
    expect((await send({ url, cache: true }, later(30))).raw_body).toBe('1');
    expect((await send({ url, cache: true }, later(90))).raw_body).toBe('3');
    expect(seen.length).toBe(3);
  });

  test('are confirmed by the server once they hold no longer', async () => {
    const { url, seen, later } = await countedServer({ 'Cache-Control': 'max-age=10', ETag: '"a"' });
    expect((await send({ url, cache: true }, later(0))).raw_body).toBe('1');
    expect(await send({ url, cache: true }, later(20))).toMatchObject({ raw_body: '1', status_code: 200 });
    expect(seen.length).toBe(2);
    expect((await send({ url, cache: true }, later(5))).raw_body).toBe('1');
    expect(seen.length).toBe(2);
  });

  test('are none where the server forbids it, unless forced', async () => {
    const { url, later } = await countedServer({ 'Cache-Control': 'no-store, max-age=60' });
    await send({ url, cache: true }, later(0));
    expect((await send({ url, cache: true }, later(0))).raw_body).toBe('2');
    const forced = { url, force_cache: true, force_cache_duration_seconds: 60 };
    expect((await send(forced, later(0))).raw_body).toBe('3');
    expect((await send(forced, later(59))).raw_body).toBe('3');
    expect((await send(forced, later(61))).raw_body).toBe('4');
  });
});

describe('TLS', () => {
  const pem = (name: string) => readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');

  async function secure(options: object = {}): Promise<string> {
    const server = createSecureServer({ cert: pem('server.pem'), key: pem('server.key'), ...options }, (request, response) => {
      response.end(String((request.socket as unknown as { servername: string | false }).servername));
    });
    return `https://${await listen(server as unknown as Server)}`;
  }

  test('trusts no authority that it does not know, and those it is given', async () => {
    const url = await secure();
    await expect(send({ url })).rejects.toThrow('tls: failed to verify certificate: x509: certificate signed by unknown authority');
    expect(await send({ url, tls_ca_cert: pem('authority.pem') })).toMatchObject({ status_code: 200 });
    const file = new URL('../../../fixtures/tls/authority.pem', import.meta.url).pathname;
    expect(await send({ url, tls_ca_cert_file: file, tls_use_system_certs: true })).toMatchObject({ status_code: 200 });
    process.env.WRIT_TEST_AUTHORITY = pem('authority.pem');
    expect(await send({ url, tls_ca_cert_env_variable: 'WRIT_TEST_AUTHORITY' })).toMatchObject({ status_code: 200 });
    expect(await send({ url, tls_insecure_skip_verify: true })).toMatchObject({ status_code: 200 });
  });

  test('asks for the server by the name that is given', async () => {
    const url = await secure();
    const request = { url, tls_ca_cert: pem('authority.pem') };
    expect((await send({ ...request, tls_server_name: 'service.test' })).raw_body).toBe('service.test');
    await expect(send({ ...request, tls_server_name: 'other.test' })).rejects.toThrow('tls: failed to verify certificate: x509:');
  });

  test('shows a certificate of its own', async () => {
    const url = await secure({ ca: pem('authority.pem'), requestCert: true, rejectUnauthorized: true });
    const request = { url, tls_ca_cert: pem('authority.pem') };
    await expect(send(request)).rejects.toThrow(`Get "${url}": `);
    const own = { tls_client_cert: pem('client.pem'), tls_client_key: pem('client.key') };
    expect(await send({ ...request, ...own })).toMatchObject({ status_code: 200 });
    await expect(send({ ...request, ...own, tls_client_key: pem('server.key') })).rejects.toThrow(
      'tls: private key does not match public key',
    );
  });
});

describe('a platform', () => {
  test('without a network says so', async () => {
    await expect(callBuiltin('http.send', [{ method: 'get', url: 'http://127.0.0.1' }], testContext({}))).rejects.toThrow(
      'network is missing',
    );
  });

  test('tells the addresses of a name', async () => {
    const addresses = await call('net.lookup_ip_addr', 'localhost');
    expect([...(addresses as unknown as Iterable<Value>)].every((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
    await expect(call('net.lookup_ip_addr', 'name.invalid')).rejects.toThrow('lookup name.invalid: ');
  });
});
