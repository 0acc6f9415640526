/** A service that fails in every way after it has served a bundle, and then recovers. */
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archiveOf, tarOf } from '../../../test/harness/archives.js';
import { eventually } from '../../../test/harness/disk.js';
import { BundleService } from '../../../test/harness/server/bundle-service.js';
import { pluginFaces, type StartPlugins } from '../../../test/harness/server/plugin-faces.js';
import { tellTestsApart } from '../../../test/harness/set-up/concurrent-tests.js';
import type { PlainObject } from '../../../values/value.js';

tellTestsApart();

const policy = (n: number) => ({ '/a/p.rego': `package a\n\nx := ${n}\n`, '/.manifest': '{"roots": ["a"]}' });
const polling = { min_delay_seconds: 0, max_delay_seconds: 0 };

async function running(start: StartPlugins, service: BundleService, more: PlainObject = {}) {
  const plugins = await start({
    services: { s: { url: service.url, response_header_timeout_seconds: 1 } },
    bundles: { b: { resource: 'bundle.tar.gz', polling, size_limit_bytes: 100_000, ...more } },
  });
  await plugins.settled();
  const status = () => (plugins.status() as { bundles: { b: PlainObject } }).bundles.b;
  return { ...plugins, status };
}

const whole = await archiveOf(policy(9));
const huge = gzipSync(await tarOf([['/a/data.json', JSON.stringify('x'.repeat(200_000))]]));
const random = Buffer.from(Array.from({ length: 150_000 }, (_, i) => Math.imul(i, 2_654_435_761) >>> 24));

const faults: readonly [string, (response: ServerResponse, path: string) => void, string | RegExp][] = [
  ['does not answer', () => undefined, 'timed out'],
  ['ends the connection', (response) => response.destroy(), 'EOF'],
  [
    'ends within the body',
    (response) => response.writeHead(200, { 'content-length': whole.length }).write(whole.subarray(0, 20), () => response.destroy()),
    'unexpected EOF',
  ],
  ['cuts the archive off', (response) => response.end(whole.subarray(0, whole.length - 20)), 'unexpected EOF'],
  ['answers with an error', (response) => response.writeHead(500).end(), 'server replied with Internal Server Error'],
  ['answers through a gateway', (response) => response.writeHead(502).end('<html>'), 'server replied with Bad Gateway'],
  ['limits the rate', (response) => response.writeHead(429, { 'retry-after': '1' }).end(), 'server replied with Too Many Requests'],
  ['answers without content', (response) => response.writeHead(204).end(), 'server replied with No Content'],
  ['answers with a part', (response) => response.writeHead(206).end(whole.subarray(0, 50)), 'server replied with Partial Content'],
  ['shows a page for signing in', (response) => response.end('<html>'), 'gzip: invalid header'],
  ['redirects for ever', (response, path) => response.writeHead(302, { location: `${path}1` }).end(), 'stopped after 10 redirects'],
  ['redirects to nowhere', (response) => response.writeHead(302, { location: 'http://[' }).end(), 'the redirect has no valid location'],
  ['redirects to a file', (response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(), 'the redirect leads to file:'],
  [
    'redirects to an unknown host',
    (response) => response.writeHead(302, { location: 'http://writ.invalid/' }).end(),
    /lookup writ\.invalid/,
  ],
  ['declares an encoding that is not there', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('text'), 'gzip'],
  [
    'uses an encoding that was not asked for',
    (response) => response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(whole)),
    'gzip: invalid header',
  ],
  ['sends more than the limit', (response) => response.end(random), 'response body is larger than 100000 bytes'],
  ['sends an archive that grows beyond the limit', (response) => response.end(huge), 'archive exceeded max size (100000 bytes)'],
  [
    'sends an encoding that grows beyond the limit',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
    'response body is larger than 100000 bytes',
  ],
];

describe.concurrent.each(pluginFaces)('%s', (_face, start) => {
  describe('a service that', () => {
    test.each(faults)('%s leaves the last good bundle, and is used again once it works', async (_title, answer, message) => {
      const service = await BundleService.start();
      await service.put('"1"', policy(1));
      const { decide, states, isReady, status, lines } = await running(start, service);
      expect(await decide('a/x')).toBe(1);
      await service.put('"2"', policy(2));
      service.failing = ({ path }, response) => answer(response, path);
      // The version before may be fetched meanwhile.
      await eventually(() => expect(status().message).toMatch(message));
      expect([1, 2]).toContain(await decide('a/x'));
      expect(status()).toMatchObject({ code: 'bundle_error' });
      expect(states().get('bundle')).toEqual({ state: 'OK' });
      expect(isReady()).toBe(true);
      expect(lines.filter(({ level, name }) => level === 'error' && name === 'b').length).toBeGreaterThan(0);
      service.failing = undefined;
      await service.put('"3"', policy(3));
      await eventually(async () => expect(await decide('a/x')).toBe(3));
      await eventually(() => expect(status()).not.toHaveProperty('message'));
    });

    test.each(faults)('%s at the start makes the server wait until it works', async (_title, answer, message) => {
      const service = await BundleService.start();
      service.failing = ({ path }, response) => answer(response, path);
      const { decide, states, isReady, status } = await running(start, service);
      expect(status().message).toMatch(message);
      expect(isReady()).toBe(false);
      expect(states().get('bundle')).toEqual({ state: 'NOT_READY' });
      service.failing = undefined;
      await service.put('"1"', policy(1));
      await eventually(async () => expect(await decide('a/x')).toBe(1));
      expect(isReady()).toBe(true);
    });
  });

  describe('an etag', () => {
    test('that stays the same while the content changes does not keep another version away', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy(1));
      const { decide } = await running(start, service);
      const changed = await archiveOf(policy(2));
      service.failing = (_, response) => response.writeHead(200, { etag: '"1"' }).end(changed);
      await eventually(async () => expect(await decide('a/x')).toBe(2));
    });

    test('that is missing has the whole bundle fetched, and activated only where it has changed', async () => {
      const service = await BundleService.start();
      let archive = await archiveOf(policy(1));
      service.failing = (_, response) => response.end(archive);
      const { decide, lines } = await running(start, service);
      await eventually(() => expect(service.requests.length).toBeGreaterThan(3));
      expect(service.requests.every(({ headers }) => headers['if-none-match'] === undefined)).toBe(true);
      expect(lines.filter(({ msg }) => msg === 'Bundle loaded and activated successfully.')).toHaveLength(1);
      archive = await archiveOf(policy(2));
      await eventually(async () => expect(await decide('a/x')).toBe(2));
    });
  });

  test('a long poll that is cut off is made again, and its failure is shown', async () => {
    const service = await BundleService.start();
    await service.put('"1"', policy(1));
    const { decide, status } = await running(start, service, { polling: { ...polling, long_polling_timeout_seconds: 5 } });
    await eventually(() => expect(service.requests).toHaveLength(2));
    service.failing = (_, response) => response.destroy();
    // The held request is answered by the next version; the one after it fails.
    await service.put('"2"', policy(2));
    await eventually(() => expect(status().message).toContain('EOF'));
    service.failing = undefined;
    await service.put('"3"', policy(3));
    await eventually(async () => expect(await decide('a/x')).toBe(3));
    await eventually(() => expect(status()).not.toHaveProperty('message'));
  });
});
