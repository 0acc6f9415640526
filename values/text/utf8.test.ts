import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJson } from '../json/json.js';
import { decodeUtf8, encodeUtf8, fromBinary, textOfFile, toBinary } from './utf8.js';

test('any bytes come back as they were', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect([...encodeUtf8(decodeUtf8(bytes))]).toEqual([...bytes]);
    }),
  );
});

test('any text comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(fromBinary(toBinary(text))).toBe(text);
    }),
  );
});

test('a byte that is no UTF-8 is one character and shows as U+FFFD', () => {
  const text = decodeUtf8(Uint8Array.of(0x61, 0xe4, 0xb8, 0xff));
  expect([...text]).toHaveLength(4);
  expect(toJson(text)).toBe('"a\ufffd\ufffd\ufffd"');
});

test('half of a character at the end of UTF-16 is kept for readers to report', () => {
  expect(textOfFile(Uint8Array.of(0xff, 0xfe, 0x41, 0, 0x42))).toBe('A\udc42');
  expect(textOfFile(Uint8Array.of(0xfe, 0xff, 0, 0x41, 0x42))).toBe('A\udc42');
});
