import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { nodeCrypto } from '../host/crypto.js';
import type { HostKey, Jwk, KeySource, SignatureScheme } from '../host-crypto.js';
import { withWebCrypto } from './web-crypto.js';

const pairs = {
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  'P-521': generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  ed25519: generateKeyPairSync('ed25519'),
};

type Kind = keyof typeof pairs;

const kinds = Object.keys(pairs) as Kind[];

const pkcs1 = (key: KeyObject) => ({ format: 'der', type: key.asymmetricKeyType === 'rsa' ? 'pkcs1' : 'sec1' }) as const;

function publicSources(key: KeyObject): KeySource[] {
  const jwk = key.export({ format: 'jwk' }) as Jwk;
  const sources: KeySource[] = [
    { format: 'spki', der: key.export({ format: 'der', type: 'spki' }) },
    { format: 'jwk', jwk },
  ];
  if (key.asymmetricKeyType === 'rsa') sources.push({ format: 'pkcs1-public', der: key.export({ format: 'der', type: 'pkcs1' }) });
  return sources;
}

function privateSources(key: KeyObject): KeySource[] {
  const sources: KeySource[] = [
    { format: 'pkcs8', der: key.export({ format: 'der', type: 'pkcs8' }) },
    { format: 'jwk', jwk: key.export({ format: 'jwk' }) as Jwk },
  ];
  if (key.asymmetricKeyType !== 'ed25519') {
    const options = pkcs1(key);
    sources.push({ format: options.type, der: key.export(options as never) as unknown as Buffer });
  }
  return sources;
}

function schemesOf(kind: Kind): SignatureScheme[] {
  if (kind === 'ed25519') return [{ type: 'ed25519' }];
  const hashes = ['sha256', 'sha384', 'sha512'] as const;
  if (kind !== 'rsa')
    return hashes.flatMap((hash) => (['raw', 'der'] as const).map((encoding) => ({ type: 'ecdsa', hash, encoding }) as const));
  return hashes.flatMap((hash) => [
    { type: 'rsa-pkcs1', hash } as const,
    { type: 'rsa-pss', hash, salt: 'hash-length' } as const,
    { type: 'rsa-pss', hash, salt: 'any-length' } as const,
  ]);
}

const facts = ({ type, isPrivate, bits }: HostKey) => ({ type, isPrivate, bits });

describe.each(kinds)('%s', (kind) => {
  const { publicKey, privateKey } = pairs[kind] as { publicKey: KeyObject; privateKey: KeyObject };

  test('a key of each form is the key that Node reads', async () => {
    for (const source of [...publicSources(publicKey), ...privateSources(privateKey)]) {
      const expected = nodeCrypto.importKey(source);
      const spki = nodeCrypto.exportPublic(expected);
      const found = await withWebCrypto((crypto) => {
        const key = crypto.importKey(source);
        return { ...facts(key), spki: Buffer.from(crypto.exportPublic(key)).toString('hex') };
      });
      expect(found).toEqual({ ...facts(expected), spki: Buffer.from(spki).toString('hex') });
    }
  });

  test.each(schemesOf(kind))('signatures of %o hold on both sides', async (scheme) => {
    const data = 'grün';
    for (const source of privateSources(privateKey)) {
      const made = await withWebCrypto((crypto) => crypto.sign(scheme, crypto.importKey(source), data));
      for (const other of publicSources(publicKey)) expect(nodeCrypto.verify(scheme, nodeCrypto.importKey(other), data, made)).toBe(true);
    }
    const signature = nodeCrypto.sign(scheme, nodeCrypto.importKey(privateSources(privateKey)[0]!), data);
    const wrong = Uint8Array.from(signature);
    wrong[wrong.length - 1]! ^= 1;
    const verified = (key: KeySource, text: string, bytes: Uint8Array) =>
      withWebCrypto((crypto) => crypto.verify(scheme, crypto.importKey(key), text, bytes));
    for (const source of [...publicSources(publicKey), privateSources(privateKey)[0]!]) {
      expect(await verified(source, data, signature)).toBe(true);
      expect(await verified(source, 'other', signature)).toBe(false);
      expect(await verified(source, data, wrong)).toBe(false);
      expect(await verified(source, data, new Uint8Array(3))).toBe(false);
    }
  });

  test('a scheme of another kind of key does not hold, and does not sign', async () => {
    const scheme = schemesOf(kind === 'rsa' ? 'ed25519' : 'rsa')[0]!;
    const [source] = publicSources(publicKey);
    expect(await withWebCrypto((crypto) => crypto.verify(scheme, crypto.importKey(source!), 'x', new Uint8Array(64)))).toBe(false);
    await expect(withWebCrypto((crypto) => crypto.sign(scheme, crypto.importKey(privateSources(privateKey)[0]!), 'x'))).rejects.toThrow(
      'cannot sign with',
    );
    await expect(withWebCrypto((crypto) => crypto.sign(schemesOf(kind)[0]!, crypto.importKey(source!), 'x'))).rejects.toThrow(
      'a public key cannot sign',
    );
  });
});

test('a signature with a salt of another length holds where any length does', async () => {
  const { publicKey, privateKey } = pairs.rsa;
  const { sign, constants } = await import('node:crypto');
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const signature = sign('sha256', Buffer.from('x'), { key: privateKey, padding, saltLength: 7 });
  const verify = (salt: 'any-length' | 'hash-length') =>
    withWebCrypto((crypto) =>
      crypto.verify({ type: 'rsa-pss', hash: 'sha256', salt }, crypto.importKey(publicSources(publicKey)[0]!), 'x', signature),
    );
  expect(await verify('any-length')).toBe(true);
  expect(await verify('hash-length')).toBe(false);
});

test.each<[string, KeySource]>([
  ['bytes that are no key', { format: 'spki', der: new Uint8Array([1, 2, 3]) }],
  ['bytes that are no private key', { format: 'pkcs8', der: new Uint8Array([0x30, 0]) }],
  ['a key without its curve', { format: 'sec1', der: new Uint8Array([0x30, 0]) }],
  ['a point that is not on its curve', { format: 'jwk', jwk: { kty: 'EC', crv: 'P-256', x: 'AQ', y: 'AQ' } }],
  ['an unknown curve', { format: 'jwk', jwk: { kty: 'EC', crv: 'P-1', x: 'AQ', y: 'AQ' } }],
  ['an unknown kind of key', { format: 'jwk', jwk: { kty: 'X' } }],
])('%s: a KeyError', async (_, source) => {
  await expect(withWebCrypto((crypto) => crypto.importKey(source))).rejects.toMatchObject({ name: 'KeyError' });
});

test('a curve that the platform lacks is said to be missing', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp224r1' });
  const der = publicKey.export({ format: 'der', type: 'spki' });
  await expect(withWebCrypto((crypto) => crypto.importKey({ format: 'spki', der }))).rejects.toThrow('this platform has no P-224');
});
