import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test/harness/disk.js';
import { serve } from '../../../test/harness/server/http.js';
import { pluginFaces, type StartPlugins } from '../../../test/harness/server/plugin-faces.js';
import { started } from '../../../test/harness/server/plugins.js';
import { tellTestsApart } from '../../../test/harness/set-up/concurrent-tests.js';
import { parseJson } from '../../../values/json/json.js';
import type { PlainObject } from '../../../values/value.js';
import { parsePlugins } from '../config/plugins-config.js';
import { metricsText } from '../metrics/prometheus.js';

tellTestsApart();

interface Event {
  readonly decision_id: string;
  readonly [field: string]: unknown;
}

/** A log service, which answers as it is told, and the events that it has accepted. */
async function logService({ port }: { readonly port?: number } = {}) {
  const accepted: Event[] = [];
  const state: { status: number; judge?: (events: readonly Event[], bytes: number) => number } = { status: 200 };
  const server = await serve(
    (request, response) => {
      const events = JSON.parse(gunzipSync(request.body).toString()) as Event[];
      response.statusCode = state.judge?.(events, request.body.length) ?? state.status;
      if (response.statusCode === 200) accepted.push(...events);
      response.end('{}');
    },
    port === undefined ? {} : { port },
  );
  return { ...server, accepted, state, ids: () => accepted.map(({ decision_id }) => decision_id) };
}

function configFor(url: string, reporting: PlainObject = {}, section: PlainObject = {}): PlainObject {
  const often = { min_delay_seconds: 0, max_delay_seconds: 0 };
  return {
    services: { logger: { url: `${url}/base`, headers: { 'x-tenant': 't' } } },
    decision_logs: { service: 'logger', reporting: { ...often, ...reporting }, ...section },
    status: { console: true },
  };
}

const to = (n: number) => Array.from({ length: n }, (_, i) => `${i}`);

async function logging(config: PlainObject) {
  const running = await started(config);
  const log = running.manager.decisionLog!;
  const record = (ids: readonly string[], more: PlainObject = {}) => {
    for (const decisionId of ids) void log.record({ decisionId, path: 'p/x', input: { text: `input ${decisionId}`, ...more } });
  };
  return { ...running, log, record };
}

/** The same of a face. */
async function logged(start: StartPlugins, config: PlainObject) {
  const running = await start(config);
  const record = (ids: readonly string[], more: PlainObject = {}) => {
    for (const id of ids) running.log(id, 'p/x', { text: `input ${id}`, ...more });
  };
  return { ...running, record };
}

describe.concurrent.each(pluginFaces)('%s', (_face, start) => {
  describe('events for a service', () => {
    test('arrive as gzip arrays at its path, with its headers', async () => {
      const service = await logService();
      const { record, states } = await logged(start, configFor(service.url));
      record(to(3));
      await eventually(() => expect(service.ids()).toEqual(to(3)));
      expect(service.requests[0]).toMatchObject({
        method: 'POST',
        path: '/base/logs',
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-tenant': 't' },
      });
      expect(service.accepted[0]).toMatchObject({
        labels: expect.objectContaining({ id: expect.any(String), version: expect.any(String) }),
        decision_id: '0',
        path: 'p/x',
        input: { text: 'input 0' },
        timestamp: expect.any(String),
      });
      expect(states().get('decision_logs')).toEqual({ state: 'OK' });
    });

    test('are split by the limit of an upload', async () => {
      const service = await logService();
      const { record } = await logged(start, configFor(service.url, { upload_size_limit_bytes: 400 }, { resource: '/own' }));
      record(to(100));
      await eventually(() => expect(service.ids()).toEqual(to(100)));
      for (const { body, path } of service.requests) expect([body.length <= 400, path]).toEqual([true, '/base/own']);
      expect(service.requests.length).toBeGreaterThan(5);
    });

    test.each(['size', 'event'])('wait while it fails, and arrive once afterwards (buffer by %s)', async (buffer_type) => {
      const service = await logService();
      service.state.status = 503;
      const { record, lines, status } = await logged(start, configFor(service.url, { buffer_type, upload_size_limit_bytes: 500 }));
      record(to(50));
      await eventually(() => expect(service.requests.length).toBeGreaterThan(2));
      expect(status()).toMatchObject({
        decision_logs: { code: 'decision_log_error', http_code: 503, message: expect.any(String) },
      });
      expect(lines.filter(({ level }) => level === 'error')[0]).toMatchObject({ msg: expect.stringContaining('Log upload failed') });
      record(['more']);
      service.state.status = 200;
      await eventually(() => expect(service.ids()).toEqual([...to(50), 'more']));
      await eventually(() => expect(status()).toHaveProperty('decision_logs', {}));
    });

    test('wait as long as the service asks for', async () => {
      const times: number[] = [];
      const { url } = await serve((_, response) => {
        times.push(performance.now());
        response.writeHead(times.length < 2 ? 429 : 200, { 'retry-after': '1' }).end();
      });
      const { record } = await logged(start, configFor(url));
      record(to(3));
      await eventually(() => expect(times).toHaveLength(2));
      expect(times[1]! - times[0]!).toBeGreaterThan(990);
    });

    test('are lost beyond the buffer alone, which is counted', async () => {
      const service = await logService();
      service.state.status = 500;
      const reporting = { buffer_type: 'event', buffer_size_limit_events: 10 };
      const { record, status, metrics } = await logged(start, configFor(service.url, reporting));
      record(to(30));
      expect(status()).toMatchObject({
        decision_logs: { metrics: { counter_decision_logs_dropped_buffer_size_limit_exceeded: 20 } },
        metrics: { prometheus: { counter_decision_logs_dropped_buffer_size_limit_exceeded: 20 } },
      });
      expect(metrics()).toContain('\ndecision_logs_dropped_buffer_size_limit_exceeded 20\n');
      service.state.status = 200;
      await eventually(() => expect(service.ids()).toEqual(to(30).slice(20)));
    });

    test('are lost beyond a rate, which is counted', async () => {
      const service = await logService();
      const { record, metrics } = await logged(start, configFor(service.url, { max_decisions_per_second: 5 }));
      record(to(20));
      await eventually(() => expect(service.ids()).toEqual(to(5)));
      expect(metrics()).toContain('\ndecision_logs_dropped_rate_limit_exceeded 15\n');
    });

    test('wait for a trigger, where that is wanted, or for the end', async () => {
      const service = await logService();
      const { record, trigger, stop } = await logged(start, configFor(service.url, { trigger: 'manual' }));
      record(['a']);
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(service.ids()).toEqual([]);
      await trigger();
      expect(service.ids()).toEqual(['a']);
      record(['b']);
      await stop();
      expect(service.ids()).toEqual(['a', 'b']);
    });

    test('that cannot be sent at the end are reported', async () => {
      const service = await logService();
      const { record, lines, stop } = await logged(start, configFor(service.url, { trigger: 'manual' }));
      await service.close();
      record(to(7));
      await stop();
      expect(lines.filter(({ level }) => level === 'error').at(-1)).toMatchObject({
        msg: expect.stringContaining('7 events were not sent'),
      });
    });

    describe.each(['size', 'event'])('of which the service refuses some (buffer by %s)', (buffer_type) => {
      const small = { buffer_type, upload_size_limit_bytes: 400 };

      test('hold up no others, and are sent again', async () => {
        const service = await logService();
        service.state.judge = (events) => (events.some(({ decision_id }) => decision_id === '3') ? 400 : 200);
        const { record, lines, status } = await logged(start, configFor(service.url, small));
        record(to(40));
        await eventually(() => expect(service.ids()).toContain('39'));
        await eventually(() => expect(status()).toMatchObject({ decision_logs: { http_code: 400 } }));
        expect(service.ids()).not.toContain('3');
        expect(lines.find(({ level }) => level === 'error')!.msg).toContain('Log upload failed: server replied with Bad Request');
        delete service.state.judge;
        await eventually(() => expect(new Set(service.ids())).toEqual(new Set(to(40))));
        expect(service.ids()).toHaveLength(40);
        await eventually(() => expect(status()).toHaveProperty('decision_logs', {}));
      });

      test('are not tried one after the other where it refuses all', async () => {
        const service = await logService();
        service.state.status = 400;
        const { record, trigger } = await logged(start, configFor(service.url, { ...small, trigger: 'manual' }));
        record(to(100));
        await trigger();
        expect(service.requests).toHaveLength(3);
        service.state.status = 200;
        await trigger();
        expect(new Set(service.ids())).toEqual(new Set(to(100)));
        expect(service.ids()).toHaveLength(100);
      });

      test('are dropped first where the buffer is full', async () => {
        const service = await logService();
        service.state.status = 422;
        const limit = buffer_type === 'size' ? { buffer_size_limit_bytes: 1000 } : { buffer_size_limit_events: 20 };
        const { record, trigger, metrics } = await logged(start, configFor(service.url, { ...small, ...limit, trigger: 'manual' }));
        record(to(10));
        await trigger();
        record(to(30).slice(10));
        service.state.status = 200;
        await trigger();
        expect(service.ids()).toContain('29');
        expect(service.ids()).not.toContain('0');
        const dropped = /\ndecision_logs_dropped_buffer_size_limit_(?:bytes_)?exceeded ([1-9]\d*)\n/.exec(metrics());
        expect(service.ids().length + Number(dropped?.[1])).toBe(30);
      });

      test('are sent in smaller chunks where they are too large for it', async () => {
        const service = await logService();
        service.state.judge = (_, bytes) => (bytes > 400 ? 413 : 200);
        const { record, status, trigger, metrics } = await logged(
          start,
          configFor(service.url, { buffer_type, upload_size_limit_bytes: 5000, trigger: 'manual' }),
        );
        record(['big'], parseJson('{"n": 12345678901234567890}') as PlainObject);
        record(to(60));
        await trigger();
        expect(service.ids()).toEqual(['big', ...to(60)]);
        const texts = service.requests.filter(({ body }) => body.length <= 400).map(({ body }) => gunzipSync(body).toString());
        expect(texts[0]).toContain('"n":12345678901234567890');
        const tries = service.requests.length;
        record(to(20));
        await trigger();
        // The limit of the service is known by now.
        expect(service.requests.slice(tries).every(({ body }) => body.length <= 400)).toBe(true);
        expect(metrics()).toContain('\ndecision_logs_encoding_failure 0\n');
        expect(status()).toHaveProperty('decision_logs', {});
      });
    });
  });
});

describe.concurrent('events of a plugin', () => {
  test('lose their recorded results if they are too large, and then themselves', async () => {
    const service = await logService();
    const config = configFor(service.url, { upload_size_limit_bytes: 400 });
    const { log, manager } = await logging({ ...config, nd_builtin_cache: true });
    const long = Array.from({ length: 2000 }, (_, i) => ((i * i * 7919) % 36).toString(36) + Math.imul(i, 2654435761)).join('');
    void log.record({ decisionId: 'a', nondeterministic: { 'http.send': { long } } });
    void log.record({ decisionId: 'b', input: long });
    void log.record({ decisionId: 'c', nondeterministic: { 'time.now_ns': { '[]': 1 } } });
    await eventually(() => expect(service.ids()).toEqual(['a', 'c']));
    expect(service.accepted.map(({ nd_builtin_cache }) => nd_builtin_cache !== undefined)).toEqual([false, true]);
    expect(metricsText(manager.metrics())).toContain('\ndecision_logs_nd_builtin_cache_dropped 1\n');
    expect(metricsText(manager.metrics())).toContain('\ndecision_logs_encoding_failure 1\n');
  });

  test.each(['size', 'event'])('are sent as soon as they fill a chunk, where that is wanted (buffer by %s)', async (buffer_type) => {
    const service = await logService();
    const reporting = { trigger: 'immediate', buffer_type, upload_size_limit_bytes: 300, min_delay_seconds: 600, max_delay_seconds: 600 };
    const { record, manager } = await logging(configFor(service.url, reporting));
    record(to(100));
    await eventually(() => expect(service.ids().length).toBeGreaterThan(20));
    await manager.decisionLog!.trigger();
    expect(service.ids()).toEqual(to(100));
  });

  test('go to another service, once that is configured', async () => {
    const [first, second] = [await logService(), await logService()];
    const { record, manager } = await logging(configFor(first.url, { trigger: 'manual' }));
    record(['a']);
    await manager.reconfigure(parsePlugins(configFor(second.url, { trigger: 'manual' })));
    record(['b']);
    await manager.trigger();
    expect([first.ids(), second.ids()]).toEqual([[], ['a', 'b']]);
    await manager.reconfigure(parsePlugins(configFor(second.url, { trigger: 'manual', buffer_type: 'event' })));
    record(['c']);
    await manager.reconfigure(parsePlugins({}));
    expect(second.ids()).toEqual(['a', 'b', 'c']);
  });

  describe.each(['size', 'event'])('of which the service refuses some (buffer by %s)', (buffer_type) => {
    test('are lost alone if each by itself is too large for it', async () => {
      const service = await logService();
      const isTooLarge = (event: Event) => event.nd_builtin_cache !== undefined || event.decision_id === 'b';
      service.state.judge = (events) => (events.some(isTooLarge) ? 413 : 200);
      const config = { ...configFor(service.url, { buffer_type, trigger: 'manual' }), nd_builtin_cache: true };
      const { log, manager, lines } = await logging(config);
      void log.record({ decisionId: 'a', nondeterministic: { 'rand.intn': { '["x",9]': 1 } } });
      for (const decisionId of ['b', 'c']) void log.record({ decisionId });
      await manager.trigger();
      expect(service.ids().sort()).toEqual(['a', 'c']);
      expect(metricsText(manager.metrics())).toContain('\ndecision_logs_nd_builtin_cache_dropped 1\n');
      expect(metricsText(manager.metrics())).toContain('\ndecision_logs_encoding_failure 1\n');
      expect(lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    });
  });
});
