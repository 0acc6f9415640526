import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServerCredentials } from '@grpc/grpc-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { grpcCollector, httpCollector } from '../../../test/harness/collectors.js';
import { eventually, temporaryDirectory, writeFiles } from '../../../test/harness/disk.js';
import { writeArchive } from '../../../test/harness/process/tar-archive.js';
import { type TestOptions, testServer } from '../../../test/harness/server/app.js';
import { serve } from '../../../test/harness/server/http.js';
import { started } from '../../../test/harness/server/plugins.js';
import { quietServerProcess } from '../../../test/harness/server/process.js';
import { parseJson } from '../../../values/json/json.js';
import type { PlainObject } from '../../../values/value.js';
import { readConfig } from '../../control/server-config.js';
import { ConfigError, ConfigSection } from '../config/config-section.js';
import { Logger, silentLogger } from '../logs/logger.js';
import { startTracing, type Tracing } from './tracing.js';
import { parseTracing } from './tracing-config.js';

const often = { batch_span_processor_options: { batch_timeout_ms: 10 } };

async function tracingTo(section: PlainObject, logger: Logger = silentLogger): Promise<Tracing> {
  const config = parseTracing(new ConfigSection({ distributed_tracing: { ...often, ...section } }, ''));
  const tracing = (await startTracing(config, logger))!;
  onTestFinished(() => tracing.stop(5000));
  return tracing;
}

const policy = (url = '') => `package p

fetched := http.send({"method": "GET", "url": "${url}/x?secret=1"}).status_code

allow if input.user == "alice"

bad := 1 if true

bad := 2 if true
`;

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parentId}-01`;

async function asked(
  tracing: Tracing,
  path: string,
  { url = '', headers = {}, ...options }: TestOptions & { url?: string; headers?: Record<string, string> } = {},
) {
  const { ask } = await testServer({ policies: { 'p.rego': policy(url) }, tracing, ...options });
  return await ask('POST', path, '{"input": {"user": "alice"}}', headers);
}

describe('a traced request', () => {
  test('continues the trace of its client, through http.send to the next server', async () => {
    const collector = await httpCollector();
    const other = await serve((_, response) => response.end());
    const tracing = await tracingTo({
      type: 'http',
      address: collector.address,
      service_name: 'authz',
      resource: { service_namespace: 'n' },
    });
    const { text } = await asked(tracing, '/v1/data/p/fetched', { url: other.url, headers: { traceparent } });
    expect(text).toBe('{"result":200}\n');
    await eventually(() => expect(collector.spans).toHaveLength(3));
    const [exchange, decision, request] = ['HTTP GET', 'decision', 'v1/data'].map(
      (name) => collector.spans.find((span) => span.name === name)!,
    );
    expect(request).toMatchObject({
      kind: 2,
      traceId,
      parentId,
      attributes: { 'http.request.method': 'POST', 'url.path': '/v1/data/p/fetched', 'http.response.status_code': 200 },
      resource: { 'service.name': 'authz', 'service.namespace': 'n' },
    });
    expect(decision).toMatchObject({ traceId, parentId: request!.spanId, attributes: { 'decision.path': 'p/fetched' } });
    expect(exchange).toMatchObject({ kind: 3, traceId, parentId: decision!.spanId, attributes: { 'url.full': `${other.url}/x` } });
    expect(other.requests[0]!.headers.traceparent).toBe(`00-${traceId}-${exchange!.spanId}-01`);
    expect(collector.paths[0]).toBe('/v1/traces');
  });

  test('begins a trace without one', async () => {
    const collector = await httpCollector();
    const tracing = await tracingTo({ type: 'http', address: collector.address });
    await asked(tracing, '/v1/data/p/allow');
    await eventually(() => expect(collector.spans).toHaveLength(2));
    const request = collector.spans.find(({ name }) => name === 'v1/data')!;
    expect([request.parentId, request.traceId]).toEqual(['', expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(request.resource['service.name']).toBe('opa');
  });

  test('that fails is told as failed', async () => {
    const collector = await httpCollector();
    const tracing = await tracingTo({ type: 'http', address: collector.address });
    expect((await asked(tracing, '/v1/data/p/bad')).status).toBe(500);
    await eventually(() => expect(collector.spans.map(({ status }) => status)).toEqual([2, 2]));
  });

  test.each(['allow', 'bad'])('gives its ids to the decision log, and has the id of the decision %s', async (rule) => {
    const lines: PlainObject[] = [];
    const console = new Logger({ level: 'info', format: 'json', write: (line) => lines.push(parseJson(line) as PlainObject) });
    const collector = await httpCollector();
    const tracing = await tracingTo({ type: 'http', address: collector.address });
    await asked(tracing, `/v1/data/p/${rule}`, { headers: { traceparent }, console, config: { decision_logs: { console: true } } });
    await eventually(() => expect(collector.spans).toHaveLength(2));
    const request = collector.spans.find(({ name }) => name === 'v1/data')!;
    const event = lines.find(({ msg }) => msg === 'Decision Log')!;
    expect(event).toMatchObject({ trace_id: traceId, span_id: request.spanId });
    expect(request.attributes['opa.decision_id']).toBe(event.decision_id);
  });

  test('is recorded as often as is wanted, unless the client has decided', async () => {
    const collector = await httpCollector();
    const tracing = await tracingTo({ type: 'http', address: collector.address, sample_percentage: 0 });
    for (let i = 0; i < 5; i++) await asked(tracing, '/v1/data/p/allow');
    await asked(tracing, '/v1/data/p/allow', { headers: { traceparent } });
    await tracing.stop(5000);
    expect(collector.spans.map((span) => span.traceId)).toEqual([traceId, traceId]);
  });
});

test('spans are sent over gRPC too', async () => {
  const collector = await grpcCollector();
  const tracing = await tracingTo({ type: 'grpc', address: collector.address });
  await asked(tracing, '/v1/batch/data/p/allow');
  await asked(tracing, '/v1/data/p/allow', { headers: { traceparent } });
  await eventually(() => expect(collector.spans.filter((span) => span.traceId === traceId)).toHaveLength(2));
});

test.each(['http', 'grpc'] as const)('the built command sends spans over %s', async (type) => {
  const collector = type === 'http' ? await httpCollector() : await grpcCollector();
  const directory = writeFiles(temporaryDirectory(), {
    'config.json': JSON.stringify({ distributed_tracing: { type, address: collector.address } }),
    'p.rego': policy(),
  });
  const server = await quietServerProcess(['--log-level', 'error', '-c', join(directory, 'config.json'), join(directory, 'p.rego')], {});
  expect(await server.decide('p/allow', { user: 'alice' })).toBe(true);
  // The end sends the last spans.
  await server.end('SIGTERM');
  expect(collector.spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['decision', 'v1/data']));
  expect(server.log).toEqual([]);
});

describe.each(['http', 'grpc'])('over %s with TLS, spans', (type) => {
  /** A collector with a certificate of its own, which clients of mTLS have too. */
  async function secureCollector({ asksClients = false } = {}) {
    const directory = temporaryDirectory();
    const [key, cert] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2', ...names], {
      stdio: 'ignore',
    });
    const pair = { private_key: readFileSync(key), cert_chain: readFileSync(cert) };
    const collector =
      type === 'grpc'
        ? await grpcCollector(ServerCredentials.createSsl(pair.cert_chain, [pair], asksClients))
        : await httpCollector({ key: pair.private_key, cert: pair.cert_chain, ca: pair.cert_chain, requestCert: asksClients });
    return { collector, files: { tls_cert_file: cert, tls_private_key_file: key }, ca: { tls_ca_cert_file: cert } };
  }

  test('arrive where the certificate is trusted', async () => {
    const { collector, ca } = await secureCollector();
    await asked(await tracingTo({ type, address: collector.address, encryption: 'tls', ...ca }), '/v1/data/p/allow');
    await eventually(() => expect(collector.spans).toHaveLength(2));
  });

  test('arrive where any certificate is accepted', async () => {
    const { collector } = await secureCollector();
    await asked(await tracingTo({ type, address: collector.address, encryption: 'tls', allow_insecure_tls: true }), '/v1/data/p/allow');
    await eventually(() => expect(collector.spans).toHaveLength(2));
  });

  test('arrive where both sides have certificates', async () => {
    const { collector, ca, files } = await secureCollector({ asksClients: true });
    await asked(await tracingTo({ type, address: collector.address, encryption: 'mtls', ...ca, ...files }), '/v1/data/p/allow');
    await eventually(() => expect(collector.spans).toHaveLength(2));
  });

  test('do not arrive where the certificate is not trusted', async () => {
    const { collector } = await secureCollector();
    const lines: string[] = [];
    const logger = new Logger({ level: 'info', format: 'json', write: (line) => lines.push(line) });
    const tracing = await tracingTo({ type, address: collector.address, encryption: 'tls' }, logger);
    await asked(tracing, '/v1/data/p/allow');
    await tracing.stop(5000);
    expect(lines.join('')).toContain('self-signed certificate');
    expect(collector.spans).toEqual([]);
  });

  test('do not arrive where the collector asks for a certificate that is not there', async () => {
    const { collector, ca } = await secureCollector({ asksClients: true });
    const tracing = await tracingTo({ type, address: collector.address, encryption: 'tls', ...ca });
    await asked(tracing, '/v1/data/p/allow');
    await tracing.stop(5000);
    expect(collector.spans).toEqual([]);
  });
});

test('downloads of bundles have spans', async () => {
  const collector = await httpCollector();
  const archive = writeArchive(join(temporaryDirectory(), 'b.tar.gz'), { 'p.rego': 'package p\n\nx := 1\n' });
  const service = await serve((_, response) => response.end(readFileSync(archive)));
  const tracing = await tracingTo({ type: 'http', address: collector.address });
  await started(
    { services: { s: { url: service.url } }, bundles: { b: { resource: 'b.tar.gz' } } },
    { trace: (network) => tracing.network(network) },
  );
  await eventually(() =>
    expect(collector.spans[0]).toMatchObject({ name: 'HTTP GET', attributes: { 'url.full': `${service.url}/b.tar.gz` } }),
  );
  expect(service.requests[0]!.headers.traceparent).toContain(collector.spans[0]!.spanId);
});

test('a collector that is down affects no request, and is reported', async () => {
  const lines: string[] = [];
  const placeholder = await serve((_, response) => response.end());
  await placeholder.close();
  const logger = new Logger({ level: 'info', format: 'json', write: (line) => lines.push(line) });
  const options = { batch_timeout_ms: 10, export_timeout_ms: 200 };
  const tracing = await tracingTo({ type: 'http', address: new URL(placeholder.url).host, batch_span_processor_options: options }, logger);
  expect((await asked(tracing, '/v1/data/p/allow')).status).toBe(200);
  await tracing.stop(5000);
  expect(lines.join('')).toContain('OpenTelemetry');
});

test.each<[PlainObject, string]>([
  [{ type: 'udp' }, 'unknown distributed_tracing.type "udp", must be "grpc", "http" or "" (unset)'],
  [{ type: 'grpc', sample_percentage: 101 }, 'distributed_tracing.sample_percentage: must be from 0 to 100'],
  [{ type: 'grpc', encryption: 'x' }, 'unsupported distributed_tracing.encryption "x": must be "off", "tls" or "mtls"'],
  [{ type: 'grpc', encryption: 'mtls' }, 'distributed_tracing: mtls needs tls_cert_file and tls_private_key_file'],
])('%j: %s', (section, message) => {
  expect(() => readConfig({ distributed_tracing: section })).toThrow(new ConfigError(message));
});

test('without a type nothing is traced', async () => {
  expect(readConfig({ distributed_tracing: { address: 'x' } }).tracing).toBeUndefined();
  expect(await startTracing(undefined, silentLogger)).toBeUndefined();
});
