/** The signature algorithms of tokens (RFC 7518), and how one is verified and made. */
import type { HashName, HostCrypto, HostKey, Octets, SignatureScheme } from '../../host-crypto.js';
import { KeyError } from '../../host-crypto.js';

/** A key of a token: a handle of the host, or a shared secret. */
export type TokenKey = HostKey | Octets;

export type Algorithm = { readonly type: 'hmac'; readonly hash: HashName } | SignatureScheme;

const hashes = { '256': 'sha256', '384': 'sha384', '512': 'sha512' } as const;

function family(prefix: string, of: (hash: HashName) => Algorithm): [string, Algorithm][] {
  return Object.entries(hashes).map(([size, hash]) => [prefix + size, of(hash)]);
}

/** Algorithms by name, `RS256` to `EdDSA`. */
export const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ...family('HS', (hash) => ({ type: 'hmac', hash })),
  ...family('RS', (hash) => ({ type: 'rsa-pkcs1', hash })),
  ...family('PS', (hash) => ({ type: 'rsa-pss', hash, salt: 'hash-length' })),
  ...family('ES', (hash) => ({ type: 'ecdsa', hash, encoding: 'raw' })),
  ['EdDSA', { type: 'ed25519' }],
]);

export function isSecret(key: TokenKey): key is Octets {
  return typeof key === 'string' || key instanceof Uint8Array;
}

/** Whether a signature holds; a key that does not go with the algorithm makes it false. */
export function verifySignature(
  algorithm: Algorithm,
  key: TokenKey,
  data: Octets,
  signature: Uint8Array,
  crypto: HostCrypto,
): boolean {
  if (algorithm.type === 'hmac') {
    return isSecret(key) && key.length > 0 && crypto.equal(crypto.hmac(algorithm.hash, key, data), signature);
  }
  if (isSecret(key) || isTooShort(key)) return false;
  if (algorithm.type === 'ecdsa' && signature.length !== 2 * sizeOf(key)) return false;
  return crypto.verify(algorithm, key, data, signature);
}

/** A signature. Throws a KeyError where the key does not go with the algorithm. */
export function makeSignature(algorithm: Algorithm, key: TokenKey, data: Octets, crypto: HostCrypto): Uint8Array {
  if (algorithm.type === 'hmac') {
    if (!isSecret(key)) throw new KeyError(`jwsbb.Sign: invalid key type ${keyType(key)}. []byte is required`);
    if (key.length === 0) throw new KeyError('dsig.toHMACKey: missing key while signing payload');
    return crypto.hmac(algorithm.hash, key, data);
  }
  const wanted = wantedKeys[algorithm.type];
  if (isSecret(key) || key.type !== wanted.type || !key.isPrivate) {
    throw new KeyError(`jwsbb.Sign: invalid key type ${keyType(key)}. ${wanted.name} is required`);
  }
  if (isTooShort(key)) {
    throw new KeyError(
      `crypto/rsa: ${key.bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`,
    );
  }
  return crypto.sign(algorithm, key, data);
}

const wantedKeys = {
  'rsa-pkcs1': { type: 'rsa', name: '*rsa.PrivateKey' },
  'rsa-pss': { type: 'rsa', name: '*rsa.PrivateKey' },
  ecdsa: { type: 'ec', name: '*ecdsa.PrivateKey' },
  ed25519: { type: 'ed25519', name: 'ed25519.PrivateKey' },
} as const;

const jwkTypes = { rsa: 'rsa', ec: 'ecdsa', ed25519: 'okp', x25519: 'okp' } as const;

function keyType(key: TokenKey): string {
  return isSecret(key)
    ? '*jwk.symmetricKey'
    : `*jwk.${jwkTypes[key.type]}${key.isPrivate ? 'PrivateKey' : 'PublicKey'}`;
}

/** The reference refuses to work with RSA keys that can be broken. */
function isTooShort(key: HostKey): boolean {
  return key.type === 'rsa' && key.bits < 1024;
}

/** The bytes of one of the two numbers of an ECDSA signature. */
function sizeOf(key: HostKey): number {
  return Math.ceil(key.bits / 8);
}

/**
 * An ECDSA signature of any length as the host wants it: the reference takes its first half for `r`
 * and the rest for `s`. Undefined where one of them does not fit the key's curve, and so cannot be
 * right.
 */
export function evenlySplit(signature: Uint8Array, key: HostKey): Uint8Array | undefined {
  const size = sizeOf(key);
  const half = Math.floor(signature.length / 2);
  const even = new Uint8Array(2 * size);
  for (const [i, part] of [signature.subarray(0, half), signature.subarray(half)].entries()) {
    const start = part.findIndex((byte) => byte !== 0);
    const digits = start < 0 ? new Uint8Array(0) : part.subarray(start);
    if (digits.length > size) return undefined;
    even.set(digits, (i + 1) * size - digits.length);
  }
  return even;
}
