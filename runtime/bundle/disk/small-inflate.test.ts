import { constants, deflateRawSync, crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32, inflateSmall } from './small-inflate.js';

/** Bytes that repeat, as texts do, so that all kinds of codes occur. */
const contents = fc.oneof(
  fc.uint8Array({ maxLength: 3000 }),
  fc
    .tuple(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(5), { maxLength: 400 }),
    )
    .map(([parts, order]) => Uint8Array.from(order.flatMap((i) => [...parts[i % parts.length]!]))),
);

const options = fc.record({
  level: fc.integer({ min: 0, max: 9 }),
  strategy: fc.constantFrom(constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY, constants.Z_RLE),
  memLevel: fc.integer({ min: 1, max: 9 }),
});

test('what zlib deflates is inflated, and its end and checksum are found', () => {
  fc.assert(
    fc.property(contents, options, fc.uint8Array({ maxLength: 9 }), (content, how, behind) => {
      const deflated = deflateRawSync(content, how);
      const inflated = inflateSmall(Buffer.concat([deflated, behind]), content.length)!;
      expect(Buffer.from(inflated.content).equals(content)).toBe(true);
      expect(inflated.end).toBe(deflated.length);
      expect(crc32(content)).toBe(zlibCrc32(content));
    }),
  );
});

test('bytes that are cut off or have another size are not inflated', () => {
  fc.assert(
    fc.property(contents, options, fc.nat(), (content, how, cut) => {
      const deflated = deflateRawSync(content, how);
      expect(inflateSmall(deflated.subarray(0, cut % deflated.length), content.length)).toBeUndefined();
      expect(inflateSmall(deflated, content.length + 1)).toBeUndefined();
      if (content.length > 0) expect(inflateSmall(deflated, content.length - 1)).toBeUndefined();
    }),
  );
});

test('damaged bytes end in a content of the size or in none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(3000), (bytes, size) => {
      const inflated = inflateSmall(bytes, size);
      expect(inflated === undefined || inflated.content.length === size).toBe(true);
    }),
  );
});
