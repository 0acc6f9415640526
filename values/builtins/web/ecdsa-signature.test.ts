import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { derOfRaw } from './ecdsa-signature.js';

test.each(['prime256v1', 'secp384r1', 'secp521r1'])('signatures of %s hold in both forms', (namedCurve) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
  for (let i = 0; i < 20; i++) {
    const data = Buffer.from(`message ${i}`);
    const raw = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
    expect(verify('sha256', data, publicKey, derOfRaw(raw))).toBe(true);
  }
});

test('numbers have no needless zeros, and no sign', () => {
  expect([...derOfRaw(Uint8Array.of(0, 1, 0, 0))]).toEqual([0x30, 6, 2, 1, 1, 2, 1, 0]);
  expect([...derOfRaw(Uint8Array.of(0, 128, 127, 255))]).toEqual([0x30, 8, 2, 2, 0, 128, 2, 2, 127, 255]);
});
