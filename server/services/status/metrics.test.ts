import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually, temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { serve } from '../../../test/harness/server/http.js';
import { started } from '../../../test/harness/server/plugins.js';
import type { PlainObject } from '../../../values/value.js';
import { metricsText } from '../metrics/prometheus.js';
import { StatusMetrics } from './metrics.js';

test('with status.prometheus the metrics tell of bundles and plugins', async () => {
  const directory = temporaryDirectory();
  const path = writeFiles(join(directory, 'b'), { 'p.rego': 'package p\n\nx := 1\n', '.manifest': '{"revision": "r \\"1\\""}' });
  const buckets = [1, 60_000_000_000];
  const { manager } = await started({
    bundles: { b: { resource: `file://${path}` }, none: { resource: `file://${directory}/none` } },
    status: { prometheus: true, prometheus_config: { collectors: { bundle_loading_duration_ns: { buckets } } } },
  });
  const text = metricsText(manager.metrics());
  for (const line of [
    '# TYPE plugin_status_gauge gauge',
    'plugin_status_gauge{name="bundle",status="NOT_READY"} 1',
    'plugin_status_gauge{name="status",status="OK"} 1',
    '# TYPE bundle_loaded_counter counter',
    'bundle_loaded_counter{name="b"} 1',
    'bundle_loading_duration_ns_bucket{name="b",stage="timer_rego_load_bundles_ns",le="1"} 0',
    'bundle_loading_duration_ns_bucket{name="b",stage="timer_rego_load_bundles_ns",le="60000000000"} 1',
    'bundle_loading_duration_ns_count{name="b",stage="timer_rego_module_compile_ns"} 1',
  ])
    expect(text).toContain(`${line}\n`);
  expect(text).toMatch(/^bundle_failed_load_counter\{name="none",code="bundle_error",message=".*none.*"\} 1$/m);
  expect(text).toMatch(/^last_success_bundle_activation\{name="b",active_revision="r \\"1\\""\} 1\d{18}$/m);
  expect(text).not.toContain('last_success_bundle_activation{name="none"');
  const { prometheus } = (manager.status() as { metrics: { prometheus: PlainObject } }).metrics;
  expect(prometheus).toMatchObject({
    bundle_loaded_counter: { type: 'COUNTER', metric: [{ label: [{ name: 'name', value: 'b' }], counter: { value: 1 } }] },
    plugin_status_gauge: { type: 'GAUGE' },
    bundle_loading_duration_ns: {
      type: 'HISTOGRAM',
      // Protobuf's JSON writes integers of 64 bits as strings.
      metric: expect.arrayContaining([
        expect.objectContaining({
          histogram: {
            sampleCount: '1',
            sampleSum: expect.any(Number),
            bucket: [
              { cumulativeCount: '0', upperBound: 1 },
              { cumulativeCount: '1', upperBound: 60_000_000_000 },
            ],
          },
        }),
      ]),
    },
  });
  await manager.trigger();
  expect(metricsText(manager.metrics())).toContain('bundle_loaded_counter{name="b"} 2\n');
  writeFiles(path, { 'p.rego': 'package p\n\nx := \n' });
  await manager.trigger();
  expect(metricsText(manager.metrics())).toMatch(/^bundle_failed_load_counter\{name="b",.*\} 1$/m);
});

test('a load that is under way counts as nothing, and one that fails once', async () => {
  const waiting: (() => void)[] = [];
  const service = await serve((_, response) => {
    response.statusCode = 500;
    waiting.push(() => response.end());
  });
  const { manager } = await started({
    services: { s: { url: service.url } },
    bundles: { b: { polling: { min_delay_seconds: 60, max_delay_seconds: 60 } } },
    status: { prometheus: true, console: true },
  });
  const failures = () => metricsText(manager.metrics()).match(/^bundle_failed_load_counter\{.*$/gm);
  await eventually(() => expect(waiting).toHaveLength(1));
  expect(failures()).toBeNull();
  expect(manager.status()).toMatchObject({ bundles: { b: { last_request: '0001-01-01T00:00:00Z' } } });
  waiting[0]!();
  await manager.settled();
  expect(failures()).toEqual([expect.stringMatching(/name="b",code="bundle_error",.*\} 1$/)]);
});

test('without it they do not', async () => {
  const { manager } = await started({ status: { console: true } });
  expect(metricsText(manager.metrics())).toBe('');
});

test('what fails in ever other words does not fill the memory', () => {
  const metrics = new StatusMetrics();
  for (let i = 0; i < 3000; i++)
    metrics.update({
      b: { last_request: `${i}`, last_successful_activation: '0001-01-01T00:00:00Z', code: 'bundle_error', message: `${i}` },
    });
  expect(metricsText(metrics.metrics({}, {})).split('\n').length).toBeLessThan(1100);
});
