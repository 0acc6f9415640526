import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually, temporaryDirectory } from '../../../runtime/bundle/disk/disk-testing.js';
import { archiveOf } from '../../../runtime/bundle/testing.js';
import type { PlainObject } from '../../../runtime/values/value.js';
import { type RunningPlugins, started } from '../plugins-testing.js';
import { serve } from '../services/http-testing.js';
import { answering, freePort } from '../services/moto-testing.js';

const hasRegistry = spawnSync('docker-registry', ['--version'], { stdio: 'ignore' }).status === 0;
if (!hasRegistry) console.log('tests with an image registry are skipped: docker-registry is not installed');

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const policy = (n: number) => archiveOf({ 'a/p.rego': `package a\n\nx := ${n}\n`, '.manifest': '{"roots": ["a"]}' });
const often = { polling: { min_delay_seconds: 0, max_delay_seconds: 0 } };

function manifestOf(layer: Uint8Array, config: Uint8Array): Buffer {
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digestOf(config), size: config.length },
    layers: [{ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', digest: digestOf(layer), size: layer.length }],
  };
  return Buffer.from(JSON.stringify(manifest));
}

async function running(url: string, resource: string, service: PlainObject = {}): Promise<RunningPlugins> {
  const config = { services: { r: { url, type: 'oci', ...service } }, bundles: { b: { resource, ...often } }, status: { console: true } };
  const plugins = await started(config);
  await plugins.manager.settled();
  return plugins;
}

function messageOf({ manager }: RunningPlugins): unknown {
  return (manager.status() as { bundles: { b: PlainObject } }).bundles.b.message;
}

describe.skipIf(!hasRegistry)('a bundle of a real registry', () => {
  async function registry(): Promise<string> {
    const port = await freePort();
    const directory = temporaryDirectory();
    const config = `version: 0.1\nstorage: {filesystem: {rootdirectory: ${directory}}}\nhttp: {addr: '127.0.0.1:${port}'}\nlog: {level: error}\n`;
    writeFileSync(join(directory, 'config.yml'), config);
    const process = spawn('docker-registry', ['serve', join(directory, 'config.yml')], { stdio: 'ignore' });
    onTestFinished(() => void process.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}`;
    await answering(`${url}/v2/`, process);
    return url;
  }

  async function push(url: string, layer: Uint8Array): Promise<void> {
    const config = Buffer.from('{}');
    for (const blob of [config, layer]) {
      const started = await fetch(`${url}/v2/org/policies/blobs/uploads/`, { method: 'POST' });
      const target = new URL(started.headers.get('location')!, url);
      target.searchParams.set('digest', digestOf(blob));
      const sent = await fetch(target, { method: 'PUT', body: Buffer.from(blob), headers: { 'content-type': 'application/octet-stream' } });
      expect(sent.status).toBe(201);
    }
    const type = 'application/vnd.oci.image.manifest.v1+json';
    const body = new Uint8Array(manifestOf(layer, config));
    expect((await fetch(`${url}/v2/org/policies/manifests/v1`, { method: 'PUT', body, headers: { 'content-type': type } })).status).toBe(
      201,
    );
  }

  test('is active, and is replaced when its tag moves', async () => {
    const url = await registry();
    await push(url, await policy(1));
    const plugins = await running(url, `${new URL(url).host}/org/policies:v1`);
    expect(await plugins.decide('a/x')).toBe(1);
    expect(await plugins.decide('system/bundles/b/etag')).toMatch(/^sha256:/);
    await push(url, await policy(2));
    await eventually(async () => expect(await plugins.decide('a/x')).toBe(2));
  });
});

describe('a registry of our own', () => {
  /** Wants a token for everything, which it gives to a user. */
  async function registry(change: { readonly layer?: Uint8Array; readonly manifest?: string } = {}) {
    const layer = await policy(1);
    const manifest = change.manifest ?? manifestOf(layer, Buffer.from('{}'));
    const server = await serve(({ path, headers }, response) => {
      if (path.startsWith('/token')) {
        const isUser = headers.authorization === `Basic ${Buffer.from('me:secret').toString('base64')}`;
        response.writeHead(isUser ? 200 : 401).end(JSON.stringify({ token: 'T' }));
      } else if (headers.authorization !== 'Bearer T') {
        const challenge = `Bearer realm="http://${headers.host}/token",service="reg",scope="repository:o/p:pull"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end();
      } else response.end(path.includes('/manifests/') ? manifest : (change.layer ?? layer));
    });
    return server;
  }

  const login = { credentials: { bearer: { token: 'me:secret' } } };

  test('gives a token to a user, which is used again', async () => {
    const { url, requests } = await registry();
    const plugins = await running(url, 'o/p', login);
    expect(await plugins.decide('a/x')).toBe(1);
    expect(requests.slice(0, 4).map(({ path }) => path.replace(/sha256:.*/, 'D'))).toEqual([
      '/v2/o/p/manifests/latest',
      '/token?service=reg&scope=repository%3Ao%2Fp%3Apull',
      '/v2/o/p/manifests/latest',
      '/v2/o/p/blobs/D',
    ]);
    expect(JSON.stringify(plugins.lines)).not.toContain('secret');
  });

  test.each([
    ['no user', {}, {}, 'server replied with Unauthorized'],
    ['a layer of another digest', { layer: new Uint8Array([1]) }, login, 'the layer has another digest'],
    ['a manifest that is no JSON', { manifest: 'x' }, login, 'is no JSON'],
    ['a manifest without layers', { manifest: '{}' }, login, 'has no compressed layer'],
  ])('%s is an error', async (_title, change, credentials, message) => {
    const { url } = await registry(change);
    expect(messageOf(await running(url, 'o/p:v1', credentials))).toContain(message);
  });

  test('a digest in the reference must be that of the manifest', async () => {
    const { url } = await registry();
    expect(messageOf(await running(url, `o/p@sha256:${'0'.repeat(64)}`, login))).toContain('the manifest has another digest');
  });
});
