import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { signFiles } from '../../../engine/bundle/signature/signing.js';
import { archiveOf } from '../../../test/harness/archives.js';
import { eventually, temporaryDirectory } from '../../../test/harness/disk.js';
import { BundleService } from '../../../test/harness/server/bundle-service.js';
import { type PluginFace, pluginFaces, type StartPlugins } from '../../../test/harness/server/plugin-faces.js';
import { tellTestsApart } from '../../../test/harness/set-up/concurrent-tests.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import type { PlainObject } from '../../../values/value.js';

tellTestsApart();

const policy = (value: string, roots = ['a']) => ({
  '/a/p.rego': `package a\n\nx := ${value}\n\ny := data.a.d\n`,
  '/a/d/data.json': JSON.stringify({ n: value }),
  '/.manifest': JSON.stringify({ revision: `r${value}`, roots }),
});

const often = { polling: { min_delay_seconds: 0, max_delay_seconds: 0 } };
const waiting = { polling: { min_delay_seconds: 60, max_delay_seconds: 60, long_polling_timeout_seconds: 10 } };

async function running(
  start: StartPlugins,
  service: BundleService,
  bundle: PlainObject = often,
  more: PlainObject = {},
): Promise<PluginFace> {
  const services = { s: { url: `${service.url}/base`, response_header_timeout_seconds: 1 } };
  const plugins = await start({
    services,
    bundles: { b: { resource: '/a/bundle.tar.gz', ...bundle } },
    ...more,
  });
  await plugins.settled();
  return plugins;
}

function statusOf({ status }: PluginFace, name = 'b'): PlainObject {
  return (status() as { bundles: { [name: string]: PlainObject } }).bundles[name]!;
}

const faulty = {
  errors: await archiveOf(policy('undefined_function(1)')),
  roots: await archiveOf({ '/z/p.rego': 'package z\n', '/.manifest': '{"roots": ["a"]}' }),
};

describe.concurrent.each(pluginFaces)('%s', (_face, start) => {
  describe('a bundle of a service', () => {
    test('is fetched, and again when it has another version', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const plugins = await running(start, service);
      expect(await plugins.decide('a/x')).toBe(1);
      expect(await plugins.decide('system/bundles/b/etag')).toBe('"1"');
      expect(plugins.isReady()).toBe(true);
      expect(service.requests[0]).toMatchObject({ path: '/base/a/bundle.tar.gz', headers: { prefer: 'modes=snapshot,delta' } });
      expect(service.requests[0]!.headers).not.toHaveProperty('if-none-match');
      await service.put('"2"', policy('2'));
      await eventually(async () => expect(await plugins.decide('a/x')).toBe(2));
      await eventually(() => expect(service.requests.at(-1)!.headers['if-none-match']).toBe('"2"'));
      expect(statusOf(plugins)).toMatchObject({
        active_revision: 'r2',
        type: 'snapshot',
        size: expect.any(Number),
        metrics: Object.fromEntries(
          ['bundle_request', 'rego_data_parse', 'rego_load_bundles', 'rego_module_compile', 'rego_module_parse'].map((stage) => [
            `timer_${stage}_ns`,
            expect.any(Number),
          ]),
        ),
      });
    });

    test('is logged with its version, its size and the time of its download', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const { lines } = await running(start, service);
      expect(lines.filter(({ msg }) => msg === 'Bundle loaded and activated successfully.')).toEqual([
        expect.objectContaining({ name: 'b', revision: 'r1', etag: '"1"', size: expect.any(Number), request_ms: expect.any(Number) }),
      ]);
    });

    test('is not activated again while its etag is the same, nor where another etag has the same content', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const plugins = await running(start, service);
      await service.put('"other"', policy('1'));
      await eventually(() => expect(service.requests.at(-1)!.headers['if-none-match']).toBe('"other"'));
      expect(plugins.lines.filter(({ msg }) => msg === 'Bundle loaded and activated successfully.')).toHaveLength(1);
    });

    test.each([
      ['the service refuses', (_, response) => response.writeHead(503).end('secret'), 'server replied with Service Unavailable'],
      ['the rate is limited', (_, response) => response.writeHead(429).end(), 'server replied with Too Many Requests'],
      ['the service is silent', () => undefined, 'timed out'],
      [
        'a response is cut off',
        (_, response) => response.writeHead(200, { 'content-length': 99 }).write('x', () => response.destroy()),
        'unexpected EOF',
      ],
      ['a response is no bundle', (_, response) => response.end('text'), 'bundle read failed: archive read failed: gzip: invalid header'],
      ['a response is empty', (_, response) => response.end(), 'the response is empty'],
      ['nothing was modified since never', (_, response) => response.writeHead(304).end(), 'server replied with Not Modified'],
    ] satisfies [string, NonNullable<BundleService['failing']>, string][])(
      'that fails because %s keeps the last version active',
      async (_title, answer, message) => {
        const service = await BundleService.start();
        service.failing = answer;
        const plugins = await running(start, service);
        expect(plugins.isReady()).toBe(false);
        expect(plugins.states().get('bundle')).toEqual({ state: 'NOT_READY' });
        expect(statusOf(plugins)).toMatchObject({ code: 'bundle_error', message: expect.stringContaining(message) });
        expect(JSON.stringify(plugins.lines)).not.toContain('secret');
        service.failing = undefined;
        await service.put('"1"', policy('1'));
        await eventually(async () => expect(await plugins.decide('a/x')).toBe(1));
        service.failing = message.includes('Not Modified') ? (_, response) => response.writeHead(500).end() : answer;
        await eventually(() => expect(statusOf(plugins)).toHaveProperty('message'));
        expect(await plugins.decide('a/x')).toBe(1);
        expect(plugins.states().get('bundle')).toEqual({ state: 'OK' });
        service.failing = undefined;
        await eventually(() => expect(statusOf(plugins)).not.toHaveProperty('message'));
      },
    );

    test('has its status code in the status', async () => {
      const service = await BundleService.start();
      service.failing = (_, response) => response.writeHead(404).end();
      expect(statusOf(await running(start, service))).toMatchObject({ http_code: 404, message: 'server replied with Not Found' });
    });

    test('that compiles with errors keeps the last version active', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const plugins = await running(start, service);
      await service.put('"2"', policy('undefined_function(1)'));
      await eventually(() => expect(statusOf(plugins)).toHaveProperty('errors'));
      expect(await plugins.decide('a/x')).toBe(1);
      await service.put('"3"', policy('3'));
      await eventually(async () => expect(await plugins.decide('a/x')).toBe(3));
    });

    test.each([
      ['compiles with errors', (response) => response.end(faulty.errors), 'Bundle activation failed'],
      ['has content outside of its roots', (response) => response.end(faulty.roots), 'Bundle load failed'],
      ['is cut off', (response) => response.end(faulty.errors.subarray(0, 60)), 'Bundle load failed'],
      ['is refused by the service', (response) => response.writeHead(403).end(), 'Bundle load failed'],
    ] satisfies [string, (response: ServerResponse) => void, string][])(
      'that %s leaves the active version, which the next requests name',
      async (_title, answer, message) => {
        const service = await BundleService.start();
        await service.put('"1"', policy('1'));
        const plugins = await running(start, service);
        const from = service.requests.length;
        service.failing = (_, response) => answer(response.setHeader('etag', '"2"'));
        await eventually(() => expect(service.requests.length).toBeGreaterThan(from + 4));
        expect(service.requests.slice(from).map(({ headers }) => headers['if-none-match'])).toEqual(
          service.requests.slice(from).map(() => '"1"'),
        );
        expect(plugins.lines).toContainEqual(expect.objectContaining({ msg: expect.stringContaining(message) }));
        expect(statusOf(plugins)).toMatchObject({ code: 'bundle_error', active_revision: 'r1' });
        expect(await plugins.decide('a/x')).toBe(1);
        // The service has gone back to the active version.
        service.failing = undefined;
        await eventually(() => expect(statusOf(plugins)).not.toHaveProperty('code'));
        expect(plugins.lines.filter(({ msg }) => msg === 'Bundle loaded and activated successfully.')).toHaveLength(1);
      },
    );

    test('that was refused is activated again only once something has changed', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const plugins = await running(start, service);
      const refusals = () => plugins.lines.filter(({ msg }) => String(msg).startsWith('Bundle activation failed'));
      const polled = async () => {
        const from = service.requests.length;
        await eventually(() => expect(service.requests.length).toBeGreaterThan(from + 2));
      };
      await service.put('"2"', policy('data.lib.f(1)'));
      await eventually(() => expect(refusals()).toHaveLength(1));
      await polled();
      expect(refusals()).toHaveLength(1);
      expect(statusOf(plugins)).toHaveProperty('errors');
      // A failure of the service does not hide that the bundle is faulty.
      service.failing = (_, response) => response.writeHead(500).end();
      await eventually(() => expect(statusOf(plugins)).toHaveProperty('http_code'));
      service.failing = undefined;
      await eventually(() => expect(statusOf(plugins)).toHaveProperty('errors'));
      expect(refusals()).toHaveLength(1);
      await plugins.trigger();
      expect(refusals()).toHaveLength(2);
      await plugins.setPolicy('lib', 'package lib\n\nf(n) := n + 6\n');
      await eventually(async () => expect(await plugins.decide('a/x')).toBe(7));
      expect(statusOf(plugins)).not.toHaveProperty('errors');
    });

    test('may not be larger than the limit', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const plugins = await running(start, service, { ...often, size_limit_bytes: 100 });
      expect(statusOf(plugins).message).toContain('response body is larger than 100 bytes');
    });

    test('waits for a trigger where it is told to', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const plugins = await running(start, service, { ...often, trigger: 'manual' });
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(service.requests).toEqual([]);
      expect(plugins.isReady()).toBe(false);
      expect(plugins.states().get('bundle')).toEqual({ state: 'NOT_READY' });
      await plugins.trigger();
      expect(await plugins.decide('a/x')).toBe(1);
      expect(plugins.states().get('bundle')).toEqual({ state: 'OK' });
      await service.put('"2"', policy('2'));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(service.requests).toHaveLength(1);
      await plugins.trigger();
      expect(await plugins.decide('a/x')).toBe(2);
    });

    test('must have the signature that is configured', async () => {
      const service = await BundleService.start();
      const files = policy('1');
      const texts = new Map(Object.entries(files).map(([name, text]) => [name.slice(1), new TextEncoder().encode(text)]));
      const signatures = await signFiles(texts, { key: 'secret', algorithm: 'HS256', keyId: 'k' }, nodeHost.crypto!);
      await service.put('"1"', files);
      const keys = { keys: { k: { key: 'secret', algorithm: 'HS256' } } };
      const plugins = await running(start, service, { ...often, signing: { keyid: 'k' } }, keys);
      expect(statusOf(plugins).message).toContain('bundle missing .signatures.json file');
      await service.put('"2"', { ...files, '/.signatures.json': JSON.stringify(signatures) });
      await eventually(async () => expect(await plugins.decide('a/x')).toBe(1));
    });
  });

  describe('long polling', () => {
    test('gets another version as soon as there is one', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const plugins = await running(start, service, waiting);
      await eventually(() => expect(service.requests).toHaveLength(2));
      expect(service.requests[1]!.headers).toMatchObject({ prefer: 'modes=snapshot,delta;wait=10', 'if-none-match': '"1"' });
      await service.put('"2"', policy('2'));
      await eventually(async () => expect(await plugins.decide('a/x')).toBe(2));
    });

    test('is polling at intervals where the server does not wait', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      service.holds = false;
      await running(start, service, waiting);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(service.requests).toHaveLength(1);
    });
  });

  describe('delta bundles', () => {
    const changed = (n: number) => [{ op: 'upsert', path: '/a/d/n', value: n }];

    test('change the documents of the active version', async () => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const plugins = await running(start, service);
      await service.change('"2"', changed(5), policy('5'));
      await eventually(async () => expect(await plugins.decide('a/y')).toEqual({ n: 5 }));
      expect(await plugins.decide('a/x')).toBe(1);
      expect(statusOf(plugins)).toMatchObject({ active_revision: '"2"', type: 'delta' });
      expect(await plugins.decide('system/bundles/b/etag')).toBe('"2"');
      await service.change('"3"', changed(6), policy('6'));
      await eventually(async () => expect(await plugins.decide('a/y')).toEqual({ n: 6 }));
    });

    test.each([
      ['a path that does not exist', [{ op: 'replace', path: '/a/none/deep', value: 1 }]],
      ['an operation that does not exist', [{ op: 'jump', path: '/a/d', value: 1 }]],
      ['a path outside of the roots', [{ op: 'upsert', path: '/z', value: 1 }]],
    ])('with %s are refused whole, and the active version and its name stay', async (_title, faulty) => {
      const service = await BundleService.start();
      await service.put('"1"', policy('1'));
      const plugins = await running(start, service);
      await service.change('"2"', changed(5), policy('1'));
      await eventually(async () => expect(await plugins.decide('a/y')).toEqual({ n: 5 }));
      // The service begins with the first version for those that name none.
      await service.change('"3"', [...changed(6), ...faulty], policy('1'));
      const before = service.requests.length;
      await eventually(() => expect(service.requests.length).toBeGreaterThan(before + 2));
      expect(await plugins.decide('a/y')).toEqual({ n: 5 });
      expect(new Set(service.requests.slice(before + 1).map(({ headers }) => headers['if-none-match']))).toEqual(new Set(['"2"']));
      expect(statusOf(plugins)).toMatchObject({ active_revision: '"2"', message: expect.any(String) });
      const states = plugins.lines.filter(({ level, plugin }) => level === 'error' && plugin === 'bundle').map(({ msg }) => msg);
      expect(states[0]).toMatch(/Bundle (load|activation) failed/);
      await plugins.trigger();
      expect(await plugins.decide('a/y')).toEqual({ n: 5 });
    });
  });

  describe('several bundles', () => {
    test('may need each other, whichever comes first', async () => {
      const [one, two] = [await BundleService.start(), await BundleService.start()];
      await one.put('"1"', { '/a/p.rego': 'package a\n\nx := data.b.f(1)\n', '/.manifest': '{"roots": ["a"]}' });
      let answer = () => {};
      two.failing = (_, response) => {
        answer = () => response.writeHead(500).end();
      };
      const services = { one: { url: one.url }, two: { url: two.url } };
      const bundles = { a: { service: 'one', ...often }, b: { service: 'two', ...often } };
      const plugins = await start({ services, bundles });
      await eventually(() => expect(statusOf(plugins, 'a')).toHaveProperty('errors'));
      two.failing = undefined;
      await two.put('"1"', { '/b/p.rego': 'package b\n\nf(n) := n + 1\n', '/.manifest': '{"roots": ["b"]}' });
      answer();
      await eventually(async () => expect(await plugins.decide('a/x')).toBe(2));
      expect(plugins.isReady()).toBe(true);
    });

    test('with roots that overlap are not active together', async () => {
      const [one, two] = [await BundleService.start(), await BundleService.start()];
      await one.put('"1"', policy('1'));
      await two.put('"1"', { '/a/d/e/data.json': '{}', '/.manifest': '{"roots": ["a/d"]}' });
      const services = { one: { url: one.url }, two: { url: two.url } };
      const plugins = await start({ services, bundles: { a: { service: 'one' }, b: { service: 'two' } } });
      await plugins.settled();
      expect(plugins.isReady()).toBe(false);
      const messages = ['a', 'b'].map((name) => statusOf(plugins, name).message).filter((message) => message !== undefined);
      expect(messages).toEqual([expect.stringContaining('detected overlapping roots')]);
    });
  });

  test('a saved bundle decides while the service is down, and its etag is named when it is up', async () => {
    const service = await BundleService.start();
    await service.put('"1"', policy('1'));
    const persistence = { persistence_directory: temporaryDirectory() };
    const first = await running(start, service, { ...often, persist: true }, persistence);
    expect(await first.decide('a/x')).toBe(1);
    await first.stop();
    service.failing = (_, response) => response.writeHead(503).end();
    const second = await running(start, service, { ...often, persist: true }, persistence);
    expect(await second.decide('a/x')).toBe(1);
    expect(second.isReady()).toBe(true);
    const loaded = second.lines.filter(({ msg }) => String(msg).startsWith('Bundle loaded'));
    expect(loaded).toMatchObject([
      {
        msg: 'Bundle loaded from disk and activated successfully.',
        name: 'b',
        saved_at: expect.any(String),
        age_seconds: expect.any(Number),
      },
    ]);
    service.failing = undefined;
    await eventually(() => expect(service.requests.at(-1)!.headers['if-none-match']).toBe('"1"'));
    await eventually(() => expect(statusOf(second)).not.toHaveProperty('message'));
  });
});
