import fc from 'fast-check';
import { expect, test } from 'vitest';
import { absolute, add, ceiling, divide, floor, multiply, round, subtract, sumAll } from './float.js';
import { ExactNumber, type NumberValue, numberFromText, numberText } from './number.js';

const decimal = fc
  .tuple(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.integer({ min: 0, max: 7 }))
  .map(([digits, places]) => String(digits / 10 ** places))
  .filter((text) => !text.includes('e'));

/** The same number in a form that only the long way takes. */
const long = (text: string) => new ExactNumber(text);

test.each<[string, (a: NumberValue, b: NumberValue) => NumberValue]>([
  ['add', add],
  ['subtract', subtract],
  ['multiply', multiply],
  ['divide', (a, b) => (numberText(b) === '0' ? 0 : divide(a, b))],
])('%s answers the same on the short way as on the long one', (_name, compute) => {
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const short = numberText(compute(numberFromText(a), numberFromText(b)));
      expect(short).toBe(numberText(compute(long(a), long(b))));
    }),
    { numRuns: 2000 },
  );
});

test.each<[string, (n: NumberValue) => NumberValue]>([
  ['absolute', absolute],
  ['round', round],
  ['ceiling', ceiling],
  ['floor', floor],
])('%s answers the same on the short way as on the long one', (_name, compute) => {
  fc.assert(
    fc.property(decimal, (a) => {
      expect(numberText(compute(numberFromText(a)))).toBe(numberText(compute(long(a))));
    }),
    { numRuns: 2000 },
  );
});

test('sums answer the same on the short way as on the long one', () => {
  fc.assert(
    fc.property(fc.array(decimal, { maxLength: 20 }), (texts) => {
      expect(numberText(sumAll(texts.map(numberFromText)))).toBe(numberText(sumAll(texts.map(long))));
    }),
    { numRuns: 2000 },
  );
});
