/** SHA-1 (FIPS 180-4). */
import { bytesOfWords, padded, rotateLeft } from './padding.js';

const constants = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc | 0, 0xca62c1d6 | 0];

export function sha1(message: Uint8Array): Uint8Array {
  const view = padded(message, 64, 8, false);
  const w = new Int32Array(80);
  let [a, b, c, d, e] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];
  for (let at = 0; at < view.byteLength; at += 64) {
    for (let i = 0; i < 80; i++) w[i] = i < 16 ? view.getInt32(at + i * 4) : rotateLeft(w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!, 1);
    const [a0, b0, c0, d0, e0] = [a, b, c, d, e];
    for (let i = 0; i < 80; i++) {
      const round = Math.floor(i / 20);
      const mixed = round === 0 ? (b & c) | (~b & d) : round === 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
      const sum = (rotateLeft(a, 5) + mixed + e + constants[round]! + w[i]!) | 0;
      [e, d, c, b, a] = [d, c, rotateLeft(b, 30), a, sum];
    }
    [a, b, c, d, e] = [(a + a0) | 0, (b + b0) | 0, (c + c0) | 0, (d + d0) | 0, (e + e0) | 0];
  }
  return bytesOfWords([a, b, c, d, e], false);
}
