import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { archiveOf } from '../../../../test/harness/archives.js';
import { eventually, temporaryDirectory } from '../../../../test/harness/disk.js';
import { freePort } from '../../../../test/harness/server/free-port.js';
import { serve } from '../../../../test/harness/server/http.js';
import { answering } from '../../../../test/harness/server/moto.js';
import { type PluginFace, pluginFaces, type StartPlugins } from '../../../../test/harness/server/plugin-faces.js';
import type { PlainObject } from '../../../../values/value.js';

const hasRegistry = spawnSync('docker-registry', ['--version'], { stdio: 'ignore' }).status === 0;
if (!hasRegistry && process.env.WRIT_REGISTRY === 'required') throw new Error('docker-registry is not installed');
if (!hasRegistry) console.log('tests with an image registry are skipped: docker-registry is not installed');

const digestOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const policy = (n: number) => archiveOf({ 'a/p.rego': `package a\n\nx := ${n}\n`, '.manifest': '{"roots": ["a"]}' });
const often = { polling: { min_delay_seconds: 0, max_delay_seconds: 0 } };

const imageType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';

/** An index of these manifests, behind a proof of origin as build tools add it. */
function indexOf(...manifests: readonly Uint8Array[]): Buffer {
  const proof = { mediaType: imageType, digest: `sha256:${'0'.repeat(64)}`, size: 1, platform: { architecture: 'unknown', os: 'unknown' } };
  const entries = manifests.map((manifest) => ({ mediaType: imageType, digest: digestOf(manifest), size: manifest.length }));
  return Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests: [proof, ...entries] }));
}

function manifestOf(layer: Uint8Array, config: Uint8Array, layerType = 'application/vnd.oci.image.layer.v1.tar+gzip'): Buffer {
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.manifest.v1+json',
    config: { mediaType: 'application/vnd.oci.image.config.v1+json', digest: digestOf(config), size: config.length },
    layers: [{ mediaType: layerType, digest: digestOf(layer), size: layer.length }],
  };
  return Buffer.from(JSON.stringify(manifest));
}

async function running(start: StartPlugins, url: string, resource: string, service: PlainObject = {}): Promise<PluginFace> {
  const config = { services: { r: { url, type: 'oci', ...service } }, bundles: { b: { resource, ...often } }, status: { console: true } };
  const plugins = await start(config);
  await plugins.settled();
  return plugins;
}

function messageOf({ status }: PluginFace): unknown {
  return (status() as { bundles: { b: PlainObject } }).bundles.b.message;
}

describe.each(pluginFaces)('%s', (_face, start) => {
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

    async function putManifest(url: string, reference: string, type: string, body: Uint8Array): Promise<void> {
      const target = `${url}/v2/org/policies/manifests/${reference}`;
      const response = await fetch(target, { method: 'PUT', body: new Uint8Array(body), headers: { 'content-type': type } });
      expect(response.status).toBe(201);
    }

    async function push(url: string, layer: Uint8Array): Promise<void> {
      const config = Buffer.from('{}');
      for (const blob of [config, layer]) {
        const started = await fetch(`${url}/v2/org/policies/blobs/uploads/`, { method: 'POST' });
        const target = new URL(started.headers.get('location')!, url);
        target.searchParams.set('digest', digestOf(blob));
        const sent = await fetch(target, {
          method: 'PUT',
          body: Buffer.from(blob),
          headers: { 'content-type': 'application/octet-stream' },
        });
        expect(sent.status).toBe(201);
      }
      await putManifest(url, 'v1', imageType, manifestOf(layer, config));
    }

    test('is active, and is replaced when its tag moves', async () => {
      const url = await registry();
      await push(url, await policy(1));
      const plugins = await running(start, url, `${new URL(url).host}/org/policies:v1`);
      expect(await plugins.decide('a/x')).toBe(1);
      expect(await plugins.decide('system/bundles/b/etag')).toMatch(/^sha256:/);
      await push(url, await policy(2));
      await eventually(async () => expect(await plugins.decide('a/x')).toBe(2));
      const first = digestOf(manifestOf(await policy(1), Buffer.from('{}')));
      const pinned = await running(start, url, `${new URL(url).host}/org/policies@${first}`);
      expect(await pinned.decide('a/x')).toBe(1);
    });

    test('may be behind an index of images', { timeout: 60_000 }, async () => {
      const url = await registry();
      await push(url, await policy(1));
      const manifest = manifestOf(await policy(1), Buffer.from('{}'));
      const index = indexOf(manifest);
      // This registry wants all manifests of an index.
      const text = index.toString().replace(`sha256:${'0'.repeat(64)}`, digestOf(manifest));
      await putManifest(url, 'all', indexType, Buffer.from(text));
      const plugins = await running(start, url, 'org/policies:all');
      expect(await plugins.decide('a/x')).toBe(1);
      expect(await plugins.decide('system/bundles/b/etag')).toBe(digestOf(Buffer.from(text)));
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
      const plugins = await running(start, url, 'o/p', login);
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
      ['a manifest that is no JSON', { manifest: 'x' }, login, 'is no JSON object'],
      ['a manifest without layers', { manifest: '{}' }, login, 'has no layer with an archive'],
      ['a manifest whose layers are null', { manifest: '{"layers": [null]}' }, login, 'has no layer with an archive'],
      ['an index without manifests', { manifest: '{"manifests": []}' }, login, 'the index of "o/p:v1" has no manifest'],
    ])('%s is an error', async (_title, change, credentials, message) => {
      const { url } = await registry(change);
      expect(messageOf(await running(start, url, 'o/p:v1', credentials))).toContain(message);
    });

    test('a digest in the reference must be that of the manifest', async () => {
      const { url } = await registry();
      expect(messageOf(await running(start, url, `o/p@sha256:${'0'.repeat(64)}`, login))).toContain('the manifest has another digest');
    });
  });

  /** A registry with these manifests by tag or digest, and these blobs. */
  async function openRegistry(manifests: Readonly<Record<string, Uint8Array>>, blobs: readonly Uint8Array[]) {
    const byDigest = new Map(blobs.map((blob) => [digestOf(blob), blob]));
    return await serve(({ path }, response) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const found = path.includes('/manifests/') ? manifests[name] : byDigest.get(name);
      response.writeHead(found === undefined ? 404 : 200).end(found);
    });
  }

  describe('an index of images', () => {
    test('stands for its first image; its digest is the version', async () => {
      const [one, two] = await Promise.all([policy(1), policy(2)]);
      const [first, second] = [manifestOf(one!, Buffer.from('{}')), manifestOf(two!, Buffer.from('{}'))];
      const index = indexOf(first!, second!);
      const { url, requests } = await openRegistry({ v1: index, [digestOf(first!)]: first! }, [one!, two!]);
      const plugins = await running(start, url, 'o/p:v1');
      expect(await plugins.decide('a/x')).toBe(1);
      expect(requests[0]!.headers.accept).toContain(indexType);
      expect(await plugins.decide('system/bundles/b/etag')).toBe(digestOf(index));
      // While the index is the same, nothing else is fetched.
      await eventually(() => expect(requests.length).toBeGreaterThan(4));
      expect(requests.slice(3).every(({ path }) => path.endsWith('/manifests/v1'))).toBe(true);
    });

    test('stands for its first image that has an archive', async () => {
      const layer = await policy(3);
      const [other, image] = [manifestOf(Buffer.from('x'), Buffer.from('{}'), 'text/plain'), manifestOf(layer, Buffer.from('{}'))];
      const { url } = await openRegistry({ v1: indexOf(other, image), [digestOf(other)]: other, [digestOf(image)]: image }, [layer]);
      expect(await (await running(start, url, 'o/p:v1')).decide('a/x')).toBe(3);
    });

    test('is refused where no image has an archive', async () => {
      const other = manifestOf(Buffer.from('x'), Buffer.from('{}'), 'text/plain');
      const { url } = await openRegistry({ v1: indexOf(other), [digestOf(other)]: other }, []);
      expect(messageOf(await running(start, url, 'o/p:v1'))).toContain('has no layer with an archive');
    });

    test('is refused where the manifest has another digest than it says', async () => {
      const layer = await policy(1);
      const manifest = manifestOf(layer, Buffer.from('{}'));
      const { url } = await openRegistry({ v1: indexOf(manifest), [digestOf(manifest)]: manifestOf(layer, Buffer.from('{ }')) }, [layer]);
      expect(messageOf(await running(start, url, 'o/p:v1'))).toContain('the manifest has another digest');
    });
  });

  test('a manifest that a registry has at its digest alone is found by the digest of its tag', async () => {
    const layer = await policy(1);
    const manifest = manifestOf(layer, Buffer.from('{}'));
    const { url, requests } = await serve(({ method, path }, response) => {
      if (path.endsWith('/manifests/v1'))
        response.writeHead(200, method === 'HEAD' ? { 'docker-content-digest': digestOf(manifest) } : {}).end();
      else response.end(path.includes('/manifests/') ? manifest : layer);
    });
    const plugins = await running(start, url, 'o/p:v1');
    expect(await plugins.decide('a/x')).toBe(1);
    expect(requests.slice(0, 4).map(({ method, path }) => `${method} ${path.replace(/sha256:.*/, 'D')}`)).toEqual([
      'GET /v2/o/p/manifests/v1',
      'HEAD /v2/o/p/manifests/v1',
      'GET /v2/o/p/manifests/D',
      'GET /v2/o/p/blobs/D',
    ]);
  });

  test.each([
    ['application/vnd.docker.image.rootfs.diff.tar.gzip', policy],
    ['application/vnd.oci.image.layer.v1.tar', policy],
    ['application/vnd.oci.image.layer.v1.tar', async (n: number) => new Uint8Array(gunzipSync(await policy(n)))],
  ])('a layer of type %s is read, whether it is compressed or not', async (type, layerOf) => {
    const layer = await layerOf(1);
    const { url } = await openRegistry({ latest: manifestOf(layer, Buffer.from('{}'), type) }, [layer]);
    expect(await (await running(start, url, 'o/p')).decide('a/x')).toBe(1);
  });

  test('a token that has expired is replaced, and one without a colon is sent in base64', async () => {
    const layer = await policy(1);
    const manifest = manifestOf(layer, Buffer.from('{}'));
    let given = 0;
    const { url, requests } = await serve(({ path, headers }, response) => {
      if (path.startsWith('/token')) {
        const isUser = headers.authorization === `Bearer ${Buffer.from('PAT').toString('base64')}`;
        response.writeHead(isUser ? 200 : 403).end(JSON.stringify({ access_token: `T${++given}`, expires_in: 60 }));
      } else if (headers.authorization !== `Bearer T${given}` || requests.length % 7 === 0) {
        // It expires every now and then.
        response.writeHead(401, { 'www-authenticate': `Bearer realm="http://${headers.host}/token",service="reg"` }).end();
      } else response.end(path.includes('/manifests/') ? manifest : layer);
    });
    const plugins = await running(start, url, 'o/p', { credentials: { bearer: { scheme: 'Bearer', token: 'PAT' } } });
    expect(await plugins.decide('a/x')).toBe(1);
    await eventually(() => expect(given).toBeGreaterThan(2));
    expect(messageOf(plugins)).toBeUndefined();
  });

  test('a blob may be on another host, which gets no credentials', async () => {
    const layer = await policy(1);
    const storage = await serve((_, response) => response.end(layer));
    const { url } = await serve(({ path, headers }, response) => {
      if (headers.authorization === undefined) response.writeHead(401).end();
      else if (path.includes('/manifests/')) response.end(manifestOf(layer, Buffer.from('{}')));
      else response.writeHead(307, { location: `${storage.url.replace('127.0.0.1', 'localhost')}/blob?sig=x` }).end();
    });
    const plugins = await running(start, url, 'o/p', { credentials: { bearer: { token: 'me:secret' } }, headers: { 'x-key': 'secret' } });
    expect(await plugins.decide('a/x')).toBe(1);
    expect(storage.requests[0]!.headers).not.toHaveProperty('authorization');
    expect(storage.requests[0]!.headers).not.toHaveProperty('x-key');
  });
});
