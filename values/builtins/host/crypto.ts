/** `node:crypto` behind the interface for built-ins. */
import type { Hmac, KeyObject } from 'node:crypto';
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  constants as cryptoConstants,
  hash as oneShotHash,
  sign,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { encodeUtf8, fromBytes } from '../../text/utf8.js';
import type { HashName, HostCrypto, HostKey, KeySource, Octets, SignatureScheme } from '../host-crypto.js';
import { KeyError } from '../host-crypto.js';
import { derOfRaw } from '../web/ecdsa-signature.js';

interface NodeKey extends HostKey {
  readonly object: KeyObject;
}

const hashNames: { readonly [name in HashName]: string } = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  'sha512-224': 'sha512-224',
  'sha512-256': 'sha512-256',
};

const curveBits: { readonly [curve: string]: number } = {
  secp224r1: 224,
  prime256v1: 256,
  secp384r1: 384,
  secp521r1: 521,
};

export const nodeCrypto: HostCrypto = {
  hash: (name, data) => oneShotHash(hashNames[name], exact(data), 'buffer'),
  hashHex: (name, data) => oneShotHash(hashNames[name], exact(data), 'hex'),
  hasher(name) {
    const hash = createHash(hashNames[name]);
    return { update: (part) => void hash.update(part), hex: () => hash.digest('hex') };
  },
  hmac: (name, key, data) => hmac(name, key).update(exact(data)).digest(),
  equal(a, b) {
    const x = bytesOf(a);
    const y = bytesOf(b);
    return x.length === y.length && timingSafeEqual(x, y);
  },
  importKey(source) {
    try {
      return wrap(keyObject(source));
    } catch (error) {
      throw error instanceof KeyError ? error : new KeyError((error as Error).message);
    }
  },
  exportPublic(key) {
    const { object } = key as NodeKey;
    return (key.isPrivate ? createPublicKey(object) : object).export({ format: 'der', type: 'spki' });
  },
  verify(scheme, key, data, signature) {
    if (!fits(scheme, key)) return false;
    try {
      if (scheme.type !== 'ecdsa' || scheme.encoding === 'der')
        return verify(digestOf(scheme), bytesOf(data), withScheme(scheme, key), signature);
      return verify(digestOf(scheme), bytesOf(data), (key as NodeKey).object, derOfRaw(signature));
    } catch {
      // OpenSSL throws for some keys that it can parse but not use, such as an exponent of 1.
      return false;
    }
  },
  sign(scheme, key, data) {
    if (!fits(scheme, key)) throw new KeyError(`a key of type ${key.type} cannot sign with ${scheme.type}`);
    if (!key.isPrivate) throw new KeyError('a public key cannot sign');
    try {
      return sign(digestOf(scheme), bytesOf(data), withScheme(scheme, key));
    } catch (error) {
      throw new KeyError((error as Error).message);
    }
  },
};

/** With a text as the key: Node 24 takes some microseconds longer for bytes. */
function hmac(name: HashName, key: Octets): Hmac {
  if (typeof key === 'string' && key.isWellFormed()) return createHmac(hashNames[name], key);
  return createHmac(hashNames[name], fromBytes(bytesOf(key)), binary);
}

const binary = { encoding: 'latin1' } as const;

function bytesOf(data: Octets): Uint8Array {
  return typeof data === 'string' ? encodeUtf8(data) : data;
}

/**
 * Node encodes texts faster than our encoder, but not texts with bytes that are not valid UTF-8.
 */
function exact(data: Octets): Octets {
  return typeof data === 'string' && !data.isWellFormed() ? encodeUtf8(data) : data;
}

function keyObject(source: KeySource): KeyObject {
  switch (source.format) {
    case 'spki':
      return createPublicKey({ key: source.der as Buffer, format: 'der', type: 'spki' });
    case 'pkcs1-public':
      return createPublicKey({ key: source.der as Buffer, format: 'der', type: 'pkcs1' });
    case 'pkcs8':
    case 'pkcs1':
    case 'sec1':
      return createPrivateKey({ key: source.der as Buffer, format: 'der', type: source.format });
    case 'jwk':
      return source.jwk.d === undefined
        ? createPublicKey({ key: { ...source.jwk }, format: 'jwk' })
        : createPrivateKey({ key: { ...source.jwk }, format: 'jwk' });
  }
}

function wrap(object: KeyObject): NodeKey {
  const isPrivate = object.type === 'private';
  const details = object.asymmetricKeyDetails ?? {};
  switch (object.asymmetricKeyType) {
    case 'rsa':
    case 'rsa-pss':
      return { type: 'rsa', isPrivate, bits: details.modulusLength ?? 0, object };
    case 'ec': {
      const bits = curveBits[details.namedCurve ?? ''];
      if (bits === undefined) throw new KeyError('unsupported elliptic curve');
      return { type: 'ec', isPrivate, bits, object };
    }
    case 'ed25519':
    case 'x25519':
      return { type: object.asymmetricKeyType, isPrivate, bits: 255, object };
    default:
      throw new KeyError(`unsupported key type ${object.asymmetricKeyType}`);
  }
}

const keyTypes: { readonly [scheme in SignatureScheme['type']]: HostKey['type'] } = {
  'rsa-pkcs1': 'rsa',
  'rsa-pss': 'rsa',
  ecdsa: 'ec',
  ed25519: 'ed25519',
};

function fits(scheme: SignatureScheme, key: HostKey): boolean {
  return keyTypes[scheme.type] === key.type;
}

function digestOf(scheme: SignatureScheme): string | null {
  return scheme.type === 'ed25519' ? null : hashNames[scheme.hash];
}

/** The key, alone where it suffices: with options Node 24 takes ten microseconds longer. */
function withScheme(scheme: SignatureScheme, key: HostKey) {
  const { object } = key as NodeKey;
  switch (scheme.type) {
    case 'rsa-pkcs1':
      // Keys that are for PSS alone would use that.
      return object.asymmetricKeyType === 'rsa' ? object : { key: object, padding: cryptoConstants.RSA_PKCS1_PADDING };
    case 'rsa-pss': {
      const saltLength =
        scheme.salt === 'hash-length' ? cryptoConstants.RSA_PSS_SALTLEN_DIGEST : cryptoConstants.RSA_PSS_SALTLEN_AUTO;
      return { key: object, padding: cryptoConstants.RSA_PKCS1_PSS_PADDING, saltLength };
    }
    case 'ecdsa':
      return scheme.encoding === 'raw' ? { key: object, dsaEncoding: 'ieee-p1363' as const } : object;
    case 'ed25519':
      return object;
  }
}
