import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { signFiles } from '../../../engine/bundle/signature/signing.js';
import { eventually, temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { writeArchive } from '../../../test/harness/process/tar-archive.js';
import { pluginFaces } from '../../../test/harness/server/plugin-faces.js';
import { type RunningPlugins, started } from '../../../test/harness/server/plugins.js';
import { nodeHost } from '../../../values/builtins/host/node.js';
import type { PlainObject } from '../../../values/value.js';
import { parsePlugins } from '../config/plugins-config.js';

const policy = (pkg: string, value: string) => ({
  [`${pkg}/p.rego`]: `package ${pkg}\n\nx := ${value}\n`,
  '.manifest': JSON.stringify({ revision: `${pkg}-${value}`, roots: [pkg] }),
});

function bundleConfig(paths: { readonly [name: string]: string }, more: PlainObject = {}): PlainObject {
  return { bundles: Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { resource: `file://${path}`, ...more }])) };
}

describe.each(pluginFaces)('%s', (_face, start) => {
  describe('bundles of files', () => {
    test('directories and archives are active when the start is over', async () => {
      const directory = temporaryDirectory();
      const a = writeFiles(join(directory, 'a'), policy('a', '1'));
      const b = writeArchive(join(directory, 'b.tar.gz'), policy('b', '2'));
      const { decide, status, states, isReady } = await start({ ...bundleConfig({ a, b }), status: { prometheus: true } });
      expect(await decide('a/x')).toBe(1);
      expect(await decide('b/x')).toBe(2);
      expect(isReady()).toBe(true);
      expect(states().get('bundle')).toEqual({ state: 'OK' });
      const { bundles } = status() as { bundles: { a: PlainObject; b: PlainObject } };
      expect(bundles.a).toMatchObject({ name: 'a', active_revision: 'a-1', type: 'snapshot' });
      expect(bundles.a.last_successful_activation).toMatch(/^20\d\d-.*Z$/);
      expect(bundles.a.metrics).toHaveProperty('timer_rego_load_bundles_ns');
      expect(bundles.b.size).toBeGreaterThan(100);
    });

    test('what of a bundle is not run is told', async () => {
      const directory = temporaryDirectory();
      const manifest = JSON.stringify({ roots: ['a'], wasm: [{ entrypoint: 'a/x', module: '/policy.wasm' }] });
      const a = writeFiles(join(directory, 'a'), { ...policy('a', '1'), 'policy.wasm': 'x', '.manifest': manifest });
      const { decide, lines } = await start(bundleConfig({ a }));
      expect(await decide('a/x')).toBe(1);
      expect(lines).toContainEqual(
        expect.objectContaining({ level: 'warning', msg: expect.stringContaining('WebAssembly is not run'), name: 'a' }),
      );
    });

    test('one may need another', async () => {
      const directory = temporaryDirectory();
      const a = writeFiles(join(directory, 'a'), {
        'a/p.rego': 'package a\n\nx := data.b.f(1)\n',
        '.manifest': '{"roots": ["a"]}',
      });
      const b = writeFiles(join(directory, 'b'), { 'b/p.rego': 'package b\n\nf(n) := n + 1\n', '.manifest': '{"roots": ["b"]}' });
      const { decide } = await start(bundleConfig({ a, b }));
      expect(await decide('a/x')).toBe(2);
    });

    test('a faulty one keeps no other out, and its status says what is wrong', async () => {
      const directory = temporaryDirectory();
      const good = writeFiles(join(directory, 'good'), policy('good', '1'));
      const bad = writeFiles(join(directory, 'bad'), policy('bad', 'undefined_function(1)'));
      const missing = join(directory, 'missing.tar.gz');
      const { status, states, isReady, decide, lines } = await start({
        ...bundleConfig({ bad, good, missing }),
        status: { prometheus: true },
      });
      expect(await decide('good/x')).toBe(1);
      expect(isReady()).toBe(false);
      expect(states().get('bundle')).toEqual({ state: 'NOT_READY' });
      const bundles = (status() as { bundles: { [name: string]: PlainObject } }).bundles;
      expect(bundles.bad).toMatchObject({
        code: 'bundle_error',
        message: 'error(s) occurred while compiling module(s)',
        errors: [{ code: 'rego_type_error', message: 'undefined function undefined_function' }],
        last_successful_activation: '0001-01-01T00:00:00Z',
      });
      expect(bundles.missing).toMatchObject({ code: 'bundle_error', message: expect.stringContaining('no such file or directory') });
      expect(bundles.good).not.toHaveProperty('code');
      expect(lines.filter(({ level }) => level === 'error').map(({ name }) => name)).toEqual(['missing', 'bad']);
    });

    test('roots that overlap are not active together', async () => {
      const directory = temporaryDirectory();
      const a = writeFiles(join(directory, 'a'), { 'x/data.json': '{"a": 1}', '.manifest': '{"roots": ["x"]}' });
      const b = writeFiles(join(directory, 'b'), { 'x/y/data.json': '{"b": 1}', '.manifest': '{"roots": ["x/y"]}' });
      const { status } = await start({ ...bundleConfig({ a, b }), status: { prometheus: true } });
      const bundles = (status() as { bundles: { [name: string]: PlainObject } }).bundles;
      expect(bundles.a).toMatchObject({ last_successful_activation: expect.stringMatching(/^20/) });
      expect(bundles.b).toMatchObject({ last_successful_activation: '0001-01-01T00:00:00Z' });
      expect(bundles.b!.message).toBe('detected overlapping roots in manifests for these bundles: [a, b] (x overlaps x/y)');
    });

    test('a later state that is faulty leaves the last good one, until a good one comes', async () => {
      const directory = temporaryDirectory();
      const a = writeFiles(join(directory, 'a'), policy('a', '1'));
      const { status, states, trigger, decide } = await start({ ...bundleConfig({ a }), status: { prometheus: true } });
      writeFiles(a, policy('a', '2 +'));
      await trigger();
      expect(await decide('a/x')).toBe(1);
      const bundle = () => (status() as { bundles: { a: PlainObject } }).bundles.a;
      expect(bundle()).toMatchObject({ code: 'bundle_error', active_revision: 'a-1' });
      expect(states().get('bundle')).toEqual({ state: 'OK' });
      writeFiles(a, policy('a', '3'));
      await trigger();
      expect(await decide('a/x')).toBe(3);
      expect(bundle()).not.toHaveProperty('code');
    });

    test('an archive that is cut off is faulty as well', async () => {
      const directory = temporaryDirectory();
      const a = writeArchive(join(directory, 'a.tar.gz'), policy('a', '1'));
      const { trigger, decide } = await start(bundleConfig({ a }));
      writeFileSync(a, 'not gzip');
      await trigger();
      expect(await decide('a/x')).toBe(1);
    });

    test.each([
      ['watched', { watch: true }, {}],
      ['polled', {}, { polling: { min_delay_seconds: 0, max_delay_seconds: 0 } }],
    ])('files that are %s are read again when they change', async (_title, options, more) => {
      const directory = temporaryDirectory();
      const a = writeFiles(join(directory, 'a'), policy('a', '1'));
      const b = writeArchive(join(directory, 'b.tar.gz'), policy('b', '1'));
      const { decide } = await start(bundleConfig({ a, b }, more), options);
      writeFiles(a, policy('a', '2'));
      await eventually(async () => expect(await decide('a/x')).toBe(2));
      // As a build does it: a new file takes the old one's name.
      writeArchive(join(directory, 'new.tar.gz'), policy('b', '2'));
      writeArchive(b, policy('b', '2'));
      await eventually(async () => expect(await decide('b/x')).toBe(2));
    });

    test('signatures are checked with the configured keys, and again when what was kept is loaded', async () => {
      const directory = temporaryDirectory();
      const files = policy('a', '1');
      const texts = new Map(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]));
      const signatures = await signFiles(texts, { key: 'secret', algorithm: 'HS256', keyId: 'k' }, nodeHost.crypto!);
      const signed = { ...files, '.signatures.json': JSON.stringify(signatures) };
      const a = writeArchive(join(directory, 'a.tar.gz'), signed);
      const config = (key: string) => ({
        keys: { k: { key, algorithm: 'HS256' } },
        ...bundleConfig({ a }, { persist: true, signing: { keyid: 'k' } }),
        persistence_directory: directory,
      });
      const { trigger, decide } = await start(config('secret'));
      expect(await decide('a/x')).toBe(1);
      writeArchive(a, { ...signed, 'a/p.rego': 'package a\n\nx := 2\n' });
      await trigger();
      expect(await decide('a/x')).toBe(1);
      writeArchive(a, files);
      await trigger();
      expect(await decide('a/x')).toBe(1);
      rmSync(a);
      expect(await (await start(config('secret'))).decide('a/x')).toBe(1);
      const other = await start(config('other'));
      expect(await other.decide('a/x')).toBeUndefined();
      expect(other.lines.find(({ level }) => level === 'error')?.msg).toMatch(/^Failed to load bundle from disk: /);
    });

    test('a plan without modules is served', async () => {
      const fixture = join(import.meta.dirname, '../../../fixtures/plans/allow.json');
      const [example] = JSON.parse(readFileSync(fixture, 'utf8')).cases;
      const plan = join(temporaryDirectory(), 'plan.json');
      writeFileSync(plan, JSON.stringify(example.plan));
      const { isReady, decide } = await start(bundleConfig({ plan }));
      expect(isReady()).toBe(true);
      expect(await decide(example.entrypoints[0], example.input)).toBeDefined();
    });
  });

  describe('kept on disk', () => {
    test('without the setting nothing is', async () => {
      const directory = temporaryDirectory();
      const a = writeFiles(join(directory, 'a'), policy('a', '1'));
      const config = { ...bundleConfig({ a }), persistence_directory: join(directory, 'kept') };
      await (await start(config)).stop();
      rmSync(a, { recursive: true });
      expect(await (await start(config)).decide('a/x')).toBeUndefined();
    });

    test('what is damaged is told and passed over', async () => {
      const directory = temporaryDirectory();
      const a = writeFiles(join(directory, 'a'), policy('a', '1'));
      const config = { ...bundleConfig({ a }, { persist: true }), persistence_directory: directory };
      await (await start(config)).stop();
      writeFileSync(join(directory, 'bundles/a/bundle.msgpack'), 'writ-kept-1\nrubbish');
      const { decide, lines } = await start(config);
      expect(await decide('a/x')).toBe(1);
      expect(lines.find(({ level }) => level === 'error')?.msg).toMatch(/^Failed to load bundle from disk: .*bundle.msgpack is damaged$/);
    });

    test('a place that cannot be written leaves the bundle active', async () => {
      const directory = temporaryDirectory();
      const a = writeFiles(join(directory, 'a'), policy('a', '1'));
      writeFileSync(join(directory, 'kept'), 'a file, not a directory');
      const { decide, lines } = await start({ ...bundleConfig({ a }, { persist: true }), persistence_directory: join(directory, 'kept') });
      expect(await decide('a/x')).toBe(1);
      expect(lines.some(({ msg }) => (msg as string).startsWith('Persisting bundle to disk failed'))).toBe(true);
    });
  });
});

describe('plugins of an engine', () => {
  test('clients cannot write what a bundle owns', async () => {
    const directory = temporaryDirectory();
    const a = writeFiles(join(directory, 'a'), policy('a', '1'));
    const { engine } = await started(bundleConfig({ a }));
    const write = (path: string[]) => engine.commit({ data: [{ op: 'write', path, value: 1 }] });
    await expect(write(['a', 'y'])).rejects.toThrow('path a/y is owned by bundle "a"');
    await write(['b']);
  });

  test('a bundle that is configured no more is taken out', async () => {
    const directory = temporaryDirectory();
    const a = writeFiles(join(directory, 'a'), policy('a', '1'));
    const b = writeFiles(join(directory, 'b'), policy('b', '1'));
    const { manager, decide, engine } = await started(bundleConfig({ a, b }));
    await manager.reconfigure(parsePlugins(bundleConfig({ b })));
    expect(await decide('a/x')).toBeUndefined();
    expect(await decide('b/x')).toBe(1);
    await manager.reconfigure(parsePlugins({}));
    expect(engine.bundles()).toEqual([]);
    expect([...manager.states().keys()]).toEqual(['discovery']);
    await manager.reconfigure(parsePlugins(bundleConfig({ a })));
    expect(await decide('a/x')).toBe(1);
    expect(manager.states().get('bundle')).toEqual({ state: 'OK' });
  });

  test('a start with the same bundles parses and compiles nothing', async () => {
    const directory = temporaryDirectory();
    const a = writeFiles(join(directory, 'a'), policy('a', 'input.n + 1'));
    const b = writeFiles(join(directory, 'b'), policy('b', 'data.a.x + 1'));
    const config = { ...bundleConfig({ a, b }, { persist: true }), persistence_directory: directory, status: { prometheus: true } };
    const timersOf = ({ manager }: RunningPlugins) => {
      const { bundles } = manager.status() as { bundles: { a: { metrics: PlainObject }; b: { metrics: PlainObject } } };
      const measured = Object.entries({ ...bundles.a.metrics, ...bundles.b.metrics }).filter(([, nanoseconds]) => nanoseconds !== 0);
      return measured.map(([timer]) => timer).sort();
    };
    const first = await started(config);
    expect(timersOf(first)).toContain('timer_rego_module_compile_ns');
    expect(await first.decide('b/x', { n: 1 })).toBe(3);
    await first.manager.stop();
    const second = await started(config);
    expect(await second.decide('b/x', { n: 1 })).toBe(3);
    expect(timersOf(second)).toEqual(['timer_rego_load_bundles_ns']);
    // The saved programs do not fit the changed bundle.
    await second.manager.stop();
    writeFiles(a, policy('a', 'input.n + 2'));
    const third = await started(config);
    expect(await third.decide('b/x', { n: 1 })).toBe(4);
    expect(third.lines.filter(({ level }) => level === 'error' || level === 'warning')).toEqual([]);
  });

  test('what was activated answers in the next run, whatever became of the resource', async () => {
    const directory = temporaryDirectory();
    const kept = join(directory, 'kept');
    const a = writeArchive(join(directory, 'a.tar.gz'), policy('a', '1'));
    const b = writeFiles(join(directory, 'b'), { ...policy('b', '1'), 'b/data.json': '{"y": [12345678901234567890, {"__proto__": 1}]}' });
    const config = { ...bundleConfig({ 'na/me': a, '..': b }, { persist: true }), persistence_directory: kept };
    const first = await started(config);
    await first.manager.stop();
    rmSync(a);
    rmSync(b, { recursive: true });
    const second = await started(config);
    expect(await second.decide('a/x')).toBe(1);
    expect(second.manager.bundlesActivated()).toBe(true);
    expect(second.engine.bundles()).toEqual(first.engine.bundles());
    expect(second.engine.policies().map(({ raw }) => raw)).toEqual(first.engine.policies().map(({ raw }) => raw));
    expect(second.engine.readData(['b'])).toEqual(first.engine.readData(['b']));
    writeArchive(a, policy('a', '2'));
    await second.manager.trigger();
    expect(await second.decide('a/x')).toBe(2);
  });
});
