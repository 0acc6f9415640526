import { existsSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryDirectory } from '../../../test/harness/disk.js';
import { CheckClient, requestBytes } from '../../../test/harness/envoy/check-client.js';
import { hasEnvoy, startEnvoy, startUpstream } from '../../../test/harness/envoy/envoy.js';
import { BundleService } from '../../../test/harness/server/bundle-service.js';
import { freePort } from '../../../test/harness/server/free-port.js';
import { serve } from '../../../test/harness/server/http.js';
import { quietServerProcess, type ServerProcess, workersOf } from '../../../test/harness/server/process.js';
import { framedMessage } from '../grpc/grpc-messages.js';

const policy = `package envoy.authz

default allow := false

allow if input.parsed_path[0] == "goods"

allow if input.parsed_path[0] == data.open

allow if {
	input.parsed_path[0] == "slow"
	http.send({"method": "GET", "url": data.slow}).status_code == 200
}

allow if {
	input.parsed_path[0] == "loud"
	print("a loud", input.attributes.request.http.method)
}

allow := {"allowed": true, "response_headers_to_add": {"x-page": input.parsed_path[1]}} if input.parsed_path[0] == "page"

allow := {"allowed": false, "http_status": 302, "headers": {"location": input.parsed_path[1]}} if input.parsed_path[0] == "login"
`;

const check = (path: string) => ({ attributes: { request: { http: { method: 'GET', path } } } });

interface Options {
  readonly addr?: string;
  readonly plugin?: object;
  readonly config?: object;
  readonly data?: object;
  readonly args?: readonly string[];
}

/** Starts the command with a check service, in a process of its own. */
async function started({ addr, plugin = {}, config = {}, data = {}, args = [] }: Options = {}) {
  const folder = temporaryDirectory();
  const port = await freePort();
  writeFileSync(join(folder, 'p.rego'), policy);
  writeFileSync(join(folder, 'data.json'), JSON.stringify(data));
  const plugins = { envoy_ext_authz_grpc: { addr: addr ?? `127.0.0.1:${port}`, ...plugin } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ plugins, ...config }));
  const files = ['p.rego', 'data.json'].map((name) => join(folder, name));
  const server = await quietServerProcess(['-c', join(folder, 'config.json'), ...args, ...files], {});
  return { server, port, folder };
}

function clientOf(address: string): CheckClient {
  const client = new CheckClient(address);
  onTestFinished(() => client.close());
  return client;
}

/** The code that a check ends with; @grpc/grpc-js does not connect to abstract names. */
async function codeAtAbstractName(name: string): Promise<string> {
  const session = connectHttp2('http://localhost', { createConnection: () => connectSocket(`\0${name}`) });
  const stream = session.request({
    ':method': 'POST',
    ':path': '/envoy.service.auth.v3.Authorization/Check',
    'content-type': 'application/grpc',
  });
  stream.end(framedMessage(requestBytes(check('/goods'))));
  stream.resume();
  const code = await new Promise<string>((resolve, reject) => {
    stream.on('trailers', (trailers) => resolve(String(trailers['grpc-status'])));
    stream.on('error', reject);
    session.on('error', reject);
  });
  session.destroy();
  return code;
}

const statesOf = async (server: ServerProcess) => (await server.ask('GET', '/health?plugins')).status;

describe('the check service of the command', () => {
  test.each([
    ['a port of all addresses', (port: number) => `:${port}`],
    ['the name of this machine', (port: number) => `grpc://localhost:${port}`],
  ])('listens at %s', async (_title, addr) => {
    const free = await freePort();
    const { server } = await started({ addr: addr(free) });
    expect(await clientOf(`127.0.0.1:${free}`).check(check('/goods'))).toMatchObject({ response: { status: {} } });
    expect(await statesOf(server)).toBe(200);
  });

  test('a query is answered without a policy', async () => {
    const folder = temporaryDirectory();
    const port = await freePort();
    const plugins = { envoy_ext_authz_grpc: { addr: `127.0.0.1:${port}`, query: 'input.attributes.request.http.method == "GET"' } };
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ plugins }));
    await quietServerProcess(['-c', join(folder, 'config.json')], {});
    const client = clientOf(`127.0.0.1:${port}`);
    expect(await client.check(check('/goods'))).toMatchObject({ response: { status: {} } });
    const posted = { attributes: { request: { http: { method: 'POST', path: '/goods' } } } };
    expect(await client.check(posted)).toMatchObject({ response: { status: { code: 7 } } });
  });

  test.each([
    ['y == 1', '1 error occurred: 1:1: rego_unsafe_var_error: var y is unsafe'],
    ['input.x == 1; nothing(2)', '1 error occurred: 1:15: rego_type_error: undefined function nothing'],
  ])('the query %s is complained of as it was written', async (query, message) => {
    const { port } = await started({ plugin: { query } });
    const answer = await clientOf(`127.0.0.1:${port}`).check(check('/goods'));
    expect(answer).toEqual({ error: { code: 2, message } });
  });

  test('listens at a socket, in the place of a file', async () => {
    const path = join(temporaryDirectory(), 's.sock');
    writeFileSync(path, 'old');
    const { server } = await started({ addr: `unix://${path}` });
    expect(await clientOf(`unix:${path}`).check(check('/goods'))).toMatchObject({ response: { status: {} } });
    await server.end();
    expect(existsSync(path)).toBe(false);
  });

  test.runIf(process.platform === 'linux')('listens at an abstract name', async () => {
    const name = `writ-test-${process.pid}`;
    await started({ addr: `unix://@${name}` });
    expect(await codeAtAbstractName(name)).toBe('0');
  });

  test('is not ready where its address is in use, and the rest of the server is', async () => {
    const other = await serve((_, response) => response.end());
    const { server } = await started({ addr: new URL(other.url).host, config: { status: { console: false, prometheus: true } } });
    expect((await server.ask('GET', '/health')).status).toBe(200);
    expect(await statesOf(server)).toBe(500);
    expect((await server.ask('GET', '/health?plugins&exclude-plugin=envoy_ext_authz_grpc')).status).toBe(200);
    expect(server.log.join('\n')).toContain('Unable to create listener');
  });

  test('answers an open check before it ends', async () => {
    let answer: (() => void) | undefined;
    const slow = await serve((_, response) => {
      answer = () => response.end();
    });
    const { server, port } = await started({ data: { slow: slow.url } });
    const asked = clientOf(`127.0.0.1:${port}`).check(check('/slow'));
    await vi.waitFor(() => expect(answer).toBeDefined(), 10_000);
    const ended = server.end('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    answer!();
    expect(await asked).toMatchObject({ response: { status: {} } });
    await ended;
  });

  test.each([[[]], [['--workers', '2']]])('logs lines of print with the decision, its reasons and their place: %j', async (args) => {
    const { server, port } = await started({ config: { decision_logs: { console: true, why: true } }, args });
    expect(await clientOf(`127.0.0.1:${port}`).check(check('/loud'))).toMatchObject({ response: { status: {} } });
    await vi.waitFor(() => expect(server.log.join('\n')).toContain('Decision Log'), 10_000);
    const lines = server.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const printed = lines.find(({ msg }) => msg === 'a loud GET');
    expect(printed).toMatchObject({ level: 'info', line: expect.stringMatching(/\/p\.rego:16$/) });
    const event = lines.find(({ msg }) => msg === 'Decision Log')!;
    expect(printed!['decision-id']).toBe(event.decision_id);
    expect(event.why).toContainEqual({ rule: 'data.envoy.authz.allow', file: expect.any(String), row: 14, outcome: 'holds' });
  });

  test('answers gRPC’s health service', async () => {
    const { port } = await started();
    const client = clientOf(`127.0.0.1:${port}`);
    const [whole, other] = [Buffer.alloc(0), Buffer.from('\n\x01x')];
    expect(await client.unary('/grpc.health.v1.Health/Check', whole)).toEqual(Buffer.from([8, 1]));
    expect(await client.unary('/grpc.health.v1.Health/Check', other)).toMatchObject({ code: 5 });
    expect(await client.stream('/grpc.health.v1.Health/Watch', whole)).toEqual(Buffer.from([8, 1]));
    expect(await client.stream('/grpc.health.v1.Health/Watch', other)).toEqual(Buffer.from([8, 3]));
  });

  test('describes itself by reflection', async () => {
    const { port } = await started({ plugin: { 'enable-reflection': true } });
    const ask = (hex: string) =>
      clientOf(`127.0.0.1:${port}`).stream('/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', Buffer.from(hex, 'hex'));
    const symbol = Buffer.from('envoy.service.auth.v3.Authorization');
    const found = (await ask(`22${symbol.length.toString(16)}${symbol.toString('hex')}`)).toString('latin1');
    for (const name of ['envoy/service/auth/v3.proto', 'CheckRequest', 'OkHttpResponse', 'google/protobuf/struct.proto'])
      expect(found).toContain(name);
    expect((await ask(`2203${Buffer.from('a.b').toString('hex')}`)).toString('latin1')).toContain('a.b is not here');
  });
});

describe.runIf(process.platform === 'linux')('the check service of workers', () => {
  test('is healthy once the bundles are activated', async () => {
    const service = await BundleService.start();
    onTestFinished(() => service.close());
    const b = { service: 's', resource: 'b', polling: { min_delay_seconds: 0, max_delay_seconds: 1 } };
    const config = { services: { s: { url: service.url } }, bundles: { b } };
    const { port } = await started({ config, args: ['--workers', '2'] });
    const health = () => clientOf(`127.0.0.1:${port}`).unary('/grpc.health.v1.Health/Check', Buffer.alloc(0));
    expect(await health()).toEqual(Buffer.from([8, 2]));
    await service.put('1', { 'data.json': '{}', '.manifest': '{"roots": ["b"]}' });
    await vi.waitFor(async () => expect(await health()).toEqual(Buffer.from([8, 1])), 30_000);
  });

  const settings = { plugin: { 'enable-performance-metrics': true }, args: ['--workers', '2'] };

  /** Each on a connection of its own, so that each worker is asked. */
  async function askOften(address: string, path: string): Promise<unknown[]> {
    return await Promise.all(
      Array.from({ length: 20 }, async () => {
        const client = new CheckClient(address);
        const { response } = await client.check(check(path));
        client.close();
        return (response as { readonly status: unknown } | undefined)?.status;
      }),
    );
  }

  test('answers, logs and measures as one', async () => {
    const { server, port } = await started({ ...settings, config: { decision_logs: { console: true } } });
    // The first worker answers requests before all take checks.
    await vi.waitFor(async () => expect(await statesOf(server)).toBe(200), 10_000);
    expect(await askOften(`127.0.0.1:${port}`, '/goods')).toEqual(Array.from({ length: 20 }, () => ({})));
    expect((await server.ask('PUT', '/v1/data/open', '"books"')).status).toBe(204);
    expect(await askOften(`127.0.0.1:${port}`, '/books')).toEqual(Array.from({ length: 20 }, () => ({})));
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('grpc_request_duration_seconds_count{handler="check"} 40');
    await vi.waitFor(() => expect(server.log.filter((line) => line.includes('Decision Log'))).toHaveLength(40), 10_000);
    expect(server.log.join('\n')).toContain('"path":"envoy/authz/allow"');
  });

  test('answers at a socket that is a file', async () => {
    const path = join(temporaryDirectory(), 's.sock');
    const { server } = await started({ ...settings, addr: `unix://${path}` });
    expect(await askOften(`unix:${path}`, '/goods')).toEqual(Array.from({ length: 20 }, () => ({})));
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('grpc_request_duration_seconds_count{handler="check"} 20');
  });

  test('answers at an abstract name', async () => {
    const name = `writ-workers-${process.pid}`;
    await started({ ...settings, addr: `unix://@${name}` });
    for (let i = 0; i < 4; i++) expect(await codeAtAbstractName(name)).toBe('0');
  });

  test('goes on where a worker dies', async () => {
    const { server, port } = await started(settings);
    const [first] = workersOf(server);
    process.kill(first!, 'SIGKILL');
    await vi.waitFor(() => expect(workersOf(server).filter((pid) => pid !== first)).toHaveLength(2), 60_000);
    await vi.waitFor(
      async () => expect(await askOften(`127.0.0.1:${port}`, '/goods')).toEqual(Array.from({ length: 20 }, () => ({}))),
      30_000,
    );
  });

  test('is not ready where its address is in use', async () => {
    const other = await serve((_, response) => response.end());
    const { server } = await started({ ...settings, addr: new URL(other.url).host });
    expect(await statesOf(server)).toBe(500);
  });
});

const gateway = (listener: number, admin: number, authz: number, upstream: number) => `
admin: { address: { socket_address: { address: 127.0.0.1, port_value: ${admin} } } }
static_resources:
  listeners:
  - address: { socket_address: { address: 127.0.0.1, port_value: ${listener} } }
    filter_chains:
    - filters:
      - name: envoy.filters.network.http_connection_manager
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: main
          route_config: { virtual_hosts: [ { name: all, domains: ["*"], routes: [ { match: { prefix: "/" }, route: { cluster: upstream } } ] } ] }
          http_filters:
          - name: envoy.filters.http.ext_authz
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.ext_authz.v3.ExtAuthz
              transport_api_version: V3
              status_on_error: { code: ServiceUnavailable }
              grpc_service: { envoy_grpc: { cluster_name: authz }, timeout: 2s }
          - name: envoy.filters.http.router
            typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router }
  clusters:
  - name: upstream
    load_assignment: { cluster_name: upstream, endpoints: [ { lb_endpoints: [ { endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: ${upstream} } } } } ] } ] }
  - name: authz
    typed_extension_protocol_options:
      envoy.extensions.upstreams.http.v3.HttpProtocolOptions:
        "@type": type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions
        explicit_http_config: { http2_protocol_options: {} }
    load_assignment: { cluster_name: authz, endpoints: [ { lb_endpoints: [ { endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: ${authz} } } } } ] } ] }
`;

describe.runIf(hasEnvoy)('behind an Envoy', () => {
  test('a server that is killed makes 503, and one that takes its place decides again', async () => {
    const { server, port } = await started();
    const upstream = await startUpstream();
    const [listener, admin] = [await freePort(), await freePort()];
    const envoy = await startEnvoy(gateway(listener, admin, port, upstream.port), admin);
    onTestFinished(async () => {
      await envoy.stop();
      await upstream.close();
    });
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${listener}${path}`)).status;
    expect([await statusOf('/goods'), await statusOf('/other')]).toEqual([200, 403]);
    expect([await statusOf('/page/x')]).toEqual([200]);
    for (const path of ['/page/x%0d%0aset-cookie:%20sid=evil', '/login/x%0D%0A%0D%0A<script>', '/login/%00']) {
      const answer = await fetch(`http://127.0.0.1:${listener}${path}`, { redirect: 'manual' });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([503, null]);
    }
    await server.end('SIGKILL');
    expect([await statusOf('/goods'), await statusOf('/other')]).toEqual([503, 503]);
    await started({ addr: `127.0.0.1:${port}` });
    await vi.waitFor(async () => expect([await statusOf('/goods'), await statusOf('/other')]).toEqual([200, 403]), 30_000);
    // What was refused did not arrive.
    expect(new Set(upstream.take().map(({ url }) => url))).toEqual(new Set(['/goods', '/page/x']));
  });
});
