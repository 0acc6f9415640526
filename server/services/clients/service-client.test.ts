import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/disk.js';
import { serve } from '../../../test/harness/server/http.js';
import type { PlainObject } from '../../../values/value.js';
import { ConfigSection } from '../config/config-section.js';
import { parsePlugins } from '../config/plugins-config.js';
import { backoffMs } from './backoff.js';
import { ServiceError } from './request.js';
import type { ServiceClient } from './service-client.js';
import { Services } from './services.js';
import { parseServices } from './services-config.js';

const tlsFile = (name: string) => fileURLToPath(new URL(`../../../fixtures/tls/${name}`, import.meta.url));
const tls = { cert: readFileSync(tlsFile('server.pem')), key: readFileSync(tlsFile('server.key')) };

function client(service: PlainObject): ServiceClient {
  return new Services(parsePlugins({ services: { s: service } }).services).client('s');
}

async function failure(request: Promise<unknown>): Promise<ServiceError> {
  const error = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ServiceError);
  return error as ServiceError;
}

/** The same server under the name of another host. */
const asOtherHost = (url: string) => url.replace('127.0.0.1', 'localhost');

describe('a request', () => {
  test('has the path below the URL, the headers of the service and its own', async () => {
    const { url, requests } = await serve((_, response) => response.writeHead(201, { ETag: 'x' }).end('hello'));
    const service = client({ url: `${url}/base/`, headers: { 'X-A': '1', 'X-B': '2' } });
    const response = await service.request({ method: 'POST', path: '/a/b?c=d', headers: { 'x-b': '3' }, body: 'text' });
    expect(response).toMatchObject({ status: 201, body: Buffer.from('hello') });
    expect(response.headers.get('etag')).toBe('x');
    expect(requests[0]).toMatchObject({ method: 'POST', path: '/base/a/b?c=d', body: Buffer.from('text') });
    expect(requests[0]!.headers).toMatchObject({ 'x-a': '1', 'x-b': '3', 'user-agent': expect.stringMatching(/^writ\//) });
  });

  test('that is refused has the status and its text', async () => {
    const { url } = await serve((_, response) => response.writeHead(404).end('secret'));
    expect((await client({ url }).request({ path: 'a' })).status).toBe(404);
    const error = await failure(client({ url }).requestOk({ path: 'a' }));
    expect(error).toMatchObject({ message: 'server replied with Not Found', status: 404 });
  });

  test.each([
    ['', 0, 0],
    ['2', 2000, 2000],
    ['99999999', 3_600_000, 3_600_000],
    ['soon', 0, 0],
    [new Date(Date.now() - 5000).toUTCString(), 0, 0],
    [new Date(Date.now() + 50_000).toUTCString(), 30_000, 50_000],
  ])('that is refused tells how long to wait (%j)', async (text, least, most) => {
    const { url } = await serve((_, response) => response.writeHead(429, { 'Retry-After': text }).end());
    const { retryAfterMs } = await failure(client({ url }).requestOk({ path: 'a' }));
    expect(retryAfterMs).toBeGreaterThanOrEqual(least);
    expect(retryAfterMs).toBeLessThanOrEqual(most);
  });

  test('follows redirects, and takes secrets to no other host', async () => {
    const other = await serve((_, response) => response.end('there'));
    const { url, requests } = await serve(({ path }, response) => {
      if (path === '/c') response.writeHead(307, { location: `${asOtherHost(other.url)}/d` }).end();
      else response.writeHead(302, { location: '/c' }).end();
    });
    const service = client({ url, headers: { 'x-api-key': 'secret' }, credentials: { bearer: { token: 'secret' } } });
    expect((await service.request({ path: 'a', headers: { 'If-None-Match': 'e' } })).body.toString()).toBe('there');
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', 'Bearer secret']);
    expect(other.requests[0]!.headers).toMatchObject({ 'if-none-match': 'e' });
    expect(JSON.stringify(other.requests)).not.toContain('secret');
  });

  test('takes secrets to another port of its host', async () => {
    const other = await serve((_, response) => response.end('there'));
    const { url } = await serve((_, response) => response.writeHead(307, { location: `${other.url}/d` }).end());
    const service = client({ url, headers: { 'x-api-key': 'secret' }, credentials: { bearer: { token: 'token' } } });
    expect((await service.request({ path: 'a' })).body.toString()).toBe('there');
    expect(other.requests[0]!.headers).toMatchObject({ 'x-api-key': 'secret', authorization: 'Bearer token' });
  });

  test('does not trust its own host again where another host leads back to it', async () => {
    const { url, requests } = await serve(({ path }, response) => {
      if (path === '/chosen') response.end('there');
      else response.writeHead(302, { location: `${asOtherHost(other.url)}/` }).end();
    });
    const other = await serve((_, response) => response.writeHead(302, { location: `${url}/chosen` }).end());
    const service = client({ url, headers: { 'x-api-key': 'secret' }, credentials: { bearer: { token: 'token' } } });
    expect((await service.request({ path: 'a' })).body.toString()).toBe('there');
    expect(requests.map(({ headers }) => [headers.authorization, headers['x-api-key']])).toEqual([
      ['Bearer token', 'secret'],
      [undefined, undefined],
    ]);
  });

  test('does not follow redirects for ever', async () => {
    const { url } = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    expect((await failure(client({ url }).request({ path: '' }))).message).toContain('stopped after 10 redirects');
  });

  test('fails where a response does not begin in time, and says nothing secret', async () => {
    const { url } = await serve(() => undefined);
    const service = client({ url: url.replace('://', '://me:secret@'), response_header_timeout_seconds: 1 });
    const error = await failure(service.request({ path: 'a?sig=secret' }));
    expect(error.message).toBe(`service "s": request failed: GET "${url}/a": timed out`);
  });

  test('may take longer than that once the response has begun', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200).write('a');
      setTimeout(() => response.end('b'), 150);
    });
    const response = await client({ url }).request({ path: '', headerTimeoutMs: 100 });
    expect(response.body.toString()).toBe('ab');
  });

  test.each([
    ['is cut off', 'unexpected EOF', 100],
    ['is too long', 'response body is larger than 2 bytes', 2],
  ])('fails where the body %s', async (_title, message, maxBodyBytes) => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 10 }).write('12345');
      setTimeout(() => response.destroy(), 20);
    });
    expect((await failure(client({ url }).request({ path: '', maxBodyBytes }))).message).toContain(message);
  });

  test('ends when its signal is aborted', async () => {
    const { url } = await serve(() => undefined);
    const abort = new AbortController();
    const requesting = client({ url }).request({ path: '', signal: abort.signal });
    setTimeout(() => abort.abort(new Error('enough')), 20);
    await expect(requesting).rejects.toThrow('enough');
  });

  test('fails where nothing listens', async () => {
    const { url, close } = await serve(() => undefined);
    await close();
    expect((await failure(client({ url }).request({ path: '' }))).message).toContain('connect: connection refused');
  });
});

describe('TLS', () => {
  test.each([
    ['an unknown authority is refused', {}, 'x509'],
    ['the authority of a file is trusted', { tls: { ca_cert: tlsFile('authority.pem') } }, undefined],
    ['a file without certificates is an error', { tls: { ca_cert: tlsFile('server.key') } }, 'server.key has no certificates'],
    ['insecure TLS takes any', { allow_insecure_tls: true }, undefined],
  ])('%s', async (_title, settings, problem) => {
    const { url } = await serve((_, response) => response.end('ok'), { tls });
    const requesting = client({ url, ...settings }).request({ path: '' });
    if (problem !== undefined) expect((await failure(requesting)).message).toContain(problem);
    else expect((await requesting).body.toString()).toBe('ok');
  });

  test('a file that is missing is an error of the request', async () => {
    const error = await failure(client({ url: 'https://localhost:1', tls: { ca_cert: '/none' } }).request({ path: '' }));
    expect(error.message).toContain('/none: no such file');
  });
});

describe('a token', () => {
  test('is read from its file for each request', async () => {
    const { url, requests } = await serve((_, response) => response.end());
    const file = join(temporaryDirectory(), 'token');
    const service = client({ url, credentials: { bearer: { token_path: file, scheme: 'Token' } } });
    for (const token of ['one', 'two\n']) {
      writeFileSync(file, token);
      await service.request({ path: '' });
    }
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Token one', 'Token two']);
  });
});

describe('the configuration of services', () => {
  const names = (services: PlainObject | PlainObject[]) => [...parseServices(new ConfigSection({ services }, ''), new Map()).keys()];

  test('is a map or a list', () => {
    expect(names({ a: { url: 'x' }, b: { url: 'y' } })).toEqual(['a', 'b']);
    expect(names([{ name: 'a', url: 'x' }])).toEqual(['a']);
  });

  test.each([
    [{ type: 'ftp' }, 'invalid type "ftp" of service "s"'],
    [{ credentials: { bearer: {} } }, 'neither token nor token_path'],
    [{ credentials: { bearer: { token: 'a' }, magic: {} } }, 'a maximum one credential method must be specified'],
    [{ credentials: { magic: {} } }, 'credentials "magic" are not supported'],
  ])('%j is refused', (service, message) => {
    expect(() => parsePlugins({ services: { s: { url: 'x', ...service } } })).toThrow(message);
  });

  test('keeps the clients of unchanged services when it changes', () => {
    const parse = (token: string) =>
      parsePlugins({ services: { a: { url: 'x' }, b: { url: 'x', credentials: { bearer: { token } } } } }).services;
    const services = new Services(parse('1'));
    const [a, b] = [services.client('a'), services.client('b')];
    services.reconfigure(parse('2'));
    expect(services.client('a')).toBe(a);
    expect(services.client('b')).not.toBe(b);
    expect(() => services.client('c')).toThrow('service "c" is not configured');
  });
});

test('pauses double up to a maximum, with a random part', () => {
  for (const [failures, most] of [
    [1, 1000],
    [3, 4000],
    [50, 60_000],
  ] as const) {
    const pause = backoffMs(failures, { maxMs: 60_000 });
    expect(pause).toBeGreaterThanOrEqual(most / 2);
    expect(pause).toBeLessThanOrEqual(most);
  }
});
