/** Hashes in plain JavaScript, for platforms whose own cannot be called without waiting. */
import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import type { HashName, HostCrypto, Octets } from '../../../builtins/host-crypto.js';
import { toHex } from '../../../builtins/lib/go/octets.js';
import { encodeUtf8 } from '../../../values/text/utf8.js';

const hashes = { md5, sha1, sha224, sha256, sha384, sha512 };

function hashNamed(name: HashName): (typeof hashes)[keyof typeof hashes] {
  if (!Object.hasOwn(hashes, name)) throw new Error(`modules have no hash ${name}`);
  return hashes[name as keyof typeof hashes];
}

const bytesOf = (data: Octets): Uint8Array => (typeof data === 'string' ? encodeUtf8(data) : data);

/** Built-ins that need keys are refused when a module is built. */
function noKeys(): never {
  throw new Error('modules have no keys');
}

export const portableCrypto: HostCrypto = {
  hash: (name, data) => hashNamed(name)(bytesOf(data)),
  hashHex: (name, data) => toHex(hashNamed(name)(bytesOf(data))),
  hmac: (name, key, data) => hmac(hashNamed(name), bytesOf(key), bytesOf(data)),
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
