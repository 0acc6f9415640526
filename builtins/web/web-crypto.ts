/**
 * Keys and signatures by the Web Cryptography API. Its calls take time, so a built-in that uses a
 * key waits; hashes and shared secrets do not.
 */
import { encodeUtf8, fromBytes } from '../../values/text/utf8.js';
import type { Wait } from '../host.js';
import {
  type HashName,
  type HostCrypto,
  type HostKey,
  KeyError,
  type KeySource,
  type Octets,
  type SignatureScheme,
} from '../host-crypto.js';
import { decodeBase64Url } from '../lib/go/base64.js';
import { Base64Error } from '../lib/go/base64-decoder.js';
import { integerOfBytes } from '../lib/go/octets.js';
import { curveNamed, curveOf, isOnCurve } from '../lib/x509/curves.js';
import { DerReader, tags } from '../lib/x509/der.js';
import { X509Error } from '../lib/x509/error.js';
import { readAlgorithm, readPublicKey } from '../lib/x509/public-key.js';
import { derElement, derInteger, derNull, oids } from './der-writer.js';
import { derOfRaw } from './ecdsa-signature.js';
import { portableCrypto } from './portable-crypto.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** What the platform imports: SPKI, PKCS#8, or a JSON Web Key. */
type Material = { readonly format: 'spki' | 'pkcs8'; readonly der: Bytes } | { readonly format: 'jwk'; readonly jwk: JsonWebKey };

interface WebKey extends HostKey {
  readonly material: Material;
  /** The name of an elliptic curve. */
  readonly curve: string | undefined;
  /** The same for equal keys. */
  readonly id: string;
}

const hashNames: { readonly [name in HashName]?: string } = { sha1: 'SHA-1', sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' };

const hashLengths: { readonly [name in HashName]?: number } = { sha1: 20, sha256: 32, sha384: 48, sha512: 64 };

/** Cryptography whose uses of keys wait. */
export function webCrypto(wait: Wait): HostCrypto {
  return {
    ...portableCrypto,
    importKey: (source) => keyOf(source),
    exportPublic: (key) => wait(`crypto public ${(key as WebKey).id}`, () => exportedPublic(key as WebKey)),
    verify(scheme, key, data, signature) {
      if (keyTypes[scheme.type] !== key.type) return false;
      const { id } = key as WebKey;
      const bytes = bytesOf(data);
      const operation = `crypto verify ${schemeText(scheme)} ${id} ${fromBytes(signature)} ${fromBytes(bytes)}`;
      return wait(operation, () => verified(scheme, key as WebKey, bytes, copied(signature)));
    },
    sign(scheme, key, data) {
      if (keyTypes[scheme.type] !== key.type) throw new KeyError(`a key of type ${key.type} cannot sign with ${scheme.type}`);
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

/** In memory that is not shared, as the platform wants it. */
function copied(bytes: Uint8Array): Bytes {
  return Uint8Array.from(bytes);
}

function keyOf(source: KeySource): WebKey {
  try {
    return source.format === 'jwk' ? ofJwk(source.jwk) : ofDer(source.format, source.der);
  } catch (error) {
    if (error instanceof X509Error || error instanceof Base64Error) throw new KeyError(error.message);
    throw error;
  }
}

function ofDer(format: Exclude<KeySource['format'], 'jwk'>, der: Uint8Array): WebKey {
  switch (format) {
    case 'spki':
      return publicKey(der);
    case 'pkcs1-public':
      return publicKey(
        derElement(tags.sequence, derElement(tags.sequence, oids.rsa, derNull), derElement(tags.bitString, Uint8Array.of(0), der)),
      );
    case 'pkcs8':
      return privateKey(der);
    case 'pkcs1':
      return privateKey(pkcs8(derElement(tags.sequence, oids.rsa, derNull), der));
    case 'sec1': {
      const curve = curveInside(der);
      return privateKey(pkcs8(derElement(tags.sequence, oids.ec, curve), der));
    }
  }
}

function publicKey(der: Uint8Array): WebKey {
  const { key } = readPublicKey(der);
  const material = { format: 'spki', der: copied(der) } as const;
  const id = `spki ${fromBytes(der)}`;
  switch (key?.type) {
    case 'rsa':
      return { type: 'rsa', isPrivate: false, bits: key.n.toString(2).length, material, curve: undefined, id };
    case 'ec':
      return { type: 'ec', isPrivate: false, bits: supportedBits(key.curve), material, curve: key.curve, id };
    case 'ed25519':
      return { type: 'ed25519', isPrivate: false, bits: 255, material, curve: undefined, id };
    default:
      throw new KeyError(`unsupported key type ${key?.type ?? 'unknown'}`);
  }
}

function privateKey(der: Uint8Array): WebKey {
  const sequence = new DerReader(der).read(tags.sequence);
  const identifier = sequence?.integer() === undefined ? undefined : sequence.read(tags.sequence);
  if (sequence === undefined || identifier === undefined) throw new KeyError('no key in PKCS#8');
  const { oid, parameters } = readAlgorithm(identifier);
  const inner = sequence.octets();
  if (inner === undefined) throw new KeyError('no key in PKCS#8');
  const shared = { isPrivate: true, material: { format: 'pkcs8', der: copied(der) }, id: `pkcs8 ${fromBytes(der)}` } as const;
  switch (oid) {
    case '1.2.840.113549.1.1.1': {
      const numbers = new DerReader(inner).read(tags.sequence);
      const n = numbers?.integer() === undefined ? undefined : numbers.integer();
      if (n === undefined) throw new KeyError('no RSA key in PKCS#8');
      return { type: 'rsa', bits: n.toString(2).length, curve: undefined, ...shared };
    }
    case '1.2.840.10045.2.1': {
      const curve = curveOf(new DerReader(parameters).oid() ?? [])?.name;
      return { type: 'ec', bits: supportedBits(curve), curve, ...shared };
    }
    case '1.3.101.112':
    case '1.3.101.110':
      return { type: oid === '1.3.101.112' ? 'ed25519' : 'x25519', bits: 255, curve: undefined, ...shared };
    default:
      throw new KeyError(`unsupported key type ${oid}`);
  }
}

function pkcs8(identifier: Uint8Array, key: Uint8Array): Uint8Array {
  return derElement(tags.sequence, derInteger(Uint8Array.of(0)), identifier, derElement(tags.octetString, key));
}

/** The identifier of the curve that stands in a SEC 1 key. */
function curveInside(der: Uint8Array): Uint8Array {
  const sequence = new DerReader(der).read(tags.sequence);
  if (sequence?.integer() !== undefined && sequence.octets() !== undefined) {
    const parameters = sequence.any();
    if (parameters?.tag === 0xa0) return parameters.content.bytes;
  }
  throw new KeyError('no curve in the key');
}

function ofJwk(jwk: { readonly [member: string]: string | undefined }): WebKey {
  const isPrivate = jwk.d !== undefined;
  const id = `jwk ${JSON.stringify(jwk)}`;
  const material = { format: 'jwk', jwk: { ...jwk } as JsonWebKey } as const;
  switch (jwk.kty) {
    case 'RSA':
      return { type: 'rsa', isPrivate, bits: integerOfBytes(octets(jwk.n)).toString(2).length, material, curve: undefined, id };
    case 'EC': {
      const curve = curveNamed(jwk.crv ?? '');
      const [x, y] = [octets(jwk.x), octets(jwk.y)].map(integerOfBytes);
      if (curve === undefined || !isOnCurve(curve, x!, y!)) throw new KeyError('Invalid JWK EC key');
      return { type: 'ec', isPrivate, bits: supportedBits(curve.name), material, curve: curve.name, id };
    }
    case 'OKP': {
      const type = jwk.crv === 'Ed25519' ? 'ed25519' : jwk.crv === 'X25519' ? 'x25519' : undefined;
      if (type === undefined || octets(jwk.x).length !== 32) throw new KeyError('Invalid JWK OKP key');
      return { type, isPrivate, bits: 255, material, curve: undefined, id };
    }
    default:
      throw new KeyError(`unsupported key type ${jwk.kty}`);
  }
}

const octets = (text = ''): Uint8Array => decodeBase64Url(text);

const curveBits: { readonly [curve: string]: number } = { 'P-256': 256, 'P-384': 384, 'P-521': 521 };

function supportedBits(curve: string | undefined): number {
  const bits = curveBits[curve ?? ''];
  if (bits === undefined) throw new KeyError(`unsupported elliptic curve${curve === undefined ? '' : `: this platform has no ${curve}`}`);
  return bits;
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
  const usable: Material = use === 'verify' && key.isPrivate ? { format: 'spki', der: copied(await exportedPublic(key)) } : material;
  return await importMaterial(usable, importOptions(scheme, key), true, [use]);
}

async function importMaterial(
  material: Material,
  algorithm: RsaHashedImportParams | EcKeyImportParams | { readonly name: string },
  isExtractable: boolean,
  uses: readonly KeyUsage[],
): Promise<CryptoKey> {
  const allowed = [...uses];
  try {
    if (material.format === 'jwk') return await subtle().importKey('jwk', plainJwk(material.jwk), algorithm, isExtractable, allowed);
    return await subtle().importKey(material.format, material.der, algorithm, isExtractable, allowed);
  } catch (error) {
    throw error instanceof KeyError ? error : new KeyError((error as Error).message);
  }
}

/** Without members that say what the key is for: the caller does. */
function plainJwk({ kty, crv, x, y, d, n, e, p, q, dp, dq, qi }: JsonWebKey): JsonWebKey {
  const members = Object.entries({ kty, crv, x, y, d, n, e, p, q, dp, dq, qi }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members) as JsonWebKey;
}

function importOptions(scheme: SignatureScheme, key: WebKey): RsaHashedImportParams | EcKeyImportParams | { readonly name: string } {
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

function useOptions(scheme: SignatureScheme, saltLength: number | undefined): RsaPssParams | EcdsaParams | { readonly name: string } {
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
  const usual = hashLengths[scheme.hash]!;
  if (scheme.salt === 'hash-length') return [usual];
  // RFC 8017, 9.1.1: the salt, the hash and two bytes are within the encoded message.
  const longest = Math.ceil((bits - 1) / 8) - usual - 2;
  return [usual, ...Array.from({ length: Math.max(0, longest + 1) }, (_, length) => length).filter((length) => length !== usual)];
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
  const [uses, publicUses] = key.type === 'x25519' ? ([['deriveBits'], []] as const) : ([['sign'], ['verify']] as const);
  const found = await importMaterial(material, algorithm, true, key.isPrivate ? uses : publicUses);
  const { d, p, q, dp, dq, qi, oth, key_ops, ...open } = await subtle().exportKey('jwk', found);
  const half = await importMaterial({ format: 'jwk', jwk: open }, algorithm, true, publicUses);
  return new Uint8Array(await subtle().exportKey('spki', half));
}
