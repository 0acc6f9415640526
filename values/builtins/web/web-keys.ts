/** Keys for Web Cryptography: form, kind and size, read before the platform imports them. */

import { joinBytes } from '../../text/join-bytes.js';
import { fromBytes } from '../../text/utf8.js';
import { type HostKey, KeyError, type KeySource } from '../host-crypto.js';
import { decodeBase64Url } from '../lib/go/base64.js';
import { Base64Error } from '../lib/go/base64-decoder.js';
import { integerOfBytes } from '../lib/go/octets.js';
import { curveNamed, curveOf, isOnCurve } from '../lib/x509/curves.js';
import { context, DerReader, tags } from '../lib/x509/der.js';
import { readAlgorithm, readPublicKey } from '../lib/x509/public-key.js';
import { X509Error } from '../lib/x509/x509-error.js';

export type Bytes = Uint8Array<ArrayBuffer>;

/** The forms of keys that the platform imports: SPKI, PKCS#8, or a JSON Web Key. */
export type Material =
  | { readonly format: 'spki' | 'pkcs8'; readonly der: Bytes }
  | { readonly format: 'jwk'; readonly jwk: JsonWebKey };

export interface WebKey extends HostKey {
  readonly material: Material;
  /** The name of an elliptic curve. */
  readonly curve: string | undefined;
  /** A text that equal keys share. */
  readonly id: string;
}

/** The key of a source. Throws a KeyError where it is none, or one that the platform has not. */
export function webKeyOf(source: KeySource): WebKey {
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
        derElement(
          tags.sequence,
          derElement(tags.sequence, oids.rsa, derNull),
          derElement(tags.bitString, Uint8Array.of(0), der),
        ),
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
  const shared = {
    isPrivate: true,
    material: { format: 'pkcs8', der: copied(der) },
    id: `pkcs8 ${fromBytes(der)}`,
  } as const;
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
    if (parameters?.tag === context(0, true)) return parameters.content.bytes;
  }
  throw new KeyError('no curve in the key');
}

function ofJwk(jwk: { readonly [member: string]: string | undefined }): WebKey {
  const isPrivate = jwk.d !== undefined;
  const id = `jwk ${JSON.stringify(jwk)}`;
  const material = { format: 'jwk', jwk: { ...jwk } as JsonWebKey } as const;
  switch (jwk.kty) {
    case 'RSA':
      return {
        type: 'rsa',
        isPrivate,
        bits: integerOfBytes(octets(jwk.n)).toString(2).length,
        material,
        curve: undefined,
        id,
      };
    case 'EC': {
      const curve = curveNamed(jwk.crv ?? '');
      const [x, y] = [integerOfBytes(octets(jwk.x)), integerOfBytes(octets(jwk.y))];
      if (curve === undefined || !isOnCurve(curve, x, y)) throw new KeyError('Invalid JWK EC key');
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
  if (bits === undefined)
    throw new KeyError(`unsupported elliptic curve${curve === undefined ? '' : `: this platform has no ${curve}`}`);
  return bits;
}

/** In memory that is not shared, as the platform wants it. */
export function copied(bytes: Uint8Array): Bytes {
  return Uint8Array.from(bytes);
}

/** An element of a tag over its contents, one behind the other. */
function derElement(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const content = joinBytes(contents);
  const { length } = content;
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  const head = length < 128 ? [tag, length] : [tag, 0x80 + digits.length, ...digits];
  return joinBytes([Uint8Array.from(head), content]);
}

/** An integer of the bytes of its two's complement. */
function derInteger(bytes: Uint8Array): Uint8Array {
  return derElement(tags.integer, bytes);
}

const derNull: Uint8Array = derElement(tags.null);

/** Identifiers of algorithms of keys (RFC 3279 and RFC 5480), whole elements. */
const oids = {
  rsa: derElement(tags.oid, Uint8Array.of(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01)),
  ec: derElement(tags.oid, Uint8Array.of(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01)),
};
