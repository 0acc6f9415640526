/** Hashes in plain JavaScript, for platforms whose own cannot be called without waiting. */
import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512, sha512_224, sha512_256 } from '@noble/hashes/sha2.js';
import { encodeUtf8 } from '../../text/utf8.js';
import type { HashName, HostCrypto, Octets } from '../host-crypto.js';
import { toHex } from '../lib/go/octets.js';

const hashes = {
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  'sha512-224': sha512_224,
  'sha512-256': sha512_256,
} as const satisfies { readonly [name in HashName]: unknown };

const bytesOf = (data: Octets): Uint8Array => (typeof data === 'string' ? encodeUtf8(data) : data);

/** Built-ins that need keys are refused when a module is built. */
function noKeys(): never {
  throw new Error('modules have no keys');
}

export const portableCrypto: HostCrypto = {
  hash: (name, data) => hashes[name](bytesOf(data)),
  hashHex: (name, data) => toHex(hashes[name](bytesOf(data))),
  hmac: (name, key, data) => hmac(hashes[name], bytesOf(key), bytesOf(data)),
  equal(a, b) {
    const [x, y] = [bytesOf(a), bytesOf(b)];
    if (x.length !== y.length) return false;
    let difference = 0;
    for (let i = 0; i < x.length; i++) difference |= x[i]! ^ y[i]!;
    return difference === 0;
  },
  importKey: noKeys,
  exportPublic: noKeys,
  verify: noKeys,
  sign: noKeys,
};
