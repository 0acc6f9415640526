/**
 * Keys and signatures by the Web Cryptography API. Its calls take time, so a built-in that uses a
 * key waits; hashes and shared secrets do not.
 */
import { encodeUtf8, fromBytes } from '../../text/utf8.js';
import type { Wait } from '../host.js';
import type { HashName, HostCrypto, HostKey, Octets, SignatureScheme } from '../host-crypto.js';
import { KeyError } from '../host-crypto.js';
import { DerReader, tags } from '../lib/x509/der.js';
import { derOfRaw } from './ecdsa-signature.js';
import { portableCrypto } from './portable-crypto.js';
import { type Bytes, copied, type Material, type WebKey, webKeyOf } from './web-keys.js';

const hashNames: { readonly [name in HashName]?: string } = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};

const hashLengths: { readonly [name in HashName]?: number } = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 };

/** Cryptography whose uses of keys wait. */
export function webCrypto(wait: Wait): HostCrypto {
  return {
    ...portableCrypto,
    importKey: webKeyOf,
    exportPublic: (key) => wait(`crypto public ${(key as WebKey).id}`, () => exportedPublic(key as WebKey)),
    verify(scheme, key, data, signature) {
      if (keyTypes[scheme.type] !== key.type) return false;
      const { id } = key as WebKey;
      const bytes = bytesOf(data);
      const operation = `crypto verify ${schemeText(scheme)} ${id} ${fromBytes(signature)} ${fromBytes(bytes)}`;
      return wait(operation, () => verified(scheme, key as WebKey, bytes, copied(signature)));
    },
    sign(scheme, key, data) {
      if (keyTypes[scheme.type] !== key.type)
        throw new KeyError(`a key of type ${key.type} cannot sign with ${scheme.type}`);
      if (!key.isPrivate) throw new KeyError('a public key cannot sign');
      const bytes = bytesOf(data);
      const operation = `crypto sign ${schemeText(scheme)} ${(key as WebKey).id} ${fromBytes(bytes)}`;
      return wait(operation, () => signed(scheme, key as WebKey, bytes));
    },
  };
}

/**
 * Runs something that uses keys outside an evaluation: again after each answer that it had to wait
 * for.
 */
export async function withWebCrypto<Result>(run: (crypto: HostCrypto) => Result | Promise<Result>): Promise<Result> {
  const answers = new Map<string, unknown>();
  let pending: { readonly key: string; readonly answer: Promise<unknown> } | undefined;
  const signal = new AbortController().signal;
  const wait: Wait = (key, start) => {
    if (answers.has(key)) return answers.get(key) as never;
    pending = { key, answer: start(signal) };
    throw pending;
  };
  for (;;) {
    try {
      return await run(webCrypto(wait));
    } catch (error) {
      if (pending === undefined || error !== pending) throw error;
      answers.set(pending.key, await pending.answer);
    }
  }
}

const keyTypes: { readonly [scheme in SignatureScheme['type']]: HostKey['type'] } = {
  'rsa-pkcs1': 'rsa',
  'rsa-pss': 'rsa',
  ecdsa: 'ec',
  ed25519: 'ed25519',
};

function schemeText(scheme: SignatureScheme): string {
  return Object.values(scheme).join('/');
}

function bytesOf(data: Octets): Bytes {
  return copied(typeof data === 'string' ? encodeUtf8(data) : data);
}

function subtle(): SubtleCrypto {
  const found = globalThis.crypto?.subtle;
  // Pages that are not loaded by HTTPS have none.
  if (found === undefined) throw new KeyError('this page has no Web Cryptography: it needs HTTPS');
  return found;
}

async function imported(key: WebKey, scheme: SignatureScheme, use: 'sign' | 'verify'): Promise<CryptoKey> {
  const { material } = key;
  // A private key verifies with its public half.
  const usable: Material =
    use === 'verify' && key.isPrivate ? { format: 'spki', der: copied(await exportedPublic(key)) } : material;
  return await importMaterial(usable, importOptions(scheme, key), [use]);
}

async function importMaterial(
  material: Material,
  algorithm: RsaHashedImportParams | EcKeyImportParams | { readonly name: string },
  uses: readonly KeyUsage[],
): Promise<CryptoKey> {
  const allowed = [...uses];
  try {
    if (material.format === 'jwk')
      return await subtle().importKey('jwk', plainJwk(material.jwk), algorithm, true, allowed);
    return await subtle().importKey(material.format, material.der, algorithm, true, allowed);
  } catch (error) {
    throw error instanceof KeyError ? error : new KeyError((error as Error).message);
  }
}

/** Without members that say what the key is for: the caller does. */
function plainJwk({ kty, crv, x, y, d, n, e, p, q, dp, dq, qi }: JsonWebKey): JsonWebKey {
  const members = Object.entries({ kty, crv, x, y, d, n, e, p, q, dp, dq, qi }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(members) as JsonWebKey;
}

function importOptions(
  scheme: SignatureScheme,
  key: WebKey,
): RsaHashedImportParams | EcKeyImportParams | { readonly name: string } {
  switch (scheme.type) {
    case 'rsa-pkcs1':
      return { name: 'RSASSA-PKCS1-v1_5', hash: hashOf(scheme.hash) };
    case 'rsa-pss':
      return { name: 'RSA-PSS', hash: hashOf(scheme.hash) };
    case 'ecdsa':
      return { name: 'ECDSA', namedCurve: key.curve! };
    case 'ed25519':
      return { name: 'Ed25519' };
  }
}

function hashOf(name: HashName): string {
  const hash = hashNames[name];
  if (hash === undefined) throw new KeyError(`this platform does not sign with ${name}`);
  return hash;
}

async function verified(scheme: SignatureScheme, key: WebKey, data: Bytes, signature: Bytes): Promise<boolean> {
  try {
    const found = await imported(key, scheme, 'verify');
    const raw = scheme.type === 'ecdsa' && scheme.encoding === 'der' ? rawOfDer(signature, key) : signature;
    if (raw === undefined) return false;
    for (const salt of saltLengths(scheme, key)) {
      if (await subtle().verify(useOptions(scheme, salt), found, raw, data)) return true;
    }
    return false;
  } catch (error) {
    // As on Node, a key that cannot be used makes a signature invalid; a missing API does not.
    if (error instanceof KeyError && globalThis.crypto?.subtle === undefined) throw error;
    return false;
  }
}

async function signed(scheme: SignatureScheme, key: WebKey, data: Bytes): Promise<Uint8Array> {
  const found = await imported(key, scheme, 'sign');
  const hash = 'hash' in scheme ? hashLengths[scheme.hash] : undefined;
  const signature = new Uint8Array(await subtle().sign(useOptions(scheme, hash), found, data));
  return scheme.type === 'ecdsa' && scheme.encoding === 'der' ? derOfRaw(signature) : signature;
}

function useOptions(
  scheme: SignatureScheme,
  saltLength: number | undefined,
): RsaPssParams | EcdsaParams | { readonly name: string } {
  switch (scheme.type) {
    case 'rsa-pkcs1':
      return { name: 'RSASSA-PKCS1-v1_5' };
    case 'rsa-pss':
      return { name: 'RSA-PSS', saltLength: saltLength! };
    case 'ecdsa':
      return { name: 'ECDSA', hash: hashOf(scheme.hash) };
    case 'ed25519':
      return { name: 'Ed25519' };
  }
}

/** The platform wants to know how long the salt is: where any will do, the usual one is first. */
function saltLengths(scheme: SignatureScheme, { bits }: WebKey): readonly (number | undefined)[] {
  if (scheme.type !== 'rsa-pss') return [undefined];
  const usual = hashLengths[scheme.hash] ?? 0;
  if (scheme.salt === 'hash-length') return [usual];
  // RFC 8017, 9.1.1: the salt, the hash and two bytes are within the encoded message.
  const longest = Math.ceil((bits - 1) / 8) - usual - 2;
  return [
    usual,
    ...Array.from({ length: Math.max(0, longest + 1) }, (_, length) => length).filter((length) => length !== usual),
  ];
}

/** The numbers of an ASN.1 signature, side by side; undefined where it is none. */
function rawOfDer(signature: Uint8Array, { bits }: WebKey): Bytes | undefined {
  const size = Math.ceil(bits / 8);
  const outer = new DerReader(signature);
  const sequence = outer.read(tags.sequence);
  const numbers = [sequence?.integer(), sequence?.integer()];
  if (sequence === undefined || !sequence.empty || !outer.empty) return undefined;
  const raw = new Uint8Array(2 * size);
  for (const [i, number] of numbers.entries()) {
    if (number === undefined || number < 0n || number >= 2n ** BigInt(8 * size)) return undefined;
    const digits = number.toString(16).padStart(2 * size, '0');
    for (let at = 0; at < size; at++) raw[i * size + at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  }
  return raw;
}

/** The public half, as the DER of a SubjectPublicKeyInfo. */
async function exportedPublic(key: WebKey): Promise<Uint8Array> {
  const { material } = key;
  if (material.format === 'spki') return material.der;
  const algorithm =
    key.type === 'ec'
      ? { name: 'ECDSA', namedCurve: key.curve! }
      : key.type === 'rsa'
        ? { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
        : { name: key.type === 'ed25519' ? 'Ed25519' : 'X25519' };
  const [uses, publicUses] =
    key.type === 'x25519' ? ([['deriveBits'], []] as const) : ([['sign'], ['verify']] as const);
  const found = await importMaterial(material, algorithm, key.isPrivate ? uses : publicUses);
  const { d, p, q, dp, dq, qi, oth, key_ops, ...open } = await subtle().exportKey('jwk', found);
  const half = await importMaterial({ format: 'jwk', jwk: open }, algorithm, publicUses);
  return new Uint8Array(await subtle().exportKey('spki', half));
}
