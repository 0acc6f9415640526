/**
 * Hashes, keys and signatures, as the platform has them. All calls are synchronous: evaluation does
 * not wait for them.
 */

export type HashName = 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sha512-224' | 'sha512-256';

/** A text represents its bytes; see `values/text/utf8.ts`. */
export type Octets = string | Uint8Array;

/** A key that the platform holds. Who made it is the only one to look inside. */
export interface HostKey {
  readonly type: 'rsa' | 'ec' | 'ed25519' | 'x25519';
  readonly isPrivate: boolean;
  /** The length of an RSA modulus or of an elliptic curve's field. */
  readonly bits: number;
}

/**
 * The source of a key: DER of a SubjectPublicKeyInfo, PKCS#8, PKCS#1 or SEC 1 structure, or a JSON
 * Web Key.
 */
export type KeySource =
  | { readonly format: 'spki' | 'pkcs8' | 'pkcs1-public' | 'pkcs1' | 'sec1'; readonly der: Uint8Array }
  | { readonly format: 'jwk'; readonly jwk: Jwk };

/** A JSON Web Key: members of RFC 7517 and 7518 that are strings. */
export type Jwk = { readonly kty: string } & { readonly [member: string]: string | undefined };

/**
 * How a signature is made. An ECDSA signature is `r` and `s` side by side (`raw`, as in a token) or
 * an ASN.1 sequence (`der`, as in a certificate).
 */
export type SignatureScheme =
  | { readonly type: 'rsa-pkcs1'; readonly hash: HashName }
  | { readonly type: 'rsa-pss'; readonly hash: HashName; readonly salt: 'hash-length' | 'any-length' }
  | { readonly type: 'ecdsa'; readonly hash: HashName; readonly encoding: 'raw' | 'der' }
  | { readonly type: 'ed25519' };

/** A hash of data that is given in parts. */
interface Hasher {
  update(part: Uint8Array): void;
  /** The hash in lower-case hexadecimal. It ends the data. */
  hex(): string;
}

export interface HostCrypto {
  hash(name: HashName, data: Octets): Uint8Array;
  /** The hash in lower-case hexadecimal. */
  hashHex(name: HashName, data: Octets): string;
  /** For data in parts. Absent where the platform hashes whole data only. */
  hasher?(name: HashName): Hasher;
  hmac(name: HashName, key: Octets, data: Octets): Uint8Array;
  /** Whether two byte strings are the same, in a time that does not tell where they differ. */
  equal(a: Octets, b: Octets): boolean;
  /** Throws a KeyError where the source is no key, or one that the platform does not support. */
  importKey(source: KeySource): HostKey;
  /** The public half of a key as the DER of a SubjectPublicKeyInfo. */
  exportPublic(key: HostKey): Uint8Array;
  /**
   * Whether a signature holds; a key of the wrong kind makes it false. A private key verifies with
   * its public half.
   */
  verify(scheme: SignatureScheme, key: HostKey, data: Octets, signature: Uint8Array): boolean;
  /** Throws a KeyError where the key cannot sign in that scheme. */
  sign(scheme: SignatureScheme, key: HostKey, data: Octets): Uint8Array;
}

/** The error of a source that is no key, or of a key that does not fit. */
export class KeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'KeyError';
  }
}
