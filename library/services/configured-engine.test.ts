import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { globalErrorHandler, loggingErrorHandler, setGlobalErrorHandler } from '@opentelemetry/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compile } from '../../compiler/compile.js';
import { eventually, temporaryDirectory, writeFiles } from '../../test/harness/disk.js';
import { BundleService } from '../../test/harness/server/bundle-service.js';
import { serve } from '../../test/harness/server/http.js';
import type { PlainObject } from '../../values/value.js';
import { type ConfiguredOptions, Engine } from '../index.js';

interface Event {
  readonly [field: string]: unknown;
}

/** An engine that is closed after the test, and the events of its console. */
async function opened(options: ConfiguredOptions) {
  const events: Event[] = [];
  const complaints: string[] = [];
  const complain = (message: string) => void complaints.push(message);
  const engine = await Engine.open({
    console: { info: (_message, event) => void events.push(event!) },
    logger: { info: () => {}, warn: complain, error: complain },
    ...options,
  });
  onTestFinished(() => engine.close());
  return { engine, events, complaints };
}

const policy = `package authz

default allow := false

allow if input.user in data.admins
`;

function bundle(files: Readonly<Record<string, string>> = { 'authz.rego': policy, 'data.json': '{"admins": ["ann"]}' }): string {
  return `file://${writeFiles(join(temporaryDirectory(), 'b'), { '.manifest': '{"revision": "r1"}', ...files })}`;
}

const logged = (resource: string) => ({ bundles: { authz: { resource } }, decision_logs: { console: true } });

describe('a configuration', () => {
  test.each([
    ['the path of a file', (path: string) => path],
    ['its URL', (path: string) => new URL(`file://${path}`)],
    ['the text of its URL', (path: string) => `file://${path}`],
  ])('is %s', async (_title, form) => {
    const path = join(temporaryDirectory(), 'opa.yaml');
    writeFileSync(path, `bundles:\n  authz:\n    resource: ${bundle()}\n`);
    const { engine } = await opened({ config: form(path) });
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
  });

  test.each([
    ['YAML', (resource: string) => `bundles:\n  authz:\n    resource: ${resource}\n`],
    ['JSON', (resource: string) => JSON.stringify({ bundles: { authz: { resource } } })],
  ])('is a text of %s', async (_title, textOf) => {
    const { engine } = await opened({ config: textOf(bundle()) });
    expect(engine.decide('authz/allow', { user: 'ann' })).toEqual({ result: true });
  });

  test('is an object, with variables of the environment and settings over it', async () => {
    process.env.WRIT_TEST_REGION = 'west';
    onTestFinished(() => void delete process.env.WRIT_TEST_REGION);
    const file = join(temporaryDirectory(), 'team');
    writeFileSync(file, 'blue\n');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the notation of configurations
    const config = { labels: { region: '${WRIT_TEST_REGION}', app: 'a' } };
    const { engine } = await opened({ config, set: ['labels.app=b,default_decision=a/b'], setFile: [`labels.team=${file}`] });
    expect(engine.status().labels).toMatchObject({ region: 'west', app: 'b', team: 'blue' });
    expect(engine.defaultDecision).toBe('a/b');
  });

  test.each([
    ['a file that is not there', { config: '/nowhere/opa.yaml' }, 'invalid_config', 'open /nowhere/opa.yaml: no such file or directory'],
    ['a text that is no object', { config: 'a\nb' }, 'invalid_config', 'config must be an object but is string'],
    ['a wrong type', { config: { labels: { a: 1 } } }, 'invalid_config', 'labels.a: must be string'],
    ['a missing service', { config: { bundles: { b: {} } } }, 'invalid_config', 'service name "" not found'],
    ['a value that is no JSON', { config: { labels: { a: new Date(0) } } }, 'invalid_config', 'config.labels.a is a Date'],
    ['a malformed setting', { config: {}, set: ['a'] }, 'invalid_config', 'key "a" has no value'],
    ['a time that is none', { config: {}, readyMs: -1 }, 'invalid_option', 'option readyMs cannot be -1'],
    ['a log that is none', { config: {}, logger: {} }, 'invalid_option', 'option logger cannot be {}'],
    ['an unknown option', { config: {}, redyMs: 1 }, 'invalid_option', 'there is no option redyMs'],
    ['an empty text', { config: '' }, 'invalid_config', 'config is an empty text'],
    ['an unknown plugin', { config: { plugins: { mine: {} } } }, 'invalid_config', 'plugin "mine" not registered: there are '],
    ['no configuration', { config: undefined }, 'invalid_config', 'config is undefined'],
  ])('with %s is refused', async (_title, options, code, message) => {
    const open = Engine.open(options as never);
    await expect(open).rejects.toMatchObject({ name: 'EngineError', code });
    await expect(open).rejects.toThrow(message);
  });

  test('with keys that have no effect warns', async () => {
    const { complaints } = await opened({ config: { lables: {} } });
    expect(complaints).toEqual(['config key "lables" is unknown and has no effect']);
  });

  test('that a server shares opens, and says which parts only a server has', async () => {
    const plugins = { authzen: {}, forward_auth: { addr: ':1' }, envoy_ext_authz_grpc: { path: 'a' } };
    const { complaints } = await opened({ config: { plugins, storage: { file: { directory: '/nowhere' } }, server: {} } });
    expect(complaints).toEqual(
      ['plugins.authzen', 'plugins.forward_auth', 'plugins.envoy_ext_authz_grpc', 'storage'].map(
        (key) => `config key "${key}" has no effect here: a server reads it ("writ run")`,
      ),
    );
  });
});

describe('opening', () => {
  test('waits until a bundle comes', async () => {
    const service = await BundleService.start();
    await service.put('"1"', { '/p.rego': 'package p\n\nx := 1\n' });
    let failures = 0;
    service.failing = (_request, response) => {
      if (++failures === 2) service.failing = undefined;
      response.writeHead(503).end();
    };
    const { engine } = await opened({ config: { services: { s: { url: service.url } }, bundles: { b: { service: 's' } } } });
    expect(failures).toBe(2);
    expect(engine.status().ready).toBe(true);
    expect(engine.decide('p/x')).toEqual({ result: 1 });
  });

  test.each([
    ['a file that is not there', () => 'file:///nowhere', 'bundle "b": error reading "/nowhere"'],
    ['a policy that does not compile', () => bundle({ 'p.rego': 'package p\n\nx := y\n' }), 'var y is unsafe'],
  ])('ends at once with %s', async (_title, resource, why) => {
    const open = Engine.open({ config: { bundles: { b: { resource: resource() } } }, readyMs: 600_000, logger: silent });
    await expect(open).rejects.toMatchObject({ code: 'not_ready', message: expect.stringContaining(why) });
  });

  test('ends after its time with what the service says', async () => {
    const { url } = await serve((_request, response) => void response.writeHead(403).end());
    const config = { services: { s: { url } }, bundles: { b: { service: 's' } } };
    const open = Engine.open({ config, readyMs: 500, logger: silent });
    await expect(open).rejects.toMatchObject({ code: 'not_ready', message: expect.stringMatching(/bundle "b": .*403/) });
  });

  test('ends after its time with a service that does not answer', async () => {
    const { url } = await serve(() => {});
    const config = { services: { s: { url } }, bundles: { b: { service: 's' } } };
    const open = Engine.open({ config, readyMs: 300, closeMs: 1000, logger: silent });
    await expect(open).rejects.toMatchObject({ code: 'not_ready', message: expect.stringContaining('bundle "b": no answer yet') });
  });

  test('does not wait where it is told not to', async () => {
    const { url } = await serve(() => {});
    const config = { services: { s: { url } }, bundles: { b: { service: 's' } } };
    const { engine } = await opened({ config, readyMs: 0 });
    expect(engine.status()).toMatchObject({ ready: false, plugins: { bundle: { state: 'NOT_READY' } } });
  });

  test('takes policies and documents beside the bundles, but no plan', async () => {
    const sources = { policies: { 'm.rego': 'package m\n\ny := data.authz.allow\n' }, data: { extra: 1 } };
    const { engine } = await opened({ config: logged(bundle({ 'authz.rego': policy, '.manifest': '{"roots": ["authz"]}' })), sources });
    expect(engine.decide('m/y')).toMatchObject({ result: false });
    expect(engine.decide('extra')).toMatchObject({ result: 1 });
    const plan = compile({ policies: { 'authz.rego': policy }, entrypoints: ['authz/allow'] });
    await expect(Engine.open({ config: {}, sources: plan })).rejects.toMatchObject({ code: 'invalid_source' });
  });
});

const silent = { info: () => {}, warn: () => {}, error: () => {} };

describe('an engine', () => {
  test('without a configuration has no services', async () => {
    const engine = await Engine.open([]);
    for (const use of [() => engine.status(), () => engine.trigger(), () => engine.metrics(), () => engine.onStatus(() => {})])
      expect(use).toThrow(expect.objectContaining({ code: 'no_config' }));
    expect(engine.decide('x', {}, { decisionId: 'a', log: false })).toEqual({});
  });

  test('keeps prepared decisions and watches while bundles change', async () => {
    const service = await BundleService.start();
    const files = (x: number) => ({ '/p.rego': `package p\n\nx := ${x} + input.n\n`, '/.manifest': `{"revision": "r${x}"}` });
    await service.put('"1"', files(1));
    const polling = { min_delay_seconds: 0, max_delay_seconds: 0 };
    const { engine } = await opened({ config: { services: { s: { url: service.url } }, bundles: { b: { service: 's', polling } } } });
    const prepared = await engine.prepare<number>('p/x');
    const query = await engine.prepare({ query: 'y = data.p.x' });
    const watch = engine.watch('p/x', { n: 1 });
    expect((await watch.next()).value).toEqual({ result: 2 });
    const revisions: (string | undefined)[] = [];
    const end = engine.onStatus(({ bundles }) => void revisions.push(bundles?.b?.active_revision));
    await service.put('"2"', files(10));
    expect((await watch.next()).value).toEqual({ result: 11 });
    expect(prepared.decide({ n: 2 })).toEqual({ result: 12 });
    expect(query.decide({ n: 3 })).toEqual({ result: [{ y: 13 }] });
    await eventually(() => expect(revisions).toContain('r10'));
    end();
    const told = revisions.length;
    await service.put('"3"', files(20));
    await eventually(() => expect(engine.decide('p/x', { n: 0 })).toEqual({ result: 20 }));
    expect(revisions).toHaveLength(told);
  });

  test('has a log, labels and bundles of its own beside others of the process', async () => {
    const [one, other] = await Promise.all([
      opened({ config: logged(bundle()) }),
      opened({ config: { ...logged(bundle({ 'p.rego': 'package authz\n\nallow := "other"\n' })), labels: { id: 'x' } } }),
    ]);
    expect(one.engine.decide('authz/allow', { user: 'ann' }).result).toBe(true);
    expect(other.engine.decide('authz/allow').result).toBe('other');
    expect([one.events.length, other.events.length]).toEqual([1, 1]);
    const [id, otherId] = [one, other].map(({ engine }) => engine.status().labels.id);
    expect(id).not.toBe(otherId);
    await one.engine.close();
    expect(other.engine.decide('authz/allow').result).toBe('other');
  });

  test('has the documents of a server, which are no part of all documents', async () => {
    const { engine } = await opened({
      config: logged(
        bundle({ 'a/p.rego': 'package a\n\nx := data.system.version.version\n', '.manifest': '{"revision": "r1", "roots": ["a"]}' }),
      ),
      sources: { data: { system: { own: 1 } } },
    });
    const { version } = engine.status().labels;
    expect(engine.decide('a/x').result).toBe(version);
    expect(engine.decide('system').result).toMatchObject({
      own: 1,
      version: { version },
      bundles: { authz: { manifest: { revision: 'r1' } } },
    });
    for (const decide of [() => engine.decide(''), () => engine.decideAsync(''), () => engine.decide('', undefined, { timeMs: 1000 })])
      expect((await decide()).result).toEqual({ a: { x: version } });
  });

  test('shows its metrics', async () => {
    const { engine } = await opened({ config: { ...logged(bundle()), status: { prometheus: true } } });
    expect(engine.metrics()).toMatch(/^plugin_status_gauge\{name="bundle",status="OK"\} 1$/m);
    expect(engine.metrics()).toContain('process_cpu_seconds_total');
  });
});

describe('closing', () => {
  test.each<[string, (host: string) => PlainObject]>([
    ['bundles', (host) => ({ services: { s: { url: `http://${host}` } }, bundles: { b: { service: 's' } } })],
    ['decision logs', (host) => ({ services: { s: { url: `http://${host}` } }, decision_logs: { service: 's' } })],
    ['status', (host) => ({ services: { s: { url: `http://${host}` } }, status: { service: 's' } })],
    ['spans', (address) => ({ distributed_tracing: { type: 'http', address } })],
    ['metrics', (address) => ({ metrics_export: { type: 'otlp/http', address } })],
  ])('ends the connections of %s', async (name, configOf) => {
    const connections = new Set<Socket>();
    const { url, requests } = await serve((_request, response) => {
      connections.add(response.socket!);
      response.end('{}');
    });
    const engine = await Engine.open({ config: configOf(new URL(url).host), readyMs: 0, logger: silent });
    engine.decide('p/x', { n: 1 }, { strict: false });
    if (name === 'bundles' || name === 'status') await eventually(() => expect(requests).not.toEqual([]));
    await engine.close();
    expect(requests).not.toEqual([]);
    // Sooner than the server would end them.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([...connections].filter(({ destroyed }) => !destroyed)).toEqual([]);
  });

  test('ends triggers and listeners, and the last state stays', async () => {
    const { engine } = await opened({ config: logged(bundle()) });
    await engine.close();
    expect(() => engine.onStatus(() => {})).toThrow(expect.objectContaining({ code: 'closed' }));
    await expect(engine.trigger()).rejects.toMatchObject({ code: 'closed' });
    expect(engine.status().bundles!.authz).toMatchObject({ active_revision: 'r1' });
    expect(engine.metrics()).toContain('process_cpu_seconds_total');
  });
});

describe.each<[string, PlainObject]>([
  ['spans', { distributed_tracing: { type: 'http', batch_span_processor_options: { batch_timeout_ms: 1, export_timeout_ms: 100 } } }],
  ['metrics', { metrics_export: { type: 'otlp/http', export_interval_ms: 200, export_timeout_ms: 100 } }],
])('a collector of %s', (_what, config) => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['is down', (response) => response.socket!.destroy()],
    ['refuses', (response) => response.writeHead(400).end()],
    ['is silent', () => {}],
    [
      'does not come to an end',
      (response) => {
        const timer = setInterval(() => response.write('x'), 10);
        response.on('close', () => clearInterval(timer));
      },
    ],
  ])("that %s is told to the engine's log alone", async (_title, answer) => {
    const connections = new Set<Socket>();
    const collector = await serve((_, response) => {
      connections.add(response.socket!);
      answer(response);
    });
    const address = new URL(collector.url).host;
    const seen: unknown[] = [];
    setGlobalErrorHandler((error) => void seen.push(error));
    onTestFinished(() => setGlobalErrorHandler(loggingErrorHandler()));
    const [[section, options]] = Object.entries(config) as [[string, PlainObject]];
    const one = await opened({ config: { [section]: { ...options, address } }, closeMs: 1 });
    const other = await opened({ config: {} });
    one.engine.decide('p/x', {}, { strict: false });
    await eventually(() => expect(one.complaints.join()).toContain('OpenTelemetry failed: '));
    await one.engine.close();
    await eventually(() => expect([...connections].filter(({ destroyed }) => !destroyed)).toEqual([]));
    expect([...other.complaints, ...seen]).toEqual([]);
    // The program's own faults still come to its handler.
    globalErrorHandler(new Error('own'));
    expect(seen).toEqual([new Error('own')]);
  });
});

describe('decisions', () => {
  test('are logged in each form, with the id that they return', async () => {
    const { engine, events } = await opened({ config: logged(bundle()) });
    const input = { user: 'ann' };
    const prepared = await engine.prepare('authz/allow');
    const query = await engine.prepare({ query: 'x = data.authz.allow' });
    const ids = [
      engine.decide('authz/allow', input).decisionId,
      (await engine.decideAsync('data.authz.allow', input)).decisionId,
      prepared.decide(input).decisionId,
      (await prepared.decideAsync(input)).decisionId,
      query.decide(input).decisionId,
      (await engine.explain('authz/allow', input)).decisionId,
      (await engine.decideAsync('authz/allow', input, { thread: false })).decisionId,
    ];
    expect(events.map((event) => event.decision_id)).toEqual(ids);
    expect(events.map(({ path, query: text }) => path ?? text)).toEqual([
      ...Array(4).fill('authz/allow'),
      'x = data.authz.allow',
      ...Array(2).fill('authz/allow'),
    ]);
    expect(engine.decideText('authz/allow', '{"user": "ann"}')).toBe('{"result":true}');
    expect(events).toHaveLength(8);
    for (const { metrics } of events) expect(metrics).toHaveProperty('timer_sdk_decision_eval_ns');
  });

  test('partial evaluations are logged with their query and what is left of it', async () => {
    const shop = `package shop

# METADATA
# labels: {team: shop}
visible if input.order.owner == input.user

bad := 1

bad := 2
`;
    const { engine, events } = await opened({ config: logged(bundle({ 'shop.rego': shop })) });
    const options = { unknowns: ['input.order'], input: { user: 'ann' } };
    const { queries, decisionId } = await engine.partial('data.shop.visible', options);
    expect(queries).toEqual(['"ann" = input.order.owner']);
    await expect(engine.partial('data.shop.bad', options)).rejects.toMatchObject({ code: 'eval_conflict_error' });
    await engine.partial('true', { log: false });
    expect((await engine.partial('true', { decisionId: 'mine' })).decisionId).toBe('mine');
    await eventually(() => expect(events).toHaveLength(3));
    expect(events.toSorted((a, b) => String(a.query).localeCompare(String(b.query)))).toMatchObject([
      { query: 'data.shop.bad', input: { user: 'ann' }, error: { code: 'eval_conflict_error' } },
      {
        decision_id: decisionId,
        query: 'data.shop.visible',
        input: { user: 'ann' },
        result: { queries, modules: [] },
        bundles: { authz: { revision: 'r1' } },
        rule_labels: [{ team: 'shop' }],
        metrics: { timer_sdk_decision_eval_ns: expect.any(Number) },
      },
      { decision_id: 'mine', query: 'true', result: { queries: [''] } },
    ]);
  });

  test('filters are logged as the server logs them', async () => {
    const shop = `package shop

visible if input.orders.owner == input.user

all := true

none if input.user == "nobody"

broken if upper(input.orders.owner) == "A"
`;
    const { engine, events } = await opened({ config: logged(bundle({ 'shop.rego': shop })) });
    const options = { unknowns: ['input.orders'], input: { user: 'ann' } };
    const { where } = await engine.filter('shop/visible', { target: 'postgresql', ...options });
    await engine.filter('shop/all', { target: 'postgresql', ...options });
    await engine.filter('shop/none', { target: 'ucast+all', ...options });
    await engine.filter('shop/visible', { target: 'prisma', ...options });
    await expect(engine.filter('shop/broken', { target: 'postgresql', ...options })).rejects.toThrow();
    const custom = { type: 'open-policy-agent/compile', unknowns: ['input.orders'] };
    const ucast = { type: 'field', operator: 'eq', field: 'orders.owner', value: 'ann' };
    expect(events).toMatchObject([
      { path: 'shop/visible', input: { user: 'ann' }, result: { query: `WHERE ${where}` }, custom, bundles: { authz: { revision: 'r1' } } },
      { path: 'shop/all', result: { query: '' }, custom },
      { path: 'shop/none', custom },
      { path: 'shop/visible', result: { query: ucast }, custom },
      { path: 'shop/broken', error: expect.anything(), custom },
    ]);
    expect(events[2]).not.toHaveProperty('result');
    for (const { decision_id: id, metrics } of events) {
      expect(id).toMatch(/^[\da-f-]{36}$/);
      expect(metrics).toHaveProperty('timer_sdk_decision_eval_ns');
    }
  });

  test('are logged as their caller says', async () => {
    const config = { ...logged(bundle()), decision_logs: { console: true, request_context: { http: { headers: ['X-Team'] } } } };
    const { engine, events } = await opened({ config });
    const log = { requestedBy: '10.0.0.1:9', headers: { 'x-team': 'blue', cookie: 'c' }, traceId: 't', spanId: 's', custom: { tenant: 7 } };
    expect(engine.decide('authz/allow', {}, { decisionId: 'mine', batchDecisionId: 'all', log }).decisionId).toBe('mine');
    expect(events[0]).toMatchObject({
      decision_id: 'mine',
      batch_decision_id: 'all',
      requested_by: '10.0.0.1:9',
      request_context: { http: { headers: { 'X-Team': ['blue'] } } },
      trace_id: 't',
      span_id: 's',
      custom: { tenant: 7 },
    });
    expect(engine.decide('authz/allow', {}, { log: false })).toEqual({ result: false });
    expect(events).toHaveLength(1);
    expect(() => engine.decide('authz/allow', {}, { log: { custom: { at: new Date(0) } } })).toThrow('log.custom.at is a Date');
    expect(() => engine.decide('authz/allow', {}, { log: true as never })).toThrow('option log must be a false or object');
  });

  test('that end with an error are logged with it, and those that are never made are not', async () => {
    const files = { 'p.rego': 'package p\n\nx := 1 if true\n\nx := 2 if true\n\ny := http.send({"method": "GET", "url": input.url})\n' };
    const { engine, events } = await opened({ config: logged(bundle(files)) });
    expect(() => engine.decide('p/x')).toThrow(expect.objectContaining({ code: 'eval_conflict_error' }));
    await expect(engine.decideAsync('p/x')).rejects.toMatchObject({ code: 'eval_conflict_error' });
    expect(() => engine.decide('p/y', { url: 'http://127.0.0.1:9' })).toThrow(expect.objectContaining({ code: 'eval_wait_error' }));
    expect((await engine.explain('p/x')).error).toMatchObject({ code: 'eval_conflict_error' });
    expect(() => engine.decide('none/x', {}, { strict: true })).toThrow(expect.objectContaining({ code: 'undefined_path' }));
    expect(events.map(({ error }) => (error as { code?: string } | undefined)?.code)).toEqual([
      'eval_conflict_error',
      'eval_conflict_error',
      'eval_wait_error',
      'eval_conflict_error',
      undefined,
    ]);
    expect(() => engine.decide('p/x', new Date(0))).toThrow(expect.objectContaining({ code: 'invalid_input' }));
    expect(() => engine.decide('p/x', {}, { timeMs: -1 })).toThrow(expect.objectContaining({ code: 'invalid_option' }));
    expect(events).toHaveLength(5);
  });

  test('have events of their moment: what changes later does not show', async () => {
    const labelled = '# METADATA\n# labels: {team: blue}\npackage p\n\nx := data.n\n\nmask contains "/input/secret"\n';
    const { engine, events } = await opened({
      config: { decision_logs: { console: true, mask_decision: 'p/mask' } },
      sources: { policies: { 'p.rego': labelled }, data: { n: { a: 1 } } },
    });
    const input = { list: [1], secret: 's' };
    engine.decide('p/x', input);
    input.list.push(2);
    await engine.setData('n', { a: 2 });
    await eventually(() => expect(events).toHaveLength(1));
    expect(events[0]).toMatchObject({ input: { list: [1] }, result: { a: 1 }, rule_labels: [{ team: 'blue' }], erased: ['/input/secret'] });
    expect(input).toEqual({ list: [1, 2], secret: 's' });
  });

  test('are all sent by the time that an engine is closed', async () => {
    const received: { readonly input: number }[] = [];
    const { url } = await serve(({ body }, response) => {
      received.push(...(JSON.parse(gunzipSync(body).toString()) as typeof received));
      response.end();
    });
    const config = { ...logged(bundle()), services: { l: { url } }, decision_logs: { service: 'l' } };
    const { engine } = await opened({ config });
    const inputs = Array.from({ length: 200 }, (_, i) => i);
    for (const input of inputs) engine.decide('authz/allow', input);
    await engine.close();
    expect(received.map(({ input }) => input)).toEqual(inputs);
    expect(() => engine.decide('authz/allow')).toThrow(expect.objectContaining({ code: 'closed' }));
    await engine.close();
  });

  test('that cannot be sent do not hold up the end', async () => {
    const { url } = await serve(() => {});
    const config = { ...logged(bundle()), services: { l: { url } }, decision_logs: { service: 'l' } };
    const { engine, complaints } = await opened({ config, closeMs: 200 });
    engine.decide('authz/allow', 1);
    await engine.close();
    expect(complaints).toContain('The services did not end in time: events may be lost.');
  });

  test('are waited for at the end, however long that may take', async () => {
    const { url } = await serve((_, response) => void setTimeout(() => response.end(), 200));
    const config = { ...logged(bundle()), services: { l: { url } }, decision_logs: { service: 'l' } };
    const { engine, complaints } = await opened({ config, closeMs: Number.POSITIVE_INFINITY });
    engine.decide('authz/allow', 1);
    await engine.close();
    expect(complaints).toEqual([]);
  });

  test('of a log that throws are made all the same', async () => {
    const info = () => {
      throw new Error('full');
    };
    const { engine } = await opened({ config: logged(bundle()), console: { info } });
    expect(engine.decide('authz/allow', { user: 'ann' })).toMatchObject({ result: true });
  });
});
