import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNumber } from '../../../numbers/number.js';
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

// Digits alone are an integer; a point makes a float; what has an exponent and no point is a text.
test.each([
  ['%d', '1', '1'],
  ['%f', '1', '%!f(int64=1)'],
  ['%d', '-9223372036854775809', '-9223372036854775809'],
  ['%s', '9223372036854775808', '9223372036854775808'],
  ['%T', '9223372036854775808', '*big.Int'],
  ['%v', '-0', '0'],
  ['%d', '1.0', '%!d(float64=1)'],
  ['%v', '1.0', '1'],
  ['%.1f', '100.0', '100.0'],
  ['%f', '0.0', '0.000000'],
  ['%3.1f', '10.2', '10.2'],
  ['%e', '1.5', '1.500000e+00'],
  ['%v', '5.3E1', '53'],
  ['%d', '5.3E1', '%!d(float64=53)'],
  ['%v', '1.0e20', '1e+20'],
  ['%v', '1.0e21', '1e+21'],
  ['%g', '1.5e-7', '1.5e-07'],
  ['%s', '1.5', '%!s(float64=1.5)'],
  ['%v', '1.5e400', '1.5e400'],
  ['%f', '1.5e400', '%!f(string=1.5e400)'],
  ['%f', '-5E2', '%!f(string=-5E2)'],
  ['%e', '1e3', '%!e(string=1e3)'],
  ['%g', '1e-7', '%!g(string=1e-7)'],
  ['%d', '1e20', '%!d(string=1e20)'],
  ['%v', '1e20', '1e20'],
  ['%s', '1e100', '1e100'],
  ['%q', '1e+2', '"1e+2"'],
  ['%5s|', '1E2', '  1E2|'],
  ['%T', '1e400', 'string'],
])('sprintf(%j, [%s]) is %j', (format, literal, text) => expect(sprintf(format, [parseNumber(literal)!])).toBe(text));
