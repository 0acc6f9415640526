import { expect, test } from 'vitest';
import { ByteChunks } from './byte-chunks.js';

const written = (chunks: ByteChunks) => Buffer.concat(chunks.parts()).toString();

test('texts and bytes are joined in their order, whatever their length', () => {
  const chunks = new ByteChunks();
  const texts = ['a', 'é', '€', '🂡', 'x'.repeat(100), 'ü'.repeat(300), 'y'.repeat(70_000), 'z'.repeat(3_000_000), 'end'];
  let length = 0;
  for (const text of texts) {
    chunks.text(text);
    chunks.bytes(Buffer.from(text));
    length += 2 * Buffer.byteLength(text);
    expect(chunks.length).toBe(length);
  }
  expect(written(chunks)).toBe(texts.map((text) => text + text).join(''));
});

test('bytes that were written can be written again, unless they are in several chunks', () => {
  const chunks = new ByteChunks();
  chunks.text('-');
  const start = chunks.length;
  chunks.text('abc');
  const again = chunks.since(start)!;
  chunks.bytes(again);
  chunks.text('x'.repeat(100_000));
  expect(chunks.since(start)).toBeUndefined();
  chunks.bytes(again);
  expect(written(chunks)).toBe(`-abcabc${'x'.repeat(100_000)}abc`);
});

test('memory is asked for before it is taken', () => {
  let taken = 0;
  const take = (bytes: number) => {
    taken += bytes;
    if (taken > 1_000_000) throw new Error('no more memory');
  };
  const chunks = new ByteChunks(take);
  chunks.text('x'.repeat(500_000));
  expect(taken).toBeGreaterThanOrEqual(500_000);
  expect(() => chunks.text('x'.repeat(2_000_000))).toThrow('no more memory');
});

test.each([0, 1, 50_000, 65_536, 70_000, 300_000, 2_500_000])('after %d bytes others may follow instead', (length) => {
  const text = Array.from({ length: 300_000 }, (_, i) => String.fromCharCode(97 + (i % 26))).join('');
  const chunks = new ByteChunks();
  for (let i = 0; i < 9; i++) chunks.text(text);
  chunks.cutTo(length);
  expect(chunks.length).toBe(length);
  chunks.text('-'.repeat(100_000));
  expect(written(chunks)).toBe(`${text.repeat(9).slice(0, length)}${'-'.repeat(100_000)}`);
});
