import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { archiveOf } from '../../../test/harness/archives.js';
import { nodeCrypto } from '../../../values/builtins/host/crypto.js';
import { readBundle } from '../disk/file-source.js';
import { readArchive } from '../read.js';
import { bundleFiles, writeBundle } from '../write.js';
import { SignatureError } from './signature-error.js';
import { signFiles } from './signing.js';

const root = mkdtempSync(join(tmpdir(), 'writ-signed-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const verification = { keys: { k: { key: 'secret', algorithm: 'HS256' } }, keyId: 'k' };
const contents = {
  '/data.json': '{"a":{"x":1.10}}',
  '/a/p.rego': 'package a\n',
  '/.manifest': '{"revision":"r"}',
  '/plan.json': '{"plans":{"plans":[]}}',
};

async function signed() {
  const bundle = await readArchive(await archiveOf(contents));
  const signatures = await signFiles(bundleFiles(bundle), { key: 'secret', algorithm: 'HS256', keyId: 'k' }, nodeCrypto);
  return { ...bundle, signatures };
}

async function read(files: Readonly<Record<string, string | Uint8Array>>) {
  const path = join(root, 'bundle.tar.gz');
  writeFileSync(path, await archiveOf(files));
  return readBundle(path, { verification, crypto: nodeCrypto });
}

test('a bundle that was signed and written is read and verified', async () => {
  const path = join(root, 'written.tar.gz');
  writeFileSync(path, await writeBundle(await signed()));
  expect((await readBundle(path, { verification, crypto: nodeCrypto })).manifest.revision).toBe('r');
});

const files = async () => Object.fromEntries(bundleFiles(await signed()));

test('so is one whose archive names its files from a dot on', async () => {
  const dotted = Object.fromEntries(Object.entries(await files()).map(([name, bytes]) => [`.${name}`, bytes]));
  expect((await read(dotted)).data).toEqual((await signed()).data);
});

test.each([
  ['a changed policy', { '/a/p.rego': 'package a\n\np := 1' }, 'changed', 'a/p.rego: digest mismatch'],
  ['changed data', { '/data.json': '{"a":2}' }, 'changed', 'data.json: digest mismatch'],
  ['an added file', { '/b.rego': 'package b' }, 'added', 'file b.rego not included in bundle signature'],
  ['a missing file', { '/plan.json': undefined }, 'missing', 'file(s) [plan.json] specified in bundle signatures but not found'],
  ['no signature', { '/.signatures.json': undefined }, 'unsigned', 'bundle missing .signatures.json file'],
])('%s under a signature is refused', async (_title, changes, problem, message) => {
  const changed = Object.entries({ ...(await files()), ...changes }).filter((entry) => entry[1] !== undefined);
  const error = await read(Object.fromEntries(changed) as Record<string, string>).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(SignatureError);
  expect(error).toMatchObject({ code: 'signature', problem });
  expect((error as Error).message).toContain(message);
  expect((error as Error).message).toMatch(/^bundle .*bundle\.tar\.gz: /);
});

test('without cryptography nothing passes for verified', async () => {
  const path = join(root, 'unverified.tar.gz');
  writeFileSync(path, await writeBundle(await signed()));
  await expect(readBundle(path, { verification })).rejects.toThrow('signatures cannot be verified');
});

test('a directory is signed with its name before those of its files', async () => {
  const dir = join(root, 'dir');
  const named = new Map<string, Uint8Array>();
  for (const [name, bytes] of bundleFiles(await readArchive(await archiveOf(contents)))) {
    mkdirSync(dirname(dir + name), { recursive: true });
    writeFileSync(dir + name, bytes);
    named.set(dir + name, bytes);
  }
  const signatures = await signFiles(named, { key: 'secret', algorithm: 'HS256', keyId: 'k' }, nodeCrypto);
  writeFileSync(join(dir, '.signatures.json'), JSON.stringify(signatures));
  expect((await readBundle(dir, { verification, crypto: nodeCrypto })).modules).toHaveLength(1);
  writeFileSync(join(dir, 'a/p.rego'), 'package a.changed\n');
  await expect(readBundle(dir, { verification, crypto: nodeCrypto })).rejects.toThrow('digest mismatch');
  expect((await readBundle(dir)).modules).toHaveLength(1);
});
