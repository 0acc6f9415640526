/** MD5 (RFC 1321). */
import { bytesOfWords, padded, rotateLeft } from './padding.js';

const sines = Array.from({ length: 64 }, (_, i) => Math.floor(2 ** 32 * Math.abs(Math.sin(i + 1))) | 0);
const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];

export function md5(message: Uint8Array): Uint8Array {
  const view = padded(message, 64, 8, true);
  let [a, b, c, d] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
  for (let at = 0; at < view.byteLength; at += 64) {
    const [a0, b0, c0, d0] = [a, b, c, d];
    for (let i = 0; i < 64; i++) {
      const round = i >> 4;
      const mixed = round === 0 ? (b & c) | (~b & d) : round === 1 ? (d & b) | (~d & c) : round === 2 ? b ^ c ^ d : c ^ (b | ~d);
      const word = round === 0 ? i : round === 1 ? 5 * i + 1 : round === 2 ? 3 * i + 5 : 7 * i;
      const sum = (a + mixed + sines[i]! + view.getInt32(at + (word % 16) * 4, true)) | 0;
      [a, d, c, b] = [d, c, b, (b + rotateLeft(sum, shifts[round * 4 + (i % 4)]!)) | 0];
    }
    [a, b, c, d] = [(a + a0) | 0, (b + b0) | 0, (c + c0) | 0, (d + d0) | 0];
  }
  return bytesOfWords([a, b, c, d], true);
}
