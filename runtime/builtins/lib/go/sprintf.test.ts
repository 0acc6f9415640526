import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sprintf } from './sprintf.js';

test.each([
  ['%04d-%02d-%02d', [2025, 1, 11], '2025-01-11'],
  ['%04d', [-5], '-005'],
  ['%02d', [-5], '-5'],
  ['%02d|%s', [12345, 'a'], '12345|a'],
  ['%03d', ['a'], '%!d(string=00a)'],
  ['%03d', [1.5], '%!d(float64=1.5)'],
  ['%03d', [], '%!d(MISSING)'],
  ['%03d%', [1], '001%!(NOVERB)'],
])('sprintf(%j, %j) is %j', (format, values, text) => expect(sprintf(format, values)).toBe(text));

// A width of two digits takes the long way.
test('zeros fill a number up to its width', () => {
  fc.assert(
    fc.property(fc.integer({ min: -2000, max: 2000 }), fc.integer({ min: 1, max: 9 }), (value, width) => {
      expect(sprintf(`%0${width}d`, [value])).toBe(sprintf(`%0${width}d%0010d`, [value, 0]).slice(0, -10));
    }),
  );
});
