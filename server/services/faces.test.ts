/** What services do for an engine, by a server and in a process. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { signFiles } from '../../engine/bundle/signature/signing.js';
import { httpCollector } from '../../test/harness/collectors.js';
import { eventually, temporaryDirectory, writeFiles } from '../../test/harness/disk.js';
import { BundleService } from '../../test/harness/server/bundle-service.js';
import { type Face, faces } from '../../test/harness/server/faces.js';
import { serve } from '../../test/harness/server/http.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import type { PlainObject } from '../../values/value.js';

const often = { polling: { min_delay_seconds: 0, max_delay_seconds: 0 } };
const waiting = { polling: { ...often.polling, long_polling_timeout_seconds: 10 } };
const manifest = (root: string, revision = 'r1') => JSON.stringify({ revision, roots: [root] });
const version = (x: string, revision = `r${x}`) => ({ '/a/p.rego': `package a\n\nx := ${x}\n`, '/.manifest': manifest('a', revision) });

const bundles = (face: Face) => face.status().then((status) => status.bundles as Record<string, PlainObject>);
const isActive = async (face: Face, revision: string, name = 'b') =>
  await eventually(async () => expect((await bundles(face))[name]!.active_revision).toBe(revision));
const decisionLog = ({ lines }: Face) => lines.filter(({ msg }) => msg === 'Decision Log');

/** A log service: the events that it has accepted. */
async function logService() {
  const events: PlainObject[] = [];
  const state = { status: 200 };
  const { url, requests } = await serve(({ path, body }, response) => {
    response.statusCode = state.status;
    if (state.status === 200 && path === '/logs') events.push(...(JSON.parse(gunzipSync(body).toString()) as PlainObject[]));
    response.end('{}');
  });
  return { url, requests, events, state };
}

function fileBundle(files: Readonly<Record<string, string>>, more: PlainObject = {}) {
  const directory = writeFiles(join(temporaryDirectory(), 'b'), files);
  return { directory, config: { bundles: { b: { resource: `file://${directory}`, ...more } } } };
}

const logging = `package p

x := input.n + 1

dice := rand.intn("a", 6)

bad := 1 if true

bad := 2 if true

waits := http.send({"method": "GET", "url": input.url}).status_code

# METADATA
# labels: {team: payments}
allow if input.user == "ann"
`;

const logPolicy = `package system.log

mask contains "/input/password"

mask contains {"op": "upsert", "path": "/input/user", "value": "***"} if input.input.user

drop if input.input.quiet
`;

describe.each(faces)('%s', (_name, open) => {
  describe('bundles', () => {
    test('are fetched from a service, and replaced when they change', async () => {
      const service = await BundleService.start();
      await service.put('"1"', version('1'));
      const face = await open({ services: { s: { url: service.url } }, bundles: { b: { service: 's', ...often } } });
      await isActive(face, 'r1');
      expect(await face.decide('a/x')).toEqual({ result: 1 });
      await service.put('"2"', version('2'));
      await isActive(face, 'r2');
      expect(await face.decide('a/x')).toEqual({ result: 2 });
      expect(service.requests.some(({ headers }) => headers['if-none-match'] === '"1"')).toBe(true);
    });

    test('are held open by a service that can wait, and deltas change them', async () => {
      const service = await BundleService.start();
      await service.put('"1"', { '/a/data.json': '{"n": 1}', '/.manifest': manifest('a') });
      const face = await open({ services: { s: { url: service.url } }, bundles: { b: { service: 's', ...waiting } } });
      await isActive(face, 'r1');
      const files = { '/a/data.json': '{"n": 2}', '/.manifest': manifest('a', 'r2') };
      await service.change('"2"', [{ op: 'upsert', path: '/a/n', value: 2 }], files);
      await eventually(async () => expect(await face.decide('a/n')).toEqual({ result: 2 }));
      expect((await bundles(face)).b).toMatchObject({ type: 'delta' });
    });

    test('of which a version is faulty keep the last good one, and the status says why', async () => {
      const service = await BundleService.start();
      await service.put('"1"', version('1'));
      const face = await open({ services: { s: { url: service.url } }, bundles: { b: { service: 's', ...often } } });
      await isActive(face, 'r1');
      await service.put('"2"', version('nothing', 'r2'));
      await eventually(async () => expect((await bundles(face)).b).toMatchObject({ code: 'bundle_error', active_revision: 'r1' }));
      expect((await bundles(face)).b!.errors).toMatchObject([{ code: 'rego_unsafe_var_error', message: 'var nothing is unsafe' }]);
      expect(await face.decide('a/x')).toEqual({ result: 1 });
      await service.put('"3"', version('3'));
      await isActive(face, 'r3');
    });

    test('that are kept decide while the service is down', async () => {
      const service = await BundleService.start();
      await service.put('"1"', version('1'));
      const config = {
        services: { s: { url: service.url } },
        bundles: { b: { service: 's', persist: true, ...often } },
        persistence_directory: temporaryDirectory(),
      };
      const first = await open(config);
      await isActive(first, 'r1');
      await eventually(() => expect(existsSync(join(config.persistence_directory, 'bundles/b'))).toBe(true));
      await first.close();
      await service.close();
      const second = await open(config);
      expect(await second.decide('a/x')).toEqual({ result: 1 });
    });

    test.each([
      ['none', undefined, 'missing .signatures.json'],
      ['that of another key', 'another', 'invalid HMAC signature'],
      ['the right one', 'secret', undefined],
    ])('must be signed where a key is configured: with %s', async (_title, secret, problem) => {
      const service = await BundleService.start();
      const files = version('1');
      const bytes = new Map(Object.entries(files).map(([name, text]) => [name.slice(1), new TextEncoder().encode(text)]));
      const signatures = secret && (await signFiles(bytes, { key: secret, algorithm: 'HS256', keyId: 'k' }, nodeHost.crypto!));
      await service.put('"1"', { ...files, ...(signatures && { '/.signatures.json': JSON.stringify(signatures) }) });
      const face = await open({
        services: { s: { url: service.url } },
        keys: { k: { key: 'secret', algorithm: 'HS256' } },
        bundles: { b: { service: 's', signing: { keyid: 'k' }, ...often } },
      });
      if (problem === undefined) return await isActive(face, 'r1');
      await eventually(async () => expect((await bundles(face)).b!.message).toContain(problem));
      expect(await face.decide('a/x')).toEqual({});
    });

    test('own their roots', async () => {
      const { config } = fileBundle({ 'a/p.rego': 'package a\n\nx := 1\n', '.manifest': manifest('a') });
      const face = await open(config);
      expect(await face.setPolicy('m', 'package a\n\ny := 1\n')).toBe('path a is owned by bundle "b"');
      expect(await face.setPolicy('m', 'package a.sub\n\ny := 1\n')).toBe('path a/sub is owned by bundle "b"');
      expect(await face.setData('a/z', 1)).toBe('path a/z is owned by bundle "b"');
      expect(await face.setPolicy('m', 'package c\n\ny := data.a.x + 1\n')).toBeUndefined();
      expect(await face.setData('d', { e: 1 })).toBeUndefined();
      expect(await face.decide('c/y')).toEqual({ result: 2 });
    });

    test('with manual triggers are fetched when they are triggered', async () => {
      const service = await BundleService.start();
      await service.put('"1"', version('1'));
      const face = await open({ services: { s: { url: service.url } }, bundles: { b: { service: 's', trigger: 'manual' } } });
      expect(await face.decide('a/x')).toEqual({});
      await face.trigger();
      expect(await face.decide('a/x')).toEqual({ result: 1 });
    });
  });

  describe('an event of the decision log', () => {
    const config = (section: PlainObject = {}) => ({
      ...fileBundle({ 'p.rego': logging, '.manifest': '{"revision": "r7"}' }).config,
      labels: { app: 'shop' },
      decision_logs: { console: true, ...section },
    });

    test('tells of a decision, its bundles and its labels', async () => {
      const face = await open(config());
      const { id, result } = await face.decide('p/x', { n: 1 });
      expect(result).toBe(2);
      await eventually(() => expect(decisionLog(face)).toHaveLength(1));
      const [event] = decisionLog(face);
      expect(event).toMatchObject({
        type: 'openpolicyagent.org/decision_logs',
        decision_id: id,
        path: 'p/x',
        input: { n: 1 },
        result: 2,
        bundles: { b: { revision: 'r7' } },
        labels: { app: 'shop', id: expect.any(String), version: expect.any(String) },
        timestamp: expect.stringMatching(/^20.*Z$/),
        metrics: { timer_rego_query_eval_ns: expect.any(Number), counter_server_query_cache_hit: 0 },
      });
    });

    test('has the error of a decision', async () => {
      const face = await open(config());
      expect(await face.decide('p/bad')).toMatchObject({ code: 'eval_conflict_error' });
      const [event] = decisionLog(face);
      expect(event!.error).toMatchObject({ code: 'eval_conflict_error', location: { file: expect.stringMatching(/p\.rego$/) } });
      expect(event).not.toHaveProperty('result');
    });

    test('has the labels of rules, and the results of built-ins that may differ', async () => {
      const face = await open(config({ nd_builtin_cache: true }));
      await face.decide('p/allow', { user: 'ann' });
      const { result } = await face.decide('p/dice');
      await eventually(() => expect(decisionLog(face)).toHaveLength(2));
      const [allowed, rolled] = ['p/allow', 'p/dice'].map((path) => decisionLog(face).find((event) => event.path === path)!);
      expect(allowed!.rule_labels).toEqual([{ team: 'payments' }]);
      expect(rolled!.nd_builtin_cache).toEqual({ 'rand.intn': { '["a",6]': result } });
    });

    test('has a summary of why, where it is wanted', async () => {
      const face = await open(config({ why: true }));
      await face.decide('p/allow', { user: 'bob' });
      await eventually(() => expect(decisionLog(face)).toHaveLength(1));
      expect(decisionLog(face)[0]!.why).toMatchObject([{ rule: 'data.p.allow', outcome: 'fails', reason: 'differs' }]);
    });

    test('of a batch has its id', async () => {
      const face = await open(config());
      const answers = await face.decideMany('p/x', [{ n: 1 }, { n: 2 }]);
      expect(answers.map(({ result }) => result)).toEqual([2, 3]);
      await eventually(() => expect(decisionLog(face)).toHaveLength(2));
      const events = decisionLog(face);
      expect(events.map((event) => event.decision_id)).toEqual(answers.map(({ id }) => id));
      expect(new Set(events.map((event) => event.batch_decision_id)).size).toBe(1);
      expect(events[0]!.batch_decision_id).toEqual(expect.any(String));
    });

    test('is masked and dropped by the policy', async () => {
      const { config } = fileBundle({ 'p.rego': logging, 'log.rego': logPolicy });
      const face = await open({ ...config, decision_logs: { console: true } });
      await face.decide('p/x', { n: 1, user: 'ann', password: 's' });
      await face.decide('p/x', { n: 1, quiet: true });
      await face.close();
      expect(decisionLog(face)).toHaveLength(1);
      expect(decisionLog(face)[0]).toMatchObject({
        input: { n: 1, user: '***' },
        erased: ['/input/password'],
        masked: ['/input/user'],
      });
    });

    test('comes to a service, again after failures, and all of them at the end', async () => {
      const logs = await logService();
      logs.state.status = 500;
      const reporting = { min_delay_seconds: 0, max_delay_seconds: 1 };
      const face = await open({ services: { l: { url: logs.url } }, decision_logs: { service: 'l', reporting } });
      for (let n = 0; n < 3; n++) await face.decide('q', { n });
      await eventually(() => expect(logs.requests.length).toBeGreaterThan(1));
      await eventually(async () => expect((await face.status()).decision_logs).toMatchObject({ http_code: 500 }));
      logs.state.status = 200;
      await eventually(() => expect(logs.events.map(({ input }) => (input as PlainObject).n)).toEqual([0, 1, 2]));
      await face.decide('q', { n: 3 });
      await face.close();
      expect(logs.events.map(({ input }) => (input as PlainObject).n)).toEqual([0, 1, 2, 3]);
    });

    test('is lost, and counted, where there are too many', async () => {
      const logs = await logService();
      const reporting = { trigger: 'manual', max_decisions_per_second: 2 };
      const face = await open({ services: { l: { url: logs.url } }, decision_logs: { service: 'l', reporting } });
      for (let n = 0; n < 20; n++) await face.decide('q', { n });
      await face.trigger();
      expect(logs.events.length).toBeLessThan(20);
      const { metrics } = (await face.status()).decision_logs as { metrics: PlainObject };
      expect(metrics.counter_decision_logs_dropped_rate_limit_exceeded).toBe(20 - logs.events.length);
    });
  });

  test('a discovered configuration is applied, and its changes', async () => {
    const [discovery, policies] = [await BundleService.start(), await BundleService.start()];
    await policies.put('"1"', version('1'));
    const discovered = (bundle: string) => ({
      '/config/p.rego': `package config

main := {
  "services": {"p": {"url": "${policies.url}"}},
  "bundles": {"${bundle}": {"service": "p", "resource": "x", "polling": {"min_delay_seconds": 0, "max_delay_seconds": 0}}},
  "labels": {"team": "east"},
  "default_decision": "a/x",
  "decision_logs": {"console": true},
}
`,
      '/.manifest': manifest('config'),
    });
    await discovery.put('"1"', discovered('one'));
    const face = await open({
      services: { d: { url: discovery.url } },
      labels: { region: 'west' },
      discovery: { service: 'd', resource: 'd', decision: 'config/main', ...often },
    });
    await eventually(async () => expect(await face.byDefault({})).toMatchObject({ result: 1 }));
    expect((await face.status()).discovery).toMatchObject({ name: 'discovery', active_revision: 'r1' });
    await face.decide('a/x');
    expect(decisionLog(face).at(-1)).toMatchObject({ labels: { region: 'west', team: 'east' }, bundles: { one: { revision: 'r1' } } });
    await discovery.put('"2"', discovered('two'));
    await isActive(face, 'r1', 'two');
    expect(Object.keys(await bundles(face))).toEqual(['two']);
  });

  test('the status is sent to a service, and shown', async () => {
    const updates: PlainObject[] = [];
    const { url } = await serve(({ body }, response) => {
      updates.push(JSON.parse(body.toString()) as PlainObject);
      response.end();
    });
    const { directory, config } = fileBundle({ 'p.rego': 'package p\n\nx := 1\n', '.manifest': '{"revision": "r1"}' });
    const face = await open({ ...config, services: { s: { url } }, labels: { app: 'shop' }, status: { service: 's', console: true } });
    const status = {
      labels: { app: 'shop' },
      bundles: { b: { active_revision: 'r1' } },
      plugins: { bundle: { state: 'OK' }, discovery: { state: 'OK' }, status: { state: 'OK' } },
    };
    await eventually(() => expect(updates.at(-1)).toMatchObject(status));
    expect(face.lines.filter(({ msg }) => msg === 'Status Log').at(-1)).toMatchObject({ ...status, type: 'openpolicyagent.org/status' });
    rmSync(directory, { recursive: true });
    await face.trigger();
    await eventually(() => expect(updates.at(-1)).toMatchObject({ bundles: { b: { code: 'bundle_error', active_revision: 'r1' } } }));
  });

  test('policies see the configuration without its secrets', async () => {
    const { config } = fileBundle({ 'p.rego': 'package p\n\nx := opa.runtime().config\n' });
    const face = await open({ ...config, services: { s: { url: 'http://127.0.0.1:9', credentials: { bearer: { token: 'hush' } } } } });
    const { result } = await face.decide('p/x');
    expect(result).toMatchObject({ services: { s: { url: 'http://127.0.0.1:9' } } });
    expect(JSON.stringify(result)).not.toContain('hush');
  });

  test('a span is made of a decision, and of the exchanges with other servers', async () => {
    const [collector, other] = [await httpCollector(), await serve((_, response) => response.end())];
    const { config } = fileBundle({ 'p.rego': logging });
    const face = await open({
      ...config,
      decision_logs: { console: true },
      distributed_tracing: { type: 'http', address: collector.address, batch_span_processor_options: { batch_timeout_ms: 10 } },
    });
    const { id } = await face.decide('p/waits', { url: other.url });
    await eventually(() => expect(collector.spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['decision', 'HTTP GET'])));
    const [decision, exchange] = ['decision', 'HTTP GET'].map((name) => collector.spans.find((span) => span.name === name)!);
    expect(decision!.attributes).toMatchObject({ 'decision.path': 'p/waits' });
    expect(exchange!.parentId).toBe(decision!.spanId);
    expect(collector.spans.some(({ attributes }) => attributes['opa.decision_id'] === id)).toBe(true);
    expect(other.requests[0]!.headers.traceparent).toBe(`00-${decision!.traceId}-${exchange!.spanId}-01`);
    expect(decisionLog(face)[0]).toMatchObject({ trace_id: decision!.traceId });
  });
});
