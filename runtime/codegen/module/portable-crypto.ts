/** Hashes in plain JavaScript, for platforms whose own cannot be called without waiting. */
import type { HashName, HostCrypto, Octets } from '../../../builtins/host-crypto.js';
import { toHex } from '../../../builtins/lib/go/octets.js';
import { md5 } from '../../../builtins/lib/hashes/md5.js';
import { sha1 } from '../../../builtins/lib/hashes/sha1.js';
import { sha224, sha256, sha384, sha512 } from '../../../builtins/lib/hashes/sha2.js';
import { encodeUtf8 } from '../../../values/text/utf8.js';

type Hash = (message: Uint8Array) => Uint8Array;

const hashes: { readonly [name in HashName]?: Hash } = { md5, sha1, sha224, sha256, sha384, sha512 };

function hashNamed(name: HashName): Hash {
  const hash = hashes[name];
  if (hash === undefined) throw new Error(`modules have no hash ${name}`);
  return hash;
}

const bytesOf = (data: Octets): Uint8Array => (typeof data === 'string' ? encodeUtf8(data) : data);

/** Built-ins that need keys are refused when a module is built. */
function noKeys(): never {
  throw new Error('modules have no keys');
}

export const portableCrypto: HostCrypto = {
  hash: (name, data) => hashNamed(name)(bytesOf(data)),
  hashHex: (name, data) => toHex(hashNamed(name)(bytesOf(data))),
  hmac,
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

/** RFC 2104. */
function hmac(name: HashName, key: Octets, data: Octets): Uint8Array {
  const hash = hashNamed(name);
  const block = name === 'sha384' || name === 'sha512' ? 128 : 64;
  const given = bytesOf(key);
  const padded = new Uint8Array(block);
  padded.set(given.length > block ? hash(given) : given);
  const inner = hash(
    joined(
      padded.map((byte) => byte ^ 0x36),
      bytesOf(data),
    ),
  );
  return hash(
    joined(
      padded.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}
