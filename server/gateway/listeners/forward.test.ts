import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually, temporaryDirectory } from '../../../test/harness/disk.js';
import { hasEnvoy, startEnvoy, startUpstream, type Upstream } from '../../../test/harness/envoy/envoy.js';
import { type GatewayProgram, hasGateway, startGateway } from '../../../test/harness/envoy/gateways.js';
import { BundleService } from '../../../test/harness/server/bundle-service.js';
import { freePort } from '../../../test/harness/server/free-port.js';
import { serve } from '../../../test/harness/server/http.js';
import { quietServerProcess, type ServerProcess, workersOf } from '../../../test/harness/server/process.js';
import { ConfigError, ConfigSection } from '../../services/config/config-section.js';
import { parseForward } from '../forward/forward-config.js';

const policy = `package envoy.authz

default allow := {"allowed": false, "http_status": 403, "body": "no", "headers": {"x-why": "default"}}

allow := {"allowed": true, "headers": {"x-user": input.parsed_query.user[0]}} if {
	input.attributes.request.http.method == "GET"
	input.parsed_path[0] == "goods"
}

allow := true if {
	input.attributes.request.http.method == "DELETE"
	input.parsed_path == ["goods", "1"]
}

allow := {"allowed": false, "http_status": 200} if input.parsed_path[0] == "trap"

allow := {"allowed": false, "http_status": 401, "headers": [{"www-authenticate": "Basic"}]} if input.parsed_path[0] == "login"

allow := true if input.parsed_path[0] == data.open

allow := true if {
	input.parsed_path[0] == "slow"
	http.send({"method": "GET", "url": data.slow}).status_code == 200
}

allow := 1 if input.parsed_path[0] == "wrong"

allow := {"allowed": false, "http_status": 302, "headers": {"location": concat("/", ["/login", input.parsed_path[1]])}} if {
	input.parsed_path[0] == "account"
}

allow := {"allowed": true, "headers": {input.parsed_path[1]: "1"}} if input.parsed_path[0] == "name"

allow := {"allowed": input.parsed_body.ok} if input.parsed_path[0] == "body"

allow := {"allowed": true, "headers": {"x-seen": sprintf("%s %s", [http.host, http.scheme])}} if {
	http := input.attributes.request.http
	input.parsed_path[0] == "seen"
}
`;

async function started(plugin: object = {}, more: object = {}, ...args: string[]) {
  const folder = temporaryDirectory();
  const port = await freePort();
  writeFileSync(join(folder, 'p.rego'), policy);
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({ plugins: { forward_auth: { addr: `127.0.0.1:${port}`, ...plugin } }, ...more }),
  );
  const server = await quietServerProcess(['-c', join(folder, 'config.json'), ...args, join(folder, 'p.rego')], {});
  return { server, port };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function ask(
  to: number | string,
  headers: Record<string, string>,
  { method = 'GET', path = '/', body = '', agent = undefined as Agent | undefined } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const place = typeof to === 'number' ? { host: '127.0.0.1', port: to } : { socketPath: to };
    const sent = request({ ...place, method, path, headers, agent: agent ?? false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const asked = (method: string, uri: string) => ({ 'x-forwarded-method': method, 'x-forwarded-uri': uri });

describe('forward auth', () => {
  test('answers as the policy says', async () => {
    const { port, server } = await started({}, { decision_logs: { console: true } });
    expect(await ask(port, asked('GET', '/goods/1?user=ann'))).toMatchObject({ status: 200, headers: { 'x-user': 'ann' }, body: '' });
    expect(await ask(port, asked('DELETE', '/goods/1'))).toMatchObject({ status: 200 });
    expect(await ask(port, asked('DELETE', '/goods/2'))).toMatchObject({ status: 403, headers: { 'x-why': 'default' }, body: 'no' });
    expect(await ask(port, asked('GET', '/login'))).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Basic', connection: 'close' },
    });
    // A gateway would take it for a permission.
    expect(await ask(port, asked('GET', '/trap'))).toMatchObject({ status: 403 });
    expect(await ask(port, asked('GET', '/wrong'))).toMatchObject({ status: 500, body: '' });
    expect(await ask(port, asked('GET', '/%'))).toMatchObject({ status: 400, body: 'request_parse_error: invalid URL escape "%"' });
    expect(await ask(port, { ...asked('GET', '/seen'), 'x-forwarded-host': 'shop.test', 'x-forwarded-proto': 'https' })).toMatchObject({
      headers: { 'x-seen': 'shop.test https' },
    });
    expect(await server.ask('GET', '/health?plugins')).toMatchObject({ status: 200 });
    const events = server.log
      .map((line) => JSON.parse(line) as { msg: string; input: { version: unknown } })
      .filter(({ msg }) => msg === 'Decision Log');
    expect(events).toHaveLength(8);
    expect(events[0]!.input.version).toEqual({ ext_authz: 'http', encoding: 'json' });
  });

  test('knows only the headers that its gateway sets', async () => {
    const { port } = await started();
    for (const headers of [
      {},
      { 'x-forwarded-uri': '/goods/1' },
      { 'x-forwarded-method': 'GET' },
      { 'x-original-uri': '/goods/1', 'x-original-method': 'GET' },
    ])
      expect(await ask(port, headers as Record<string, string>)).toMatchObject({ status: 400 });
    const forged = { ...asked('GET', '/admin'), 'x-original-uri': '/goods/1', 'x-original-method': 'GET' };
    expect(await ask(port, forged)).toMatchObject({ status: 403 });
  });

  test('refuses a method or a path that is set twice, since the client has set one of them', async () => {
    const { port } = await started();
    for (const name of ['x-forwarded-uri', 'x-forwarded-method']) {
      const { [name]: own, ...others } = asked('GET', '/goods/1?user=a') as Record<string, string>;
      expect(await ask(port, { ...others, [name]: [own, own] } as never)).toMatchObject({
        status: 400,
        body: `${name} is set twice: the gateway must set it, not add to it\n`,
      });
    }
    const listed = { ...asked('GET', '/goods/1?user=a'), 'x-forwarded-proto': ['https', 'http'] } as never;
    expect(await ask(port, listed)).toMatchObject({ status: 200 });
  });

  test('takes the original request from other headers', async () => {
    const { port } = await started({ source: 'original' });
    expect(await ask(port, { 'x-original-uri': '/goods/1?user=b', 'x-original-method': 'GET' })).toMatchObject({
      headers: { 'x-user': 'b' },
    });
    const url = { 'x-original-url': 'https://shop.test/goods/1?user=c', 'x-original-method': 'GET' };
    expect(await ask(port, url)).toMatchObject({ headers: { 'x-user': 'c' } });
    expect(await ask(port, asked('GET', '/goods/1'))).toMatchObject({ status: 400 });
  });

  test('answers open questions before it ends, and keeps no connection that is idle', async () => {
    let answer: (() => void) | undefined;
    const slow = await serve((_, response) => {
      answer = () => response.end();
    });
    const { server, port } = await started({}, {}, '--shutdown-grace-period', '600');
    await server.ask('PUT', '/v1/data/slow', JSON.stringify(slow.url));
    const agent = new Agent({ keepAlive: true });
    onTestFinished(() => agent.destroy());
    const late = ask(port, asked('GET', '/slow'), { agent });
    await vi.waitFor(() => expect(answer).toBeDefined(), 10_000);
    const ended = server.end('SIGTERM');
    await setTimeout(200);
    answer!();
    expect(await late).toMatchObject({ status: 200 });
    await ended;
  });

  test('answers 400 where two headers name the path: one of them is the client’s', async () => {
    const { port } = await started({ source: 'original' });
    const named = (uri: string, url: string) => ({ 'x-original-method': 'GET', 'x-original-uri': uri, 'x-original-url': url });
    expect(await ask(port, named('/goods/1?user=a', 'https://shop.test/admin'))).toMatchObject({ status: 400 });
    expect(await ask(port, named('/admin', 'https://shop.test/goods/1?user=a'))).toMatchObject({ status: 400 });
    expect(await ask(port, named('/goods/1?user=a', '/goods/1?user=b'))).toMatchObject({ status: 400 });
    expect(await ask(port, named('/goods/1?user=a', 'https://other.test/goods/1?user=a'))).toMatchObject({ status: 400 });
  });

  test('takes host and scheme from a whole URL', async () => {
    const { port } = await started({ source: 'original' });
    const whole = { 'x-original-url': 'https://shop.test/seen', 'x-original-method': 'GET', host: 'writ' };
    expect(await ask(port, whole)).toMatchObject({ headers: { 'x-seen': 'shop.test https' } });
  });

  test.each(['ann', 'é', '日本', 'ÿ😀'])('sends the header %j in UTF-8, as a gateway has sent it', async (user) => {
    const { port } = await started();
    const { headers } = await ask(port, asked('GET', `/goods/1?user=${encodeURIComponent(user)}`));
    expect(Buffer.from(String(headers['x-user']), 'latin1').toString()).toBe(user);
  });

  test.each(['/account/x%0d%0aset-cookie:%20sid=evil', '/account/%00', '/name/x-us%20er', '/name/content-length', '/name/Connection'])(
    'answers no line that the policy did not write: %s',
    async (path) => {
      const { port, server } = await started({}, { decision_logs: { console: true } });
      expect(await ask(port, asked('GET', '/account/x'))).toMatchObject({ status: 302, headers: { location: '/login/x' } });
      const { status, headers, body } = await ask(port, asked('GET', path));
      expect([status, body, headers['set-cookie']]).toEqual([500, '', undefined]);
      await eventually(() => expect(server.log.join()).toContain('failed to get response headers'));
    },
  );

  test('names the source whose headers a gateway sets instead', async () => {
    const { port } = await started();
    const headers = { 'x-original-uri': '/goods/1', 'x-original-method': 'GET' };
    const body = 'the gateway does not set x-forwarded-uri: it sets x-original-uri, for which plugins.forward_auth.source is "original"\n';
    expect(await ask(port, headers)).toMatchObject({ status: 400, body });
  });

  test('takes the question itself for the original request, with its body', async () => {
    const { port } = await started({ source: 'request' });
    expect(await ask(port, asked('GET', '/goods/1'), { path: '/admin' })).toMatchObject({ status: 403 });
    expect(await ask(port, {}, { path: '//goods/../x?user=d' })).toMatchObject({ status: 200, headers: { 'x-user': 'd' } });
    const json = { 'content-type': 'application/json' };
    expect(await ask(port, json, { method: 'POST', path: '/body', body: '{"ok": true}' })).toMatchObject({ status: 200 });
    expect(await ask(port, json, { method: 'POST', path: '/body', body: '{"ok": false}' })).toMatchObject({ status: 403 });
    expect(await ask(port, json, { method: 'POST', path: '/body', body: '{' })).toMatchObject({ status: 400 });
    expect(await ask(port, json, { method: 'POST', path: '/body', body: ' '.repeat(2_000_000) })).toMatchObject({ status: 413 });
  });

  test('lets all through with dry-run', async () => {
    const { port } = await started({ 'dry-run': true });
    expect(await ask(port, asked('GET', '/admin'))).toMatchObject({ status: 200 });
    expect(await ask(port, asked('GET', '/%'))).toMatchObject({ status: 200 });
  });

  test('warns where its configuration is discovered after the start', async () => {
    const service = await BundleService.start();
    onTestFinished(() => service.close());
    await service.put('1', { 'data.json': JSON.stringify({ labels: { a: 'b' } }) });
    const polling = { min_delay_seconds: 0, max_delay_seconds: 1 };
    const { server } = await started({}, { plugins: {}, services: { s: { url: service.url } }, discovery: { resource: 'd', polling } });
    const warning = 'The discovered configuration of forward_auth has effect after a restart.';
    expect(server.log.join('\n')).not.toContain(warning);
    await service.put('2', { 'data.json': JSON.stringify({ plugins: { forward_auth: { path: 'a/b' } } }) });
    await vi.waitFor(() => expect(server.log.join('\n')).toContain(warning), 30_000);
  });
});

describe.runIf(process.platform === 'linux')('forward auth of workers', () => {
  /** Each on a connection of its own, so that each worker is asked. */
  const askOften = async (to: number | string) =>
    (await Promise.all(Array.from({ length: 20 }, () => ask(to, asked('GET', '/books'))))).map(({ status }) => status);
  const all = (status: number) => Array.from({ length: 20 }, () => status);
  const signal = (server: ServerProcess, name: NodeJS.Signals) => workersOf(server).forEach((pid) => void process.kill(pid, name));

  /** An address, and where clients find it. */
  type Place = readonly [addr: string, to: number | string];

  test.each<[string, (port: number, folder: string) => Place]>([
    ['a port', (port) => [`127.0.0.1:${port}`, port]],
    ['a port with a scheme', (port) => [`http://127.0.0.1:${port}`, port]],
    ['a socket that is a file', (_port, folder) => [`unix://${folder}/s.sock`, `${folder}/s.sock`]],
    ['an abstract name', (port) => [`unix://@writ-${port}`, `\0writ-${port}`]],
  ])('answers at %s, and only where workers do', async (_title, placeOf) => {
    const [addr, place] = placeOf(await freePort(), temporaryDirectory());
    const { server } = await started({ addr }, { decision_logs: { console: true } }, '--workers', '2');
    expect(await askOften(place)).toEqual(all(403));
    // Whoever answers has the write.
    expect((await server.ask('PUT', '/v1/data/open', '"books"')).status).toBe(204);
    expect(await askOften(place)).toEqual(all(200));
    await vi.waitFor(() => expect(server.log.filter((line) => line.includes('Decision Log'))).toHaveLength(40), 10_000);
    signal(server, 'SIGSTOP');
    const late = askOften(place);
    expect(await Promise.race([late, setTimeout(500, 'nothing')])).toBe('nothing');
    signal(server, 'SIGCONT');
    expect(await late).toEqual(all(200));
    expect((await server.ask('GET', '/health?plugins')).status).toBe(200);
  });

  test('goes on where a worker dies', async () => {
    const { server, port } = await started({}, {}, '--workers', '2');
    const [first] = workersOf(server);
    process.kill(first!, 'SIGKILL');
    await vi.waitFor(() => expect(workersOf(server).filter((pid) => pid !== first)).toHaveLength(2), 60_000);
    await vi.waitFor(async () => expect(await askOften(port)).toEqual(all(403)), 30_000);
  });

  test('is not ready where its address is in use, and the rest of the server is', async () => {
    const other = await serve((_, response) => response.end());
    const { server } = await started({ addr: new URL(other.url).host }, {}, '--workers', '2');
    expect((await server.ask('GET', '/health')).status).toBe(200);
    expect((await server.ask('GET', '/health?plugins')).status).toBe(500);
  });
});

test.each<[object, string]>([
  [{ path: 'a', query: 'b' }, 'not both'],
  [{ source: 'x' }, 'must be one of forwarded, original, request'],
  [{ 'dry-run': 'yes' }, 'must be a boolean'],
])('%j is no configuration', (section, message) => {
  const parse = () => parseForward(new ConfigSection({ plugins: { forward_auth: section as never } }, ''));
  expect(parse).toThrow(ConfigError);
  expect(parse).toThrow(message);
});

/** What a client of the gateway sees, and what arrives. */
async function expectGateway(listener: number, upstream: Upstream): Promise<void> {
  const url = `http://127.0.0.1:${listener}`;
  upstream.take();
  const forged = { 'x-user': 'forged', 'x-forwarded-uri': '/goods/1', 'x-forwarded-method': 'GET' };
  const statusOf = async (path: string, method = 'GET', headers: Record<string, string> = {}) =>
    (await fetch(url + path, { method, headers })).status;
  expect(await statusOf('/goods/1?user=ann', 'GET', { 'x-user': 'forged' })).toBe(200);
  expect(upstream.take()).toMatchObject([{ method: 'GET', url: '/goods/1?user=ann', headers: { 'x-user': 'ann' } }]);
  expect(await statusOf('/goods/1', 'DELETE')).toBe(200);
  expect(await statusOf('/goods/2', 'DELETE')).toBe(403);
  expect(await statusOf('/admin')).toBe(403);
  expect(await statusOf('/admin', 'GET', forged)).toBe(403);
  expect(await statusOf('/trap')).toBe(403);
  expect(await statusOf('/login')).toBe(401);
  expect(upstream.take().map(({ method, url: path }) => [method, path])).toEqual([['DELETE', '/goods/1']]);
}

/** A request whose path goes out as it is written. */
async function statusOfRaw(listener: number, path: string): Promise<number> {
  return (await ask(listener, {}, { path })).status;
}

const oddPaths = [
  '//goods/1',
  '/goods//1',
  '/x/../goods/1',
  '/goods/.',
  '/x/..%2fgoods/1',
  '/x/%2e%2E/goods',
  '/x%5cgoods',
  '/goods;a/1',
  '/x%252fy',
];

async function upstreamOfTest(): Promise<{ readonly upstream: Upstream; readonly listener: number }> {
  const upstream = await startUpstream();
  onTestFinished(() => upstream.close());
  return { upstream, listener: await freePort() };
}

describe.each<GatewayProgram>(['nginx', 'caddy'])('behind %s', (program) => {
  test.runIf(hasGateway(program))('requests go on as the policy says', async () => {
    const { upstream, listener } = await upstreamOfTest();
    const { port } = await started();
    await startGateway(program, { listener, authz: port, upstream: upstream.port });
    await expectGateway(listener, upstream);
    for (const path of oddPaths) expect([path, await statusOfRaw(listener, path)]).toEqual([path, 400]);
    expect(upstream.take()).toEqual([]);
    expect(await statusOfRaw(listener, '/goods/1.css?user=a//b/../%2f')).toBe(200);
  });

  test.runIf(hasGateway(program))('a decision that takes too long is an error', async () => {
    const { upstream, listener } = await upstreamOfTest();
    const silent = await serve(() => {});
    await startGateway(program, { listener, authz: Number(new URL(silent.url).port), upstream: upstream.port });
    expect((await fetch(`http://127.0.0.1:${listener}/goods/1`)).status).toBeGreaterThanOrEqual(500);
    expect(upstream.take()).toEqual([]);
  });
});

const envoyConfig = (listener: number, admin: number, authz: number, upstream: number) => `
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
              http_service:
                server_uri: { uri: "127.0.0.1:${authz}", cluster: authz, timeout: 2s }
                authorization_response: { allowed_upstream_headers: { patterns: [ { exact: x-user } ] } }
          - name: envoy.filters.http.router
            typed_config: { "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router }
  clusters:
  - name: upstream
    load_assignment: { cluster_name: upstream, endpoints: [ { lb_endpoints: [ { endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: ${upstream} } } } } ] } ] }
  - name: authz
    load_assignment: { cluster_name: authz, endpoints: [ { lb_endpoints: [ { endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: ${authz} } } } } ] } ] }
`;

test.runIf(hasEnvoy)('behind an Envoy that asks over HTTP, requests go on as the policy says', async () => {
  const { upstream, listener } = await upstreamOfTest();
  const { port } = await started({ source: 'request' });
  const admin = await freePort();
  const envoy = await startEnvoy(envoyConfig(listener, admin, port, upstream.port), admin);
  onTestFinished(() => envoy.stop());
  await expectGateway(listener, upstream);
});
