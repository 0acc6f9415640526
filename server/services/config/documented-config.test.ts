/** The configuration file of the reference's documentation, against services of our own. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signFiles } from '../../../engine/bundle/signature/signing.js';
import { archiveOf } from '../../../test/harness/archives.js';
import { eventually, temporaryDirectory } from '../../../test/harness/disk.js';
import { serve } from '../../../test/harness/server/http.js';
import { serverProcess } from '../../../test/harness/server/process.js';
import { nodeHost } from '../../../values/builtins/host/node.js';

test('services, bundles, discovery, decision logs and status of one file', { timeout: 120_000 }, async () => {
  const files = { 'http/example/authz/p.rego': 'package http.example.authz\n\nallow := input.user == "alice"\n' };
  const bytes = new Map(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]));
  const signatures = await signFiles(
    bytes,
    { key: 'secret-key', algorithm: 'HS256', keyId: 'global_key', claims: { scope: 'write' } },
    nodeHost.crypto!,
  );
  const bundle = await archiveOf({ ...files, '.signatures.json': JSON.stringify(signatures) });
  const config = {
    bundles: {
      authz: {
        service: 'acmecorp',
        resource: 'bundles/http/example/authz.tar.gz',
        persist: true,
        polling: { min_delay_seconds: 60, max_delay_seconds: 120 },
        signing: { keyid: 'global_key', scope: 'write' },
      },
    },
    decision_logs: { service: 'acmecorp', reporting: { min_delay_seconds: 1, max_delay_seconds: 1 } },
    status: { service: 'acmecorp' },
    default_decision: '/http/example/authz/allow',
  };
  const discovery = await archiveOf({ 'data.json': JSON.stringify({ discovery: config }) });
  const { url, requests } = await serve(({ method, path }, response) => {
    if (method === 'POST') response.end();
    else response.end(path.includes('/discovery') ? discovery : bundle);
  });
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'opa-config.yaml');
  writeFileSync(
    file,
    `services:
  acmecorp:
    url: ${url}/control-plane-api/v1
    response_header_timeout_seconds: 5
    credentials:
      bearer:
        token: "bGFza2RqZmxha3NkamZsa2Fqc2Rsa2ZqYWtsc2RqZmtramRmYWxkc2tm"

labels:
  app: myapp
  region: west
  environment: production

discovery:
  resource: /configuration/example/discovery
  service: acmecorp
  decision: discovery

keys:
  global_key:
    algorithm: HS256
    key: secret-key
    scope: write

persistence_directory: ${directory}/opa
`,
  );
  const server = await serverProcess('-c', file);
  await eventually(async () => expect((await server.ask('GET', '/health?bundles&plugins')).status).toBe(200));
  expect(await server.ask('POST', '/', '{"user": "alice"}')).toMatchObject({ status: 200, body: true });
  const { body: shown } = await server.ask('GET', '/v1/config');
  expect(shown).toMatchObject({ result: { bundles: { authz: { persist: true } }, labels: { region: 'west' } } });
  expect(JSON.stringify(shown)).not.toMatch(/bGFza|secret-key/);
  const { body: status } = await server.ask('GET', '/v1/status');
  const never = '0001-01-01T00:00:00Z';
  expect(
    (status as { result: { bundles: { authz: { last_successful_activation: string } } } }).result.bundles.authz.last_successful_activation,
  ).not.toBe(never);
  const posted = () => requests.filter(({ method }) => method === 'POST').map(({ path }) => path);
  await eventually(() => expect(posted()).toContain('/control-plane-api/v1/logs'));
  await eventually(() => expect(posted()).toContain('/control-plane-api/v1/status'));
  for (const { headers } of requests) expect(headers.authorization).toMatch(/^Bearer bGFza/);
  await server.end('SIGTERM');
  expect(server.log.join('\n')).not.toMatch(/bGFza|secret-key/);
});

test('a URL on the command line is a bundle', { timeout: 60_000 }, async () => {
  const bundle = await archiveOf({ 'a/p.rego': 'package a\n\nx := 1\n' });
  const { url, requests } = await serve((_, response) => response.end(bundle));
  const server = await serverProcess(`${url}/bundles/b.tar.gz?v=1`, '--set', `persistence_directory=${temporaryDirectory()}`);
  await eventually(async () => expect(await server.decide('a/x')).toBe(1));
  expect(requests[0]!.path).toBe('/bundles/b.tar.gz?v=1');
  await server.end('SIGTERM');
});
