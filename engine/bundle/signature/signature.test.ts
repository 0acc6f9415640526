import { createHash, createHmac, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { nodeCrypto } from '../../../values/builtins/host/crypto.js';
import { type SigningConfig, signFiles } from './signing.js';
import type { VerificationConfig } from './token.js';
import { verifySignatures } from './verification.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const bundle = (files: { readonly [name: string]: string }) => new Map(Object.entries(files).map(([name, text]) => [name, bytes(text)]));

const files = {
  '.manifest': '{"revision": "r1", "roots": ["a"]}',
  'data.json': '{"b": [1, 2.50, "x"], "a": {"y": null, "x": true}}',
  'a/data.yaml': 'k: [1, 2]\n',
  'a/p.rego': 'package a\n\np := 1\n',
};

const pem = { type: 'spki', format: 'pem' } as const;
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const ed = generateKeyPairSync('ed25519');

const secretSigning: SigningConfig = { key: 'secret', algorithm: 'HS256', keyId: 'k' };
const secretKeys: VerificationConfig = { keys: { k: { key: 'secret', algorithm: 'HS256' } } };
const signed = await signFiles(bundle(files), secretSigning, nodeCrypto);

const verify = (changes: { readonly [name: string]: string | undefined }, config: VerificationConfig = secretKeys, signatures = signed) => {
  const all = Object.entries({ ...files, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return verifySignatures(bundle(Object.fromEntries(all)), signatures, config, nodeCrypto);
};

describe('a signed bundle', () => {
  test.each([
    ['HS512', 'secret', 'secret'],
    ['RS256', rsa.privateKey.export(pkcs8), rsa.publicKey.export(pem)],
    ['RS384', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }), rsa.publicKey.export({ type: 'pkcs1', format: 'pem' })],
    ['PS512', rsa.privateKey.export(pkcs8), rsa.privateKey.export(pkcs8)],
    ['ES384', ec.privateKey.export({ type: 'sec1', format: 'pem' }), ec.publicKey.export(pem)],
    ['EdDSA', ed.privateKey.export(pkcs8), ed.publicKey.export(pem)],
  ] as const)('holds with %s', async (algorithm, key, publicKey) => {
    const signatures = await signFiles(bundle(files), { key: String(key), algorithm, keyId: 'k', hashAlgorithm: 'SHA-512' }, nodeCrypto);
    await verify({}, { keys: { k: { key: String(publicKey), algorithm } } }, signatures);
    await expect(
      verify({ 'a/p.rego': 'package b' }, { keys: { k: { key: String(publicKey), algorithm } } }, signatures),
    ).rejects.toMatchObject({
      problem: 'changed',
    });
  });

  test('is a token whose payload lists each file with its hash', () => {
    const [header, payload] = signed.signatures![0]!.split('.').map((section) => Buffer.from(section, 'base64url').toString());
    expect(JSON.parse(header!)).toEqual({ alg: 'HS256', kid: 'k' });
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(JSON.parse(payload!)).toEqual({
      files: [
        { name: '.manifest', hash: sha256('{"revision":"r1","roots":["a"]}'), algorithm: 'SHA-256' },
        { name: 'data.json', hash: sha256('{"a":{"x":true,"y":null},"b":[1,2.50,"x"]}'), algorithm: 'SHA-256' },
        { name: 'a/data.yaml', hash: sha256('{"k":[1,2]}'), algorithm: 'SHA-256' },
        { name: 'a/p.rego', hash: sha256(files['a/p.rego']), algorithm: 'SHA-256' },
      ],
      keyid: 'k',
    });
  });

  test('does not mind how a document is laid out, but how any other file is', async () => {
    await verify({ 'data.json': '{ "a":{"x":true,"y":null},\n"b":[1,2.50,"x"]}', 'a/data.yaml': '{"k": [1, 2]}' });
    await expect(verify({ 'a/p.rego': 'package a\np := 1\n' })).rejects.toMatchObject({ problem: 'changed', file: 'a/p.rego' });
  });

  test('refuses a number that is written otherwise', async () => {
    await expect(verify({ 'data.json': files['data.json'].replace('2.50', '2.5') })).rejects.toThrow(
      /^data\.json: digest mismatch \(want: [0-9a-f]{64}, got: [0-9a-f]{64}\)$/,
    );
  });

  test('refuses a file that was added', async () => {
    await expect(verify({ 'b.rego': 'package b' })).rejects.toMatchObject({
      code: 'signature',
      problem: 'added',
      message: 'file b.rego not included in bundle signature',
    });
  });

  test('refuses to do without a file', async () => {
    await expect(verify({ 'a/p.rego': undefined, 'data.json': undefined })).rejects.toMatchObject({
      problem: 'missing',
      message: 'file(s) [a/p.rego data.json] specified in bundle signatures but not found in the target bundle',
    });
  });

  test('leaves excluded files alone, whether they were signed or not', async () => {
    const config = { ...secretKeys, exclude: ['a/*.rego', 'new.txt', '['] };
    await verify({ 'a/p.rego': 'changed', 'new.txt': 'x' }, config);
    await expect(verify({ 'a/b/c.rego': 'x' }, config)).rejects.toMatchObject({ problem: 'added' });
  });

  test('refuses a document that cannot be read', async () => {
    await expect(verify({ 'data.json': '{"a": [' })).rejects.toMatchObject({ code: 'syntax', file: 'data.json' });
  });
});

describe('the key', () => {
  test('is the one that the configuration names, not the signature', async () => {
    const keys = { k: { key: 'other', algorithm: 'HS256' }, mine: { key: 'secret', algorithm: 'HS256' } };
    await verify({}, { keys, keyId: 'mine' });
    await expect(verify({}, { keys })).rejects.toMatchObject({
      problem: 'invalid',
      message: 'failed to verify JWT signature: invalid HMAC signature',
    });
  });

  test.each([
    ['missing', { keys: {} }, 'verification key not provided'],
    ['unknown', { keys: { other: { key: 'secret', algorithm: 'HS256' } } }, 'verification key corresponding to ID k not found'],
    ['named like what all objects have', { keys: {}, keyId: 'constructor' }, 'verification key corresponding to ID constructor not found'],
    ['empty', { keys: { k: { key: '', algorithm: 'HS256' } } }, 'verification key corresponding to ID k is empty'],
    ['no text', { keys: { k: {} } } as unknown as VerificationConfig, 'verification key corresponding to ID k is empty'],
    ['not there, for a caller without types', {} as VerificationConfig, 'verification key not provided'],
    ['of an unknown algorithm', { keys: { k: { key: 'secret', algorithm: 'HS1' } } }, 'unknown signature algorithm: HS1'],
    ['PEM of something else', { keys: { k: { key: '-----BEGIN X-----\n-----END X-----\n' } } }, 'unsupported PEM block type: X'],
  ] as const)('may not be %s', async (_title, config, message) => {
    await expect(verify({}, config)).rejects.toMatchObject({ problem: 'key', message });
  });

  test('for another algorithm does not verify', async () => {
    await expect(verify({}, { keys: { k: { key: String(rsa.publicKey.export(pem)) } } })).rejects.toThrow(
      'failed to verify JWT signature: crypto/rsa: verification error',
    );
  });

  test('must be one that can sign', async () => {
    await expect(signFiles(new Map(), { key: 'x', algorithm: 'RS256' }, nodeCrypto)).rejects.toThrow(
      'failed to parse PEM block containing the key',
    );
    const key = String(rsa.publicKey.export(pem));
    await expect(signFiles(new Map(), { key }, nodeCrypto)).rejects.toThrow('unsupported key type: PUBLIC KEY');
    await expect(signFiles(new Map(), { key: String(ec.privateKey.export(pkcs8)) }, nodeCrypto)).rejects.toMatchObject({ problem: 'key' });
  });
});

test('the scope has to be the one wanted', async () => {
  const signatures = await signFiles(bundle(files), { ...secretSigning, claims: { scope: 'write' } }, nodeCrypto);
  await verify({}, { ...secretKeys, scope: 'write' }, signatures);
  await verify({}, { keys: { k: { key: 'secret', algorithm: 'HS256', scope: 'write' } } }, signatures);
  await expect(verify({}, secretKeys, signatures)).rejects.toMatchObject({ problem: 'scope', message: 'scope mismatch' });
  await expect(verify({}, { ...secretKeys, scope: 'write' })).rejects.toThrow('scope mismatch');
});

describe('a bundle without a signature', () => {
  test.each<[string, VerificationConfig]>([
    ['keys are given', secretKeys],
    ['keys are given, and an empty key id', { ...secretKeys, keyId: '' }],
    ['a key id is given', { ...secretKeys, keyId: 'k' }],
    ['a signature is required, and there is no key', { keys: {}, optional: false }],
    ['a configuration has found no key', { keys: {} }],
    ['a caller without types gives no keys', {} as VerificationConfig],
  ])('is refused where %s', async (_title, config) => {
    await expect(verifySignatures(bundle(files), undefined, config, nodeCrypto)).rejects.toMatchObject({
      problem: 'unsigned',
      message: 'bundle missing .signatures.json file',
    });
  });

  test.each<[string, VerificationConfig]>([
    ['signatures are optional', { ...secretKeys, optional: true }],
    ['signatures are optional, and there is no key', { keys: {}, optional: true }],
  ])('passes where %s', async (_title, config) => {
    await verifySignatures(bundle(files), undefined, config, nodeCrypto);
  });
});

const token = (header: string, payload: string) => {
  const data = `${Buffer.from(header).toString('base64url')}.${Buffer.from(payload).toString('base64url')}`;
  return `${data}.${createHmac('sha256', 'secret').update(data).digest('base64url')}`;
};

test.each([
  ['no token', [], '.signatures.json: missing JWT (expected exactly one)'],
  ['two tokens', ['a.b.c', 'a.b.c'], '.signatures.json: multiple JWTs not supported (expected exactly one)'],
  ['two sections', ['a.b'], 'failed to split compact JWT: jwsbb: invalid number of segments'],
  ['a header that is not base64', ['~.e30.e30'], 'failed to base64 decode JWT headers: illegal base64 data at input byte 0'],
  ['a payload that is no JSON', ['e30.e3.e30'], 'failed to parse JWT payload'],
  ['no key id', [token('{"alg":"HS256"}', '{}')], 'verification key ID is empty'],
  ['no hashing algorithm', [token('{"kid":"k"}', '{"files":[{"name":"a","hash":"00"}]}')], 'no hashing algorithm provided for file a'],
  [
    'an unknown hash',
    [token('{"kid":"k"}', '{"files":[{"name":"a","hash":"00","algorithm":"MD4"}]}')],
    'unsupported hashing algorithm: MD4',
  ],
  ['files that are no list', [token('{"kid":"k"}', '{"files":{}}')], 'files must be an array'],
] as const)('%s is refused', async (_title, signatures, message) => {
  await expect(verifySignatures(bundle({ a: 'x' }), { signatures }, secretKeys, nodeCrypto)).rejects.toThrow(message);
});

test('a large file is hashed in slices as it is at once, and other tasks run meanwhile', async () => {
  const large = 'package a\n# text\n'.repeat(500_000);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  for (const hashAlgorithm of ['SHA-256', 'MD5', 'SHA-512-256'] as const) {
    const signatures = await signFiles(bundle({ 'a.rego': large }), { ...secretSigning, hashAlgorithm }, nodeCrypto);
    const check = (content: string) =>
      verifySignatures(bundle({ 'a.rego': content }), signatures, secretKeys, nodeCrypto, { inSlices: true });
    setImmediate(count);
    await check(large);
    await expect(check(`${large}x`)).rejects.toMatchObject({ problem: 'changed' });
  }
  isOver = true;
  expect(turns).toBeGreaterThan(3);
});

test.each([
  ['ASCII', (n: number) => `value ${n}`],
  ['other characters', (n: number) => `\u00e9\u2019${n}<&>`],
  ['separators that are escaped', (n: number) => `\u2028${n}\u2029`],
])('a large document of %s is hashed in slices as it is at once', async (_what, text) => {
  const large = `\ufeff${JSON.stringify({ list: Array.from({ length: 60_000 }, (_, n) => ({ z: n, a: text(n) })) }).replace('"z":1,', '"z":1.10,')}`;
  expect(large.length).toBeGreaterThan(1024 * 1024);
  const signatures = await signFiles(bundle({ 'data.json': large }), secretSigning, nodeCrypto);
  const check = (content: string) =>
    verifySignatures(bundle({ 'data.json': content }), signatures, secretKeys, nodeCrypto, { inSlices: true });
  await check(large);
  await expect(check(large.replace('1.10', '1.1'))).rejects.toMatchObject({ problem: 'changed' });
});
