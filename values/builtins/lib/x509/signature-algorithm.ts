/** The algorithms that sign certificates, by Go's numbers. */

import type { HashName, SignatureScheme } from '../../host-crypto.js';
import { sameBytes } from '../go/octets.js';
import { context, DerReader, tags } from './der.js';
import { type AlgorithmIdentifier, readAlgorithm } from './public-key.js';
import { X509Error } from './x509-error.js';

const numbers = new Map([
  ['1.2.840.113549.1.1.4', 2],
  ['1.2.840.113549.1.1.5', 3],
  ['1.3.14.3.2.29', 3],
  ['1.2.840.113549.1.1.11', 4],
  ['1.2.840.113549.1.1.12', 5],
  ['1.2.840.113549.1.1.13', 6],
  ['1.2.840.10040.4.3', 7],
  ['2.16.840.1.101.3.4.3.2', 8],
  ['1.2.840.10045.4.1', 9],
  ['1.2.840.10045.4.3.2', 10],
  ['1.2.840.10045.4.3.3', 11],
  ['1.2.840.10045.4.3.4', 12],
  ['1.3.101.112', 16],
]);

const rsaPss = '1.2.840.113549.1.1.10';

/** Go's number of an algorithm, 0 for an unknown one. */
export function signatureAlgorithm({ oid, parameters }: AlgorithmIdentifier): number {
  if (oid === rsaPss) return pssAlgorithm(parameters);
  if (oid === '1.3.101.112' && parameters.length !== 0) return 0;
  return numbers.get(oid) ?? 0;
}

const pssHashes = new Map([
  ['2.16.840.1.101.3.4.2.1', { number: 13, salt: 32n }],
  ['2.16.840.1.101.3.4.2.2', { number: 14, salt: 48n }],
  ['2.16.840.1.101.3.4.2.3', { number: 15, salt: 64n }],
]);

/**
 * RSA-PSS has its hash, its mask and its salt in its parameters. It is supported only if hash and
 * mask use the same hash, and the salt is as long as that.
 */
function pssAlgorithm(parameters: Uint8Array): number {
  try {
    const sequence = new DerReader(parameters).read(tags.sequence);
    const hash = innerAlgorithm(sequence?.read(context(0, true)));
    const mask = innerAlgorithm(sequence?.read(context(1, true)));
    const salt = sequence?.read(context(2, true))?.integer() ?? 20n;
    const trailer = sequence?.read(context(3, true))?.integer() ?? 1n;
    if (hash === undefined || mask === undefined || mask.oid !== '1.2.840.113549.1.1.8' || trailer !== 1n) return 0;
    const maskHash = innerAlgorithm(new DerReader(mask.parameters));
    if (maskHash?.oid !== hash.oid || !isNull(hash.parameters) || !isNull(maskHash.parameters)) return 0;
    const known = pssHashes.get(hash.oid);
    return known?.salt === salt ? known.number : 0;
  } catch (error) {
    if (error instanceof X509Error) return 0;
    throw error;
  }
}

function innerAlgorithm(reader: DerReader | undefined): AlgorithmIdentifier | undefined {
  const sequence = reader?.read(tags.sequence);
  return sequence === undefined ? undefined : readAlgorithm(sequence);
}

function isNull(parameters: Uint8Array): boolean {
  return parameters.length === 0 || sameBytes(parameters, new Uint8Array([tags.null, 0]));
}

const rsa = (hash: HashName): SignatureScheme => ({ type: 'rsa-pkcs1', hash });
const pss = (hash: HashName): SignatureScheme => ({ type: 'rsa-pss', hash, salt: 'hash-length' });
const ecdsa = (hash: HashName): SignatureScheme => ({ type: 'ecdsa', hash, encoding: 'der' });

/** How signatures on certificates are verified. MD5, SHA-1 and DSA are not trusted. */
export const trustedSchemes: ReadonlyMap<number, SignatureScheme> = new Map([
  [4, rsa('sha256')],
  [5, rsa('sha384')],
  [6, rsa('sha512')],
  [10, ecdsa('sha256')],
  [11, ecdsa('sha384')],
  [12, ecdsa('sha512')],
  [13, pss('sha256')],
  [14, pss('sha384')],
  [15, pss('sha512')],
  [16, { type: 'ed25519' }],
]);
