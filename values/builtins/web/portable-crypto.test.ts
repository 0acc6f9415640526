import { expect, test } from 'vitest';
import { nodeCrypto } from '../host/crypto.js';
import type { HashName } from '../host-crypto.js';
import { portableCrypto } from './portable-crypto.js';

const names: readonly HashName[] = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-224', 'sha512-256'];
const lengths = [0, 1, 3, 55, 56, 63, 64, 65, 111, 112, 119, 127, 128, 129, 1000];

test.each(names)("%s is that of the host, over messages of all sides of a block's end", (name) => {
  for (const length of lengths) {
    const message = Uint8Array.from({ length }, (_, i) => (i * 7 + length) & 0xff);
    expect(portableCrypto.hashHex(name, message)).toBe(nodeCrypto.hashHex(name, message));
    expect(Buffer.from(portableCrypto.hmac(name, message, 'grün'))).toEqual(Buffer.from(nodeCrypto.hmac(name, message, 'grün')));
  }
});

test('codes are equal by their bytes', () => {
  expect(portableCrypto.equal('abc', 'abc')).toBe(true);
  expect(portableCrypto.equal('abc', 'abd')).toBe(false);
  expect(portableCrypto.equal('abc', 'ab')).toBe(false);
});
