import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../../test/harness/disk.js';
import { hasEnvoy, startEnvoy, startUpstream } from '../../test/harness/envoy/envoy.js';
import { freePort } from '../../test/harness/server/free-port.js';
import { quietServerProcess } from '../../test/harness/server/process.js';
import { codeBlocks } from './code-blocks.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/envoy.md'), 'utf8');
const blocks = codeBlocks(page);
const [policy] = blocks.filter(({ language }) => language === 'rego');
const [config, gateway] = blocks.filter(({ language }) => language === 'yaml');

interface Row {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly status: number;
  readonly answer: string;
}

const rows: readonly Row[] = [...page.matchAll(/^\| `(GET|POST) (\S+)(?: (.*))?` \| (\d+)(?: `(.*)`)? \|$/gm)].map(
  ([, method, path, body, status, answer = '']) => ({ method: method!, path: path!, body, status: Number(status), answer }),
);

test.runIf(hasEnvoy)('the page’s Envoy answers as its table says', async () => {
  const folder = temporaryDirectory();
  const [authz, listener, admin] = [await freePort(), await freePort(), await freePort()];
  const upstream = await startUpstream();
  writeFileSync(join(folder, 'policy.rego'), policy!.text);
  writeFileSync(join(folder, 'config.yaml'), config!.text.replace('9191', String(authz)));
  await quietServerProcess(['-c', join(folder, 'config.yaml'), join(folder, 'policy.rego')], {});
  const ports: Record<string, number> = { 9191: authz, 10000: listener, 8080: upstream.port };
  const filled = gateway!.text.replace(/(port_value: )(\d+)/g, (_, key: string, port: string) => `${key}${ports[port]}`);
  const administration = `admin: { address: { socket_address: { address: 127.0.0.1, port_value: ${admin} } } }\n`;
  const envoy = await startEnvoy(administration + filled, admin);
  onTestFinished(async () => {
    await envoy.stop();
    await upstream.close();
  });
  expect(rows.length).toBeGreaterThan(4);
  for (const { method, path, body, status, answer } of rows) {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${listener}${path}`;
    const response = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
    expect([method, path, response.status]).toEqual([method, path, status]);
    expect(await response.text()).toContain(answer);
  }
  expect(upstream.take().map(({ url, headers }) => [url, headers['x-reader']])).toEqual([
    ['/goods/1', 'yes'],
    ['/orders', undefined],
  ]);
});
