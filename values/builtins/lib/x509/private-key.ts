/** Private keys in PKCS#1, PKCS#8 and SEC 1. */
import { type HostCrypto, type HostKey, KeyError } from '../../host-crypto.js';
import { integerOfBytes } from '../go/octets.js';
import { type Curve, curveOf } from './curves.js';
import { context, DerReader, tags } from './der.js';
import { readAlgorithm, readPublicKey } from './public-key.js';
import { must, X509Error } from './x509-error.js';

interface RsaKey {
  readonly type: 'rsa';
  readonly n: bigint;
  readonly e: bigint;
  readonly d: bigint;
  /** Two or more. */
  readonly primes: readonly bigint[];
  readonly dp: bigint;
  readonly dq: bigint;
  readonly qInverse: bigint;
}

interface EcKey {
  readonly type: 'ec';
  readonly curve: Curve;
  readonly x: bigint;
  readonly y: bigint;
  readonly d: bigint;
}

/** Ed25519 signs, X25519 agrees on secrets. */
interface EdwardsKey {
  readonly type: 'ed25519' | 'x25519';
  readonly seed: Uint8Array;
  readonly publicKey: Uint8Array;
}

export type PrivateKey = RsaKey | EcKey | EdwardsKey;

const structureError = "asn1: structure error: tags don't match";

/** Throws an X509Error. */
export function parsePkcs1(der: Uint8Array): RsaKey {
  const reader = new DerReader(der);
  const sequence = must(reader.read(tags.sequence), structureError);
  if (!reader.empty) throw new X509Error('asn1: syntax error: trailing data');
  const version = must(sequence.integer(), structureError);
  const next = () =>
    must(
      sequence.integer(),
      isPkcs8(der)
        ? useInstead('ParsePKCS8PrivateKey')
        : isSec1(der)
          ? useInstead('ParseECPrivateKey')
          : structureError,
    );
  const [n, e, d, p, q] = [next(), next(), next(), next(), next()];
  const optional = () => (sequence.peek() === tags.integer ? next() : undefined);
  const [dp, dq, qInverse] = [optional(), optional(), optional()];
  if (version > 1n) throw new X509Error('x509: unsupported private key version');
  if ([n, d, p, q, dp ?? 1n, dq ?? 1n, qInverse ?? 1n].some((value) => value <= 0n)) {
    throw new X509Error('x509: private key contains zero or negative value');
  }
  const primes = [p, q, ...readMorePrimes(sequence)];
  checkRsa(n, e, d, primes);
  const key = { dp: d % (p - 1n), dq: d % (q - 1n), qInverse: inverse(q, p) };
  if ((dp ?? key.dp) !== key.dp || (dq ?? key.dq) !== key.dq) throw new X509Error('crypto/rsa: invalid CRT exponent');
  if ((qInverse ?? key.qInverse) !== key.qInverse) throw new X509Error('crypto/rsa: invalid CRT coefficient');
  return { type: 'rsa', n, e, d, primes, ...key };
}

function readMorePrimes(sequence: DerReader): readonly bigint[] {
  const primes: bigint[] = [];
  const list = sequence.read(tags.sequence);
  while (list !== undefined && !list.empty) {
    const prime = must(list.read(tags.sequence)?.integer(), structureError);
    if (prime <= 0n) throw new X509Error('x509: private key contains zero or negative prime');
    primes.push(prime);
  }
  return primes;
}

/** The most bits of a key: arithmetic with larger ones takes its time. */
const maxBits = 16_384;

function checkRsa(n: bigint, e: bigint, d: bigint, primes: readonly bigint[]): void {
  if ([n, d, ...primes].some((value) => value >= 2n ** BigInt(maxBits)))
    throw new X509Error('crypto/rsa: key is too large');
  if (e < 2n || e >= 2n ** 31n)
    throw new X509Error(
      e < 2n ? 'crypto/rsa: public exponent too small or negative' : 'crypto/rsa: public exponent too large',
    );
  if (primes.some((prime) => prime <= 2n)) throw new X509Error('crypto/rsa: invalid prime');
  if (primes.reduce((product, prime) => product * prime, 1n) !== n) throw new X509Error('crypto/rsa: p * q != n');
  if (primes.some((prime) => (d * e) % (prime - 1n) !== 1n)) throw new X509Error('crypto/rsa: invalid CRT exponent');
}

/** The number that times `value` is 1 modulo `modulus`, which must share no factor with it. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b] = [value % modulus, modulus];
  let [x, y] = [1n, 0n];
  while (b > 0n) {
    const quotient = a / b;
    [a, b] = [b, a - quotient * b];
    [x, y] = [y, x - quotient * y];
  }
  if (a !== 1n) throw new X509Error('crypto/rsa: invalid prime');
  return x < 0n ? x + modulus : x;
}

function useInstead(parser: string): string {
  return `x509: failed to parse private key (use ${parser} instead for this key format)`;
}

function isPkcs8(der: Uint8Array): boolean {
  const sequence = new DerReader(der).read(tags.sequence);
  return (
    sequence?.integer() !== undefined &&
    sequence.read(tags.sequence)?.oid() !== undefined &&
    sequence.octets() !== undefined
  );
}

function isSec1(der: Uint8Array): boolean {
  const sequence = new DerReader(der).read(tags.sequence);
  return sequence?.integer() !== undefined && sequence.octets() !== undefined;
}

function isPkcs1(der: Uint8Array): boolean {
  const sequence = new DerReader(der).read(tags.sequence);
  return sequence?.integer() !== undefined && sequence.integer() !== undefined && sequence.integer() !== undefined;
}

/** Throws an X509Error. */
export function parsePkcs8(der: Uint8Array, crypto: HostCrypto): PrivateKey {
  const problem = () =>
    isSec1(der) ? useInstead('ParseECPrivateKey') : isPkcs1(der) ? useInstead('ParsePKCS1PrivateKey') : structureError;
  const sequence = new DerReader(der).read(tags.sequence);
  const version = sequence?.integer();
  const identifier = version === undefined ? undefined : sequence?.read(tags.sequence);
  if (identifier === undefined) throw new X509Error(problem());
  const { oid, parameters } = readAlgorithm(identifier);
  const key = must(sequence?.octets(), structureError);
  switch (oid) {
    case '1.2.840.113549.1.1.1':
      return embedded('RSA', () => parsePkcs1(key));
    case '1.2.840.10045.2.1':
      return embedded('EC', () => readEcKey(key, curveOf(new DerReader(parameters).oid() ?? []), 'pkcs8', der, crypto));
    case '1.3.101.112':
      return readEdwardsKey('ed25519', parameters, key, der, crypto);
    case '1.3.101.110':
      return readEdwardsKey('x25519', parameters, key, der, crypto);
    default:
      throw new X509Error(`x509: PKCS#8 wrapping contained private key with unknown algorithm: ${oid}`);
  }
}

function embedded<T>(kind: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof X509Error
      ? new X509Error(`x509: failed to parse ${kind} private key embedded in PKCS#8: ${error.message}`)
      : error;
  }
}

function readEdwardsKey(
  type: 'ed25519' | 'x25519',
  parameters: Uint8Array,
  key: Uint8Array,
  der: Uint8Array,
  crypto: HostCrypto,
): EdwardsKey {
  const name = type === 'ed25519' ? 'Ed25519' : 'X25519';
  if (parameters.length !== 0) throw new X509Error(`x509: invalid ${name} private key parameters`);
  const seed = must(new DerReader(key).octets(), `x509: invalid ${name} private key: ${structureError}`);
  if (seed.length !== 32) throw new X509Error(`x509: invalid ${name} private key length: ${seed.length}`);
  const spki = crypto.exportPublic(imported(crypto, 'pkcs8', der));
  return { type, seed, publicKey: spki.subarray(spki.length - 32) };
}

/** Throws an X509Error. */
export function parseSec1(der: Uint8Array, crypto: HostCrypto): PrivateKey {
  return readEcKey(der, undefined, 'sec1', der, crypto);
}

/**
 * The curve stands around the key (in PKCS#8) or in it; the host derives the public key from
 * `source`.
 */
function readEcKey(
  der: Uint8Array,
  given: Curve | undefined,
  format: 'pkcs8' | 'sec1',
  source: Uint8Array,
  crypto: HostCrypto,
): EcKey {
  const sequence = new DerReader(der).read(tags.sequence);
  const version = sequence?.integer();
  const bytes = version === undefined ? undefined : sequence?.octets();
  if (sequence === undefined || version === undefined || bytes === undefined) {
    const other = isPkcs8(der)
      ? useInstead('ParsePKCS8PrivateKey')
      : isPkcs1(der)
        ? useInstead('ParsePKCS1PrivateKey')
        : undefined;
    throw new X509Error(other ?? `x509: failed to parse EC private key: ${structureError}`);
  }
  if (version !== 1n) throw new X509Error(`x509: unknown EC private key version ${version}`);
  const curve = given ?? curveOf(sequence.read(context(0, true))?.oid() ?? []);
  if (curve === undefined) throw new X509Error('x509: unknown elliptic curve');
  const d = integerOfBytes(bytes);
  if (d >= 2n ** BigInt(8 * curve.bytes)) throw new X509Error('x509: invalid private key length');
  if (d === 0n || d >= curve.n) throw new X509Error('crypto/ecdsa: private key scalar is zero or too large');
  const { key } = readPublicKey(crypto.exportPublic(imported(crypto, format, source)));
  if (key?.type !== 'ec') throw new X509Error('x509: unknown elliptic curve');
  return { type: 'ec', curve, x: key.x, y: key.y, d };
}

function imported(crypto: HostCrypto, format: 'pkcs8' | 'sec1', der: Uint8Array): HostKey {
  try {
    return crypto.importKey({ format, der });
  } catch (error) {
    throw error instanceof KeyError ? new X509Error(`x509: failed to parse private key: ${error.message}`) : error;
  }
}
