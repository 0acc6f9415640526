import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberTexts } from '../../test/generators/values.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { add, divide, multiply, subtract } from '../../values/numbers/float.js';
import { compareNumbers, type NumberValue, numberFromText, numberText } from '../../values/numbers/number.js';
import { RegoSet } from '../../values/set.js';
import { quickResult } from './quick-arithmetic.js';

const decimal = fc
  .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([digits, places]) => digits / 10 ** places);

const quotient = fc.tuple(decimal, decimal).map(([a, b]) => (b === 0 ? a : divide(a, b)));

const any = numberTexts.filter((text) => !/e[+-]?\d{3}/i.test(text)).map(numberFromText);

const number = fc.oneof<fc.Arbitrary<NumberValue>[]>(decimal, quotient, any);

test.each([
  [0, add],
  [1, subtract],
  [2, multiply],
] as const)('operator %d of any numbers has the result of the built-in, or none', (operator, compute) => {
  fc.assert(
    fc.property(number, number, (a, b) => {
      const quick = quickResult(operator, a, b) as NumberValue | undefined;
      if (quick === undefined) return;
      const wanted = compute(a, b);
      expect(numberText(quick)).toBe(numberText(wanted));
      expect(typeof quick).toBe(typeof wanted);
      expect(compareNumbers(quick, wanted)).toBe(0);
    }),
    { numRuns: randomCases(1000) },
  );
});

test('other values are left to the built-in', () => {
  for (const operator of [0, 1, 2])
    for (const other of ['1', null, [1], new RegoSet([1]), undefined]) {
      expect(quickResult(operator, 0.5, other)).toBeUndefined();
      expect(quickResult(operator, other, 1)).toBeUndefined();
    }
});

test('usual fractions need no built-in', () => {
  expect(quickResult(0, 0.1, 0.2)).toBe(0.3);
  expect(quickResult(1, 0.75, 0.1)).toBe(0.65);
  expect(quickResult(2, 12.25, -0.5)).toBe(-6.125);
  expect(quickResult(2, 0, -0.5)).toBe(0);
});
