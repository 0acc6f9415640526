import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, temporaryDirectory, writeFiles } from '../../test/harness/disk.js';
import { bench, started } from '../../test/harness/server/plugins.js';
import type { PlainObject, Value } from '../../values/value.js';
import { ConfigError } from './config/config-section.js';
import { parsePlugins } from './config/plugins-config.js';
import { PluginManager } from './manager.js';

const services = { s1: { url: 'http://a' }, s2: { url: 'http://b' } };

describe('configuration', () => {
  test('without sections there are no plugins', () => {
    expect(parsePlugins({})).toEqual({
      services: new Map(),
      bundles: new Map(),
      decisionLogs: undefined,
      status: undefined,
      persistenceDirectory: join(process.cwd(), '.opa'),
    });
  });

  test('bundles have the defaults', () => {
    const { bundles } = parsePlugins({
      services,
      bundles: { a: {}, b: { resource: 'file:///x', persist: true }, c: { service: 's2', resource: 'p/q' } },
    });
    expect(bundles.get('a')).toMatchObject({
      service: 's1',
      resource: 'bundles/a',
      persist: false,
      trigger: 'periodic',
      sizeLimitBytes: 1024 ** 3,
    });
    expect(bundles.get('b')).toMatchObject({ service: undefined, resource: 'file:///x', persist: true, verification: { keys: {} } });
    expect(bundles.get('c')).toMatchObject({ service: 's2', resource: 'p/q' });
  });

  test('the single bundle of older configurations is one of them', () => {
    const { bundles } = parsePlugins({ services, bundle: { name: 'x/y', prefix: '/p', service: 's1' } });
    expect(bundles.get('x/y')).toMatchObject({ service: 's1', resource: 'p/x/y' });
  });

  test('configured keys check every bundle', () => {
    const keys = { k: { key: 'pem' }, secret: { key: 's', algorithm: 'HS256', scope: 'read' } };
    const { bundles } = parsePlugins({
      keys,
      bundles: { a: { resource: 'file:///x' }, b: { resource: 'file:///x', signing: { keyid: 'k', scope: 'w', exclude_files: ['x'] } } },
    });
    const expected = { k: { key: 'pem', algorithm: 'RS256' }, secret: keys.secret };
    expect(bundles.get('a')?.verification).toEqual({ keys: expected, optional: true });
    expect(bundles.get('b')?.verification).toEqual({ keys: expected, optional: false, keyId: 'k', scope: 'w', exclude: ['x'] });
  });

  const bundle = (more: PlainObject): PlainObject => ({ services, bundles: { b: { resource: 'file:///x', ...more } } });
  const logs = (more: PlainObject): PlainObject => ({ services, decision_logs: { console: true, ...more } });
  const inBundle = 'invalid configuration for bundle "b": ';
  test.each<[PlainObject, string]>([
    [{ bundles: { b: { service: 'nosuch' } } }, `${inBundle}service name "nosuch" not found`],
    [{ bundles: { b: {} } }, `${inBundle}service name "" not found`],
    [{ bundle: { service: 's1' }, services }, 'invalid bundle name ""'],
    [bundle({ trigger: 'foo' }), `${inBundle}invalid trigger mode "foo" (want "periodic" or "manual")`],
    [bundle({ signing: { keyid: 'k' } }), `${inBundle}key id k not found`],
    [bundle({ polling: { min_delay_seconds: 1 } }), `${inBundle}polling configuration missing 'max_delay_seconds'`],
    [bundle({ polling: { max_delay_seconds: 1 } }), `${inBundle}polling configuration missing 'min_delay_seconds'`],
    [bundle({ polling: { min_delay_seconds: 2, max_delay_seconds: 1 } }), `${inBundle}max polling delay must be >= min polling delay`],
    [bundle({ polling: { long_polling_timeout_seconds: 0 } }), `${inBundle}'long_polling_timeout_seconds' must be at least 1`],
    [bundle({ persist: 'yes' }), `${inBundle}bundles.b.persist: must be a boolean but is string`],
    [{ bundles: [] }, 'bundles: must be an object but is array'],
    [{ keys: { k: { key: 's', algorithm: 'FOO' } } }, "invalid keys configuration: unsupported algorithm 'FOO' for key ID k"],
    [{ keys: { k: {} } }, 'invalid keys configuration: no keys provided for key ID k'],
    [logs({ service: 'nosuch' }), 'invalid service name "nosuch" in decision_logs'],
    [logs({ plugin: 'own' }), 'invalid plugin name "own" in decision_logs'],
    [logs({ mask_decision: '/' }), 'invalid mask_decision in decision_logs: path must be non-empty'],
    [logs({ reporting: { trigger: 'x' } }), 'invalid decision_log config: invalid trigger mode "x" (want "periodic" or "manual")'],
    [logs({ reporting: { min_delay_seconds: 1 } }), "reporting configuration missing 'max_delay_seconds' in decision_logs"],
    [
      logs({ reporting: { min_delay_seconds: 2, max_delay_seconds: 1 } }),
      'max reporting delay must be >= min reporting delay in decision_logs',
    ],
    [
      logs({ reporting: { buffer_size_limit_bytes: 1, max_decisions_per_second: 1.5 } }),
      "invalid decision_log config, specify either 'buffer_size_limit_bytes' or 'max_decisions_per_second'",
    ],
    [logs({ reporting: { buffer_type: 'ring' } }), 'invalid buffer type "ring", expected "event" or "size"'],
    [{ services, status: { service: 'nosuch' } }, 'invalid service name "nosuch" in status'],
    [{ status: { plugin: 'own' } }, 'invalid plugin name "own" in status'],
    [{ status: { console: 1 } }, 'status.console: must be a boolean but is number'],
    [{ discovery: { resource: 'x' } }, 'discovery: no service is configured'],
    [{ services: { s: { url: 'http://a' } }, discovery: {} }, 'missing required discovery.resource field'],
  ])('%j: %s', (config, message) => {
    expect(() => parsePlugins(config)).toThrow(new ConfigError(message));
  });

  test.each<[PlainObject]>([
    [{ status: { console: false, prometheus: false }, decision_logs: { console: false } }],
    [{ status: {}, decision_logs: {} }],
    [{ status: null, decision_logs: null, bundles: null }],
  ])('%j asks for no plugin', (config) => {
    const parsed = parsePlugins(config as Value);
    expect([parsed.status, parsed.decisionLogs, parsed.bundles.size]).toEqual([undefined, undefined, 0]);
  });
});

describe('services that want logs or status', () => {
  test('are the first one where a section names none and does not write to the console', () => {
    expect(parsePlugins({ services, status: {}, decision_logs: {} })).toMatchObject({
      status: { target: { service: 's1', resource: '/status', trigger: 'periodic' }, console: false },
      decisionLogs: { upload: { service: 's1', resource: '/logs' }, console: false },
    });
    expect(parsePlugins({ services, status: { console: true }, decision_logs: { console: true, service: 's2' } })).toMatchObject({
      status: { target: undefined, console: true },
      decisionLogs: { upload: { service: 's2' }, console: true },
    });
  });

  test('have paths of their own, also as partitions of older configurations', () => {
    const own = parsePlugins({ services, status: { resource: '/x/status' }, decision_logs: { resource: '/x/logs', partition_name: 'p' } });
    expect([own.status!.target!.resource, own.decisionLogs!.upload!.resource]).toEqual(['/x/status', '/x/logs']);
    const old = parsePlugins({ services, status: { partition_name: 'p/q' }, decision_logs: { partition_name: 'p/q' } });
    expect([old.status!.target!.resource, old.decisionLogs!.upload!.resource]).toEqual(['/status/p/q', '/logs/p/q']);
  });

  test('get a decision log with the limits of the reference', () => {
    const reporting = (given: PlainObject) =>
      parsePlugins({ services, decision_logs: { reporting: given } }).decisionLogs!.upload!.reporting;
    expect(reporting({})).toEqual({
      trigger: 'periodic',
      minDelaySeconds: 300,
      maxDelaySeconds: 600,
      uploadSizeLimitBytes: 32_768,
      bufferType: 'size',
      bufferSizeLimitBytes: Number.POSITIVE_INFINITY,
      bufferSizeLimitEvents: 10_000,
      maxDecisionsPerSecond: undefined,
    });
    expect(
      reporting({ trigger: 'immediate', buffer_type: 'event', buffer_size_limit_events: 5, upload_size_limit_bytes: 1 }),
    ).toMatchObject({
      trigger: 'immediate',
      bufferType: 'event',
      bufferSizeLimitEvents: 5,
      uploadSizeLimitBytes: 90,
    });
  });
});

describe('life cycle', () => {
  test('plugins are not ready before the start, and told to listeners', async () => {
    const { context } = bench();
    const manager = new PluginManager(parsePlugins({ decision_logs: { console: true }, status: { console: true } }), context);
    const seen: string[] = [];
    manager.onStatus((name, { state }) => seen.push(`${name} ${state}`));
    expect([...manager.states().values()].map(({ state }) => state)).toEqual(['NOT_READY', 'NOT_READY', 'NOT_READY']);
    expect(manager.wasReady).toBe(false);
    await manager.start();
    expect(seen).toEqual(['decision_logs OK', 'status OK', 'discovery OK']);
    expect([...manager.states().keys()]).toEqual(['decision_logs', 'discovery', 'status']);
    expect(manager.wasReady).toBe(true);
    await manager.stop();
    expect(manager.states().get('status')).toEqual({ state: 'NOT_READY' });
    expect(manager.wasReady).toBe(true);
  });

  test('another configuration stops, changes and starts plugins', async () => {
    const { manager } = await started({ decision_logs: { console: true } });
    const log = manager.decisionLog;
    await manager.reconfigure(parsePlugins({ decision_logs: { console: true, mask_decision: '/x/y' }, status: { console: true } }));
    expect(manager.decisionLog).toBe(log);
    expect(manager.states().get('status')).toEqual({ state: 'OK' });
    await manager.reconfigure(parsePlugins({}));
    expect(manager.decisionLog).toBeUndefined();
    expect(manager.status()).toBeUndefined();
    expect([...manager.states()]).toEqual([['discovery', { state: 'OK' }]]);
  });
});

describe('status', () => {
  test('shows labels, plugins and metrics', async () => {
    const on = bench();
    const context = { ...on.context, prometheus: () => ({ some: 1 }) };
    const { manager } = await started({ status: { console: true }, decision_logs: { console: true } }, {}, { ...on, context });
    expect(manager.status()).toEqual({
      labels: { id: 'test', version: '0' },
      metrics: { prometheus: { some: 1 } },
      plugins: { decision_logs: { state: 'OK' }, discovery: { state: 'OK' }, status: { state: 'OK' } },
    });
  });

  test('changes are logged on the console, those that come together once', async () => {
    const directory = writeFiles(temporaryDirectory(), { 'p.rego': 'package p\n\nx := 1\n', '.manifest': '{"revision": "r"}' });
    const { lines, manager } = await started({ status: { console: true }, bundles: { b: { resource: `file://${directory}` } } });
    const updates = () => lines.filter(({ msg }) => msg === 'Status Log');
    await eventually(() =>
      expect(updates().at(-1)).toMatchObject({
        type: 'openpolicyagent.org/status',
        bundles: { b: { name: 'b', active_revision: 'r' } },
        plugins: { bundle: { state: 'OK' } },
      }),
    );
    const before = updates().length;
    writeFiles(directory, { 'p.rego': 'package p\n\nx := \n' });
    await manager.trigger();
    await eventually(() => expect(updates().at(-1)).toMatchObject({ bundles: { b: { code: 'bundle_error' } } }));
    expect(updates().length - before).toBeLessThanOrEqual(2);
  });
});
