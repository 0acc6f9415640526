import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { grpcCollector, httpCollector } from '../../../test/harness/collectors.js';
import { eventually, temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { serve } from '../../../test/harness/server/http.js';
import { serverProcess } from '../../../test/harness/server/process.js';
import type { PlainObject } from '../../../values/value.js';
import { readConfig } from '../../control/server-config.js';
import { ConfigError, ConfigSection } from '../config/config-section.js';
import { Logger, silentLogger } from '../logs/logger.js';
import { Histogram, type Metric, singleMetric } from '../metrics/prometheus.js';
import { type MetricsExport, startMetricsExport } from './metrics-export.js';
import { parseMetricsExport } from './metrics-export-config.js';

async function exportTo(
  section: PlainObject,
  metrics: readonly Metric[] = [singleMetric({ name: 'g', type: 'gauge', help: 'h' }, 1)],
  logger: Logger = silentLogger,
): Promise<MetricsExport> {
  const config = parseMetricsExport(new ConfigSection({ metrics_export: section }, ''));
  const started = (await startMetricsExport(config, async () => metrics, logger))!;
  onTestFinished(() => started.stop(5000));
  return started;
}

const collectors = { http: httpCollector, grpc: grpcCollector };
const types = ['http', 'grpc'] as const;

describe.each(types)('over %s', (type) => {
  test('each family is sent under its name, with its labels as attributes', async () => {
    const collector = await collectors[type]();
    const histogram = new Histogram({ code: '200' }, [1, 2]);
    for (const quantity of [0.5, 1, 1.5, 9]) histogram.observe(quantity);
    const metrics: Metric[] = [
      singleMetric({ name: 'g', type: 'gauge', help: 'h' }, 1.5, { a: 'b' }),
      singleMetric({ name: 'c_total', type: 'counter', help: 'h' }, 7),
      { family: { name: 'seconds', type: 'histogram', help: 'h' }, samples: [], histograms: [histogram] },
    ];
    const section = { type: `otlp/${type}`, address: collector.address, service_name: 'authz', resource: { service_namespace: 'n' } };
    await (await exportTo(section, metrics)).stop(5000);
    const resource = expect.objectContaining({ 'service.name': 'authz', 'service.namespace': 'n' });
    expect(collector.metrics).toEqual([
      [
        { name: 'g', type: 'gauge', resource, points: [{ attributes: { a: 'b' }, value: 1.5, counts: [], bounds: [] }] },
        { name: 'c_total', type: 'counter', resource, points: [{ attributes: {}, value: 7, counts: [], bounds: [] }] },
        {
          name: 'seconds',
          type: 'histogram',
          resource,
          points: [{ attributes: { code: '200' }, value: 12, counts: [2, 1, 1], bounds: [1, 2] }],
        },
      ],
    ]);
  });

  test.each([[[]], [['--workers', '2']]])('the built command sends the metrics of /metrics, with %j', async (flags) => {
    const collector = await collectors[type]();
    const config = { metrics_export: { type: `otlp/${type}`, address: collector.address }, status: { prometheus: true } };
    const directory = writeFiles(temporaryDirectory(), {
      'config.json': JSON.stringify(config),
      'p.rego': 'package p\n\nallow := true\n',
    });
    const files = ['-c', join(directory, 'config.json'), join(directory, 'p.rego')];
    // The end of a server whose workers are still starting would send nothing.
    const server = await serverProcess(...flags, ...files);
    for (let i = 0; i < 10; i++) expect(await server.decide('p/allow', {})).toBe(true);
    const text = await (await fetch(`${server.url}/metrics`)).text();
    for (let i = 0; i < 10; i++) expect(await server.decide('p/allow', {})).toBe(true);
    // The end sends the last metrics.
    await server.end('SIGTERM');
    expect(server.log.filter((line) => line.includes('OpenTelemetry'))).toEqual([]);
    const last = collector.metrics.at(-1)!;
    const shown = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`);
    expect(last.map(({ name, type }) => `${name} ${type}`)).toEqual(expect.arrayContaining(shown));
    const durations = last.find(({ name }) => name === 'http_request_duration_seconds')!;
    const decisions = durations.points.filter(({ attributes }) => attributes.handler === 'v1/data');
    expect(decisions.flatMap(({ counts }) => counts).reduce((a, b) => a + b)).toBe(20);
  });
});

test('metrics are sent at intervals', async () => {
  const collector = await httpCollector();
  await exportTo({ type: 'http', address: collector.address, export_interval_ms: 10 });
  await eventually(() => expect(collector.metrics.length).toBeGreaterThan(1));
  expect(collector.paths[0]).toBe('/v1/metrics');
});

test('a collector that is down is reported', async () => {
  const lines: string[] = [];
  const placeholder = await serve((_, response) => response.end());
  await placeholder.close();
  const logger = new Logger({ level: 'info', format: 'json', write: (line) => lines.push(line) });
  const section = { type: 'http', address: new URL(placeholder.url).host, export_timeout_ms: 200 };
  await (await exportTo(section, undefined, logger)).stop(5000);
  expect(lines.join('')).toContain('OpenTelemetry');
});

test.each([[[]], [['--workers', '2']]])('a collector that does not answer delays no end, with %j', async (flags) => {
  const collector = await serve(() => undefined);
  const to = { type: 'http', address: new URL(collector.url).host };
  const directory = writeFiles(temporaryDirectory(), { 'config.json': JSON.stringify({ metrics_export: to, distributed_tracing: to }) });
  const server = await serverProcess('-c', join(directory, 'config.json'), '--shutdown-grace-period', '1', ...flags);
  expect((await server.ask('POST', '/v1/data', '{}')).status).toBe(200);
  const started = performance.now();
  await server.end('SIGTERM');
  expect(collector.requests.map(({ path }) => path)).toEqual(expect.arrayContaining(['/v1/metrics', '/v1/traces']));
  expect(server.log.filter((line) => line.includes('did not answer before the end')).length).toBeGreaterThan(0);
  // The packages wait 10 s for an answer, and try again.
  expect(performance.now() - started).toBeLessThan(9000);
});

test.each<[PlainObject, string]>([
  [{ type: 'udp' }, 'unknown metrics_export.type "udp", must be "otlp/grpc", "otlp/http" or "" (unset)'],
  [{ type: 'otlp/udp' }, 'unknown metrics_export.type "otlp/udp", must be "otlp/grpc", "otlp/http" or "" (unset)'],
  [{ type: 'otlp/otlp/grpc' }, 'unknown metrics_export.type "otlp/otlp/grpc", must be "otlp/grpc", "otlp/http" or "" (unset)'],
  [{ type: 'otlp/' }, 'unknown metrics_export.type "otlp/", must be "otlp/grpc", "otlp/http" or "" (unset)'],
  [{ type: 'grpc', encryption: 'x' }, 'unsupported metrics_export.encryption "x": must be "off", "tls" or "mtls"'],
  [{ type: 'grpc', encryption: 'mtls' }, 'metrics_export: mtls needs tls_cert_file and tls_private_key_file'],
  [{ type: 'grpc', export_interval_ms: 0 }, 'metrics_export.export_interval_ms: must be positive'],
])('%j: %s', (section, message) => {
  expect(() => readConfig({ metrics_export: section })).toThrow(new ConfigError(message));
});

test('without a type nothing is sent', async () => {
  expect(readConfig({ metrics_export: { address: 'x' } }).metricsExport).toBeUndefined();
  expect(await startMetricsExport(undefined, async () => [], silentLogger)).toBeUndefined();
});

test('the interval, and a timeout that is at most as long', () => {
  const times = (section: PlainObject) => {
    const { intervalMs, timeoutMs } = readConfig({ metrics_export: { type: 'http', ...section } }).metricsExport!;
    return [intervalMs, timeoutMs];
  };
  expect(times({})).toEqual([60_000, 30_000]);
  expect(times({ export_interval_ms: 10 })).toEqual([10, 10]);
  // A longer timer would be one of a millisecond.
  expect(times({ export_interval_ms: 1e12, export_timeout_ms: 1e12 })).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
});
