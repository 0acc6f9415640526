/** Public keys of certificates and requests. */
import { numberFromInteger } from '../../../numbers/number.js';
import type { Value } from '../../../value.js';
import { encodeBase64 } from '../go/base64.js';
import { integerOfBytes } from '../go/octets.js';
import { curveOf, isOnCurve } from './curves.js';
import { DerReader, rightAligned, tags } from './der.js';
import { must, X509Error } from './x509-error.js';

export type PublicKey =
  | { readonly type: 'rsa'; readonly n: bigint; readonly e: bigint }
  | { readonly type: 'dsa'; readonly p: bigint; readonly q: bigint; readonly g: bigint; readonly y: bigint }
  | { readonly type: 'ec'; readonly curve: string; readonly x: bigint; readonly y: bigint }
  | { readonly type: 'ed25519'; readonly bytes: Uint8Array };

export interface AlgorithmIdentifier {
  /** The identifier's components joined by dots. */
  readonly oid: string;
  /** The whole element, empty if it is absent. */
  readonly parameters: Uint8Array;
}

/** Reads the content of an algorithm identifier. Throws an X509Error. */
export function readAlgorithm(reader: DerReader): AlgorithmIdentifier {
  const oid = must(reader.oid(), 'x509: malformed OID').join('.');
  if (reader.empty) return { oid, parameters: new Uint8Array(0) };
  return { oid, parameters: must(reader.any(), 'x509: malformed parameters').raw };
}

/** Go's numbers for kinds of keys. */
const algorithmNumbers = new Map([
  ['1.2.840.113549.1.1.1', 1],
  ['1.2.840.10040.4.1', 2],
  ['1.2.840.10045.2.1', 3],
  ['1.3.101.112', 4],
]);

interface SubjectPublicKey {
  /** 0 for an algorithm that Go does not know. */
  readonly algorithm: number;
  /** Undefined where the algorithm is unknown. */
  readonly key: PublicKey | undefined;
}

/** Reads a SubjectPublicKeyInfo. Throws an X509Error. */
export function readPublicKey(der: Uint8Array): SubjectPublicKey {
  const info = must(new DerReader(der).read(tags.sequence), 'x509: malformed spki');
  const identifier = readAlgorithm(must(info.read(tags.sequence), 'x509: malformed public key algorithm identifier'));
  const bits = rightAligned(must(info.bitString(), 'x509: malformed subjectPublicKey'));
  const algorithm = algorithmNumbers.get(identifier.oid) ?? 0;
  return { algorithm, key: readKey(algorithm, identifier.parameters, bits) };
}

function readKey(algorithm: number, parameters: Uint8Array, bits: Uint8Array): PublicKey | undefined {
  switch (algorithm) {
    case 1:
      return readRsa(parameters, bits);
    case 2:
      return readDsa(parameters, bits);
    case 3:
      return readEc(parameters, bits);
    case 4:
      if (parameters.length !== 0) throw new X509Error('x509: Ed25519 key encoded with illegal parameters');
      if (bits.length !== 32) throw new X509Error('x509: wrong Ed25519 public key size');
      return { type: 'ed25519', bytes: bits };
    default:
      return undefined;
  }
}

function readRsa(parameters: Uint8Array, bits: Uint8Array): PublicKey {
  if (parameters.length !== 2 || parameters[0] !== tags.null)
    throw new X509Error('x509: RSA key missing NULL parameters');
  const key = must(new DerReader(bits).read(tags.sequence), 'x509: invalid RSA public key');
  const n = must(key.integer(), 'x509: invalid RSA modulus');
  const e = must(key.integer(), 'x509: invalid RSA public exponent');
  if (e >= 2n ** 63n) throw new X509Error('x509: invalid RSA public exponent');
  if (n <= 0n) throw new X509Error('x509: RSA modulus is not a positive number');
  if (e <= 0n) throw new X509Error('x509: RSA public exponent is not a positive number');
  return { type: 'rsa', n, e };
}

function readDsa(parameters: Uint8Array, bits: Uint8Array): PublicKey {
  const y = must(new DerReader(bits).integer(), 'x509: invalid DSA public key');
  const invalid = 'x509: invalid DSA parameters';
  const numbers = must(new DerReader(parameters).read(tags.sequence), invalid);
  const [p, q, g] = [
    must(numbers.integer(), invalid),
    must(numbers.integer(), invalid),
    must(numbers.integer(), invalid),
  ];
  if (y <= 0n || p <= 0n || q <= 0n || g <= 0n) throw new X509Error('x509: zero or negative DSA parameter');
  return { type: 'dsa', p, q, g, y };
}

function readEc(parameters: Uint8Array, bits: Uint8Array): PublicKey {
  const curve = curveOf(must(new DerReader(parameters).oid(), 'x509: invalid ECDSA parameters'));
  if (curve === undefined) throw new X509Error('x509: unsupported elliptic curve');
  const size = curve.bytes;
  if (bits.length !== 1 + 2 * size || bits[0] !== 4) throw new X509Error('crypto/ecdsa: invalid public key');
  const x = integerOfBytes(bits.subarray(1, 1 + size));
  const y = integerOfBytes(bits.subarray(1 + size));
  if (!isOnCurve(curve, x, y)) throw new X509Error('crypto/ecdsa: invalid public key');
  return { type: 'ec', curve: curve.name, x, y };
}

/** A key as Go's JSON shows it; curves have no public fields there. */
export function publicKeyValue(key: PublicKey | undefined): Value {
  switch (key?.type) {
    case 'rsa':
      return { N: numberFromInteger(key.n), E: numberFromInteger(key.e) };
    case 'dsa': {
      const { p, q, g, y } = key;
      return { P: numberFromInteger(p), Q: numberFromInteger(q), G: numberFromInteger(g), Y: numberFromInteger(y) };
    }
    case 'ec':
      return { Curve: {}, X: numberFromInteger(key.x), Y: numberFromInteger(key.y) };
    case 'ed25519':
      return encodeBase64(key.bytes);
    case undefined:
      return null;
  }
}
