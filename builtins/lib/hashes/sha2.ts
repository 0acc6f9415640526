/** SHA-224, SHA-256, SHA-384 and SHA-512 (FIPS 180-4). */
import { bytesOfWords, padded } from './padding.js';

const primes = firstPrimes(80);
/** 64 bits of the fractional parts of roots; 32-bit hashes use the upper halves. */
const cubeRoots = primes.map((prime) => fractionOfRoot(prime, 3n));
const squareRoots = primes.slice(0, 16).map((prime) => fractionOfRoot(prime, 2n));

function firstPrimes(count: number): bigint[] {
  const found: bigint[] = [];
  for (let n = 2n; found.length < count; n++) if (found.every((prime) => n % prime !== 0n)) found.push(n);
  return found;
}

function fractionOfRoot(prime: bigint, degree: bigint): bigint {
  // The root of prime × 2^(64 × degree), bit by bit: roots of these primes are below 2^5.
  const scaled = prime << (64n * degree);
  let root = 0n;
  for (let bit = 1n << 69n; bit > 0n; bit >>= 1n) if ((root | bit) ** degree <= scaled) root |= bit;
  return BigInt.asUintN(64, root);
}

const upper = (value: bigint): number => Number(value >> 32n) | 0;
const lower = (value: bigint): number => Number(BigInt.asIntN(32, value));

const constants32 = Int32Array.from(cubeRoots.slice(0, 64), upper);

export function sha256(message: Uint8Array): Uint8Array {
  return bytesOfWords(digest32(message, squareRoots.slice(0, 8).map(upper)), false);
}

export function sha224(message: Uint8Array): Uint8Array {
  return bytesOfWords(digest32(message, squareRoots.slice(8).map(lower)).slice(0, 7), false);
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

function digest32(message: Uint8Array, initial: readonly number[]): number[] {
  const view = padded(message, 64, 8, false);
  const w = new Int32Array(64);
  let state = [...initial];
  for (let at = 0; at < view.byteLength; at += 64) {
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const [x, y] = [w[i - 15]!, w[i - 2]!];
      const mixed0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const mixed1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[i] = i < 16 ? view.getInt32(at + i * 4) : w[i - 16]! + mixed0 + w[i - 7]! + mixed1;
      const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t = (h + sum1 + ((e & f) ^ (~e & g)) + constants32[i]! + w[i]!) | 0;
      const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t) | 0, c, b, a, (t + sum0 + ((a & b) ^ (a & c) ^ (b & c))) | 0];
    }
    state = [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]!) | 0);
  }
  return state;
}

export function sha512(message: Uint8Array): Uint8Array {
  return digest64(message, squareRoots.slice(0, 8));
}

export function sha384(message: Uint8Array): Uint8Array {
  return digest64(message, squareRoots.slice(8)).slice(0, 48);
}

const rotate64 = (word: bigint, bits: bigint): bigint => (word >> bits) | (word << (64n - bits));

function digest64(message: Uint8Array, initial: readonly bigint[]): Uint8Array {
  const view = padded(message, 128, 16, false);
  const w = new BigUint64Array(80);
  let state = BigUint64Array.from(initial);
  for (let at = 0; at < view.byteLength; at += 128) {
    const s = state.slice();
    for (let i = 0; i < 80; i++) {
      if (i < 16) w[i] = view.getBigUint64(at + i * 8);
      else {
        const [x, y] = [w[i - 15]!, w[i - 2]!];
        const mixed0 = rotate64(x, 1n) ^ rotate64(x, 8n) ^ (x >> 7n);
        const mixed1 = rotate64(y, 19n) ^ rotate64(y, 61n) ^ (y >> 6n);
        w[i] = w[i - 16]! + BigInt.asUintN(64, mixed0) + w[i - 7]! + BigInt.asUintN(64, mixed1);
      }
      const [a, b, c, , e, f, g, h] = s as unknown as bigint[] as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
      const sum1 = BigInt.asUintN(64, rotate64(e, 14n) ^ rotate64(e, 18n) ^ rotate64(e, 41n));
      const t = h + sum1 + ((e & f) ^ (~e & g)) + cubeRoots[i]! + w[i]!;
      const sum0 = BigInt.asUintN(64, rotate64(a, 28n) ^ rotate64(a, 34n) ^ rotate64(a, 39n));
      s.copyWithin(1, 0, 7);
      s[4] = s[4]! + t;
      s[0] = t + sum0 + ((a & b) ^ (a & c) ^ (b & c));
    }
    state = state.map((word, i) => word + s[i]!);
  }
  const bytes = new DataView(new ArrayBuffer(64));
  state.forEach((word, i) => {
    bytes.setBigUint64(i * 8, word);
  });
  return new Uint8Array(bytes.buffer);
}
