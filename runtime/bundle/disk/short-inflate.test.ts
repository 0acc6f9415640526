import { constants, crc32, deflateRawSync, gzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inflateByZlib } from './gunzip.js';
import { checksumOf, inflateShort } from './short-inflate.js';

const limit = 1_000_000;

/** Bytes with repetitions, as texts have them. */
const content = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(30)), { maxLength: 20 })
  .map((parts) => Buffer.concat(parts.flatMap(([bytes, times]) => Array.from({ length: times }, () => bytes))));
const { Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants;
const options = fc.record({
  level: fc.constantFrom(0, 1, 6, 9),
  strategy: fc.constantFrom(Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE),
  memLevel: fc.constantFrom(1, 9),
});

describe('short archives are inflated as zlib does', () => {
  test('whatever the form of their blocks', () => {
    fc.assert(
      fc.property(content, options, fc.uint8Array({ maxLength: 4 }), (bytes, how, behind) => {
        const deflated = deflateRawSync(bytes, how);
        const inflated = inflateShort(Buffer.concat([deflated, behind]), limit);
        expect(inflated?.end).toBe(deflated.length);
        expect(bytes.equals(inflated!.content)).toBe(true);
        expect(checksumOf(inflated!.content)).toBe(crc32(bytes));
      }),
    );
  });

  test('and damaged ones are left to zlib', () => {
    fc.assert(
      fc.property(content, options, fc.nat(), fc.nat(255), fc.nat(), (bytes, how, place, byte, end) => {
        const damaged = deflateRawSync(bytes, how);
        damaged[place % damaged.length] = byte;
        const cut = damaged.subarray(0, 1 + (end % damaged.length));
        const inflated = inflateShort(cut, limit);
        if (inflated === undefined) return;
        expect(inflateRawSync(cut).equals(inflated.content)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('and those that become too long', async () => {
    expect(inflateShort(deflateRawSync(Buffer.alloc(400_000)), limit)).toBeUndefined();
    expect(inflateShort(deflateRawSync(Buffer.alloc(100)), 99)).toBeUndefined();
    expect(inflateShort(deflateRawSync(Buffer.alloc(100)), 100)?.content).toHaveLength(100);
    await expect(inflateByZlib(gzipSync(Buffer.alloc(100)), 99)).rejects.toThrow('exceeded max size (99 bytes)');
  });

  test('with the checks of a gzip, of several members', async () => {
    const [one, two] = [gzipSync('one'), gzipSync('two')];
    expect(String(await inflateByZlib(Buffer.concat([one, two]), limit))).toBe('onetwo');
    one[one.length - 5]! ^= 1;
    await expect(inflateByZlib(one, limit)).rejects.toThrow('gzip: invalid checksum');
    await expect(inflateByZlib(two.subarray(0, -3), limit)).rejects.toThrow('unexpected EOF');
  });
});
