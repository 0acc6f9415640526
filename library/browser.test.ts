import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signFiles } from '../engine/bundle/signature/signing.js';
import { writeArchive } from '../test/harness/process/tar-archive.js';
import { nodeCrypto } from '../values/builtins/host/crypto.js';
import { Engine, explanationText, readBundle } from './browser.js';

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = { type: 'spki', format: 'pem' } as const;

const policy = 'package authz\n\nallow if input.user in data.admins\n';
const files = { '.manifest': '{"roots": ["authz", "admins"]}', 'data.json': '{"admins": ["alice"]}', 'authz.rego': policy };

const served = new Map<string, Uint8Array | string>();
let folder: string;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'writ-browser-'));
  const bytes = new Map(Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]));
  const key = String(ec.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const signatures = await signFiles(bytes, { key, algorithm: 'ES256', keyId: 'k' }, nodeCrypto);
  served.set('/plain.tar.gz', readFileSync(writeArchive(join(folder, 'plain.tar.gz'), files)));
  served.set(
    '/signed.tar.gz',
    readFileSync(writeArchive(join(folder, 'signed.tar.gz'), { ...files, '.signatures.json': JSON.stringify(signatures) })),
  );
  served.set('/authz.rego', policy);
  server = createServer((request, response) => {
    const found = served.get(request.url ?? '');
    if (request.url === '/private.tar.gz' && request.headers.authorization === 'Bearer t') response.end(served.get('/plain.tar.gz'));
    else if (found === undefined) response.writeHead(404).end();
    else response.end(found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const verification = () => ({ keys: { k: { key: String(ec.publicKey.export(pem)), algorithm: 'ES256' } } });

test('a bundle of an address, of bytes, and as a source', async () => {
  const bytes = new Uint8Array(served.get('/plain.tar.gz') as Uint8Array);
  for (const bundle of [await readBundle(new URL(`${base}/plain.tar.gz`)), await readBundle(bytes)]) {
    const engine = await Engine.open(bundle);
    expect(engine).toBeInstanceOf(Engine);
    expect(engine.decide('authz/allow', { user: 'alice' })).toEqual({ result: true });
  }
  const engine = await Engine.open([`${base}/authz.rego`, { data: { admins: ['bob'] } }]);
  expect(engine.decide('authz/allow', { user: 'bob' })).toEqual({ result: true });
  await expect(readBundle(`${base}/private.tar.gz`)).rejects.toMatchObject({
    name: 'BundleError',
    message: expect.stringContaining('404'),
  });
  await expect(readBundle(`${base}/private.tar.gz`, { headers: { Authorization: 'Bearer t' } })).resolves.toMatchObject({});
});

test('signatures of a bundle are checked with the keys that are given', async () => {
  await expect(readBundle(`${base}/signed.tar.gz`, { verification: verification() })).resolves.toMatchObject({});
  await expect(readBundle(`${base}/plain.tar.gz`, { verification: verification() })).rejects.toThrow('missing .signatures.json');
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export(pem);
  const wrong = { keys: { k: { key: String(other), algorithm: 'ES256' } } };
  await expect(readBundle(`${base}/signed.tar.gz`, { verification: wrong })).rejects.toThrow('invalid ECDSA signature');
});

test.each([
  ['nobody there', () => readBundle('http://127.0.0.1:1/bundle.tar.gz'), 'not_found'],
  ['too large', () => readBundle(`${base}/plain.tar.gz`, { limits: { size: 10 } }), 'limit'],
  ['no bundle', () => readBundle(`${base}/authz.rego`), 'archive'],
])('%s: a BundleError', async (_, read, code) => {
  await expect(read()).rejects.toMatchObject({ name: 'BundleError', code });
});

test('an engine over a plan loads the built-ins of later policies', async () => {
  const plan = JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/bundles/example/plan.json'), 'utf8'));
  const engine = await Engine.open(plan);
  await engine.setPolicy('later.rego', 'package later\np := units.parse_bytes("1K")\nq := graph.reachable({"a": ["b"], "b": []}, {"a"})');
  expect(engine.decide('later/p')).toEqual({ result: 1000 });
  const { explanation } = await engine.explain('later/q');
  expect(explanationText(explanation)).toContain('data.later.q');
});
