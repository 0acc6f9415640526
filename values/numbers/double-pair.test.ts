import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberTexts } from '../../test/generators/values.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { align, type Float, quotient, roundFloat, toFloat, toNumber } from './big-float.js';
import { absolute, add, ceiling, divide, floor, multiply, multiplyAll, round, subtract, sumAll } from './float.js';
import { compareNumbers, ExactNumber, integerOf, type NumberValue, numberFromText, numberText } from './number.js';

const numRuns = randomCases(3000);

const sign = fc.constantFrom('', '', '-');

/** Decimals of so many digits, with up to so many places. */
function decimals(maxDigits: number, maxPlaces: number): fc.Arbitrary<NumberValue> {
  return fc
    .tuple(
      sign,
      fc.bigInt({ min: 0n, max: 10n ** BigInt(maxDigits) }),
      fc.integer({ min: 0, max: maxDigits }),
      fc.integer({ min: 0, max: maxPlaces }),
    )
    .map(([minus, digits, cut, places]) => {
      const text = String(digits / 10n ** BigInt(cut)).padStart(places + 1, '0');
      const point = text.length - places;
      return numberFromText(`${minus}${text.slice(0, point)}${places === 0 ? '' : '.'}${text.slice(point)}`);
    });
}

/** Halves, quarters and so on: sums and products of these are ties. */
const dyadic = fc
  .tuple(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.integer({ min: 0, max: 40 }))
  .map(([n, bits]) => numberFromText(String(n / 2 ** bits)))
  .filter((n) => typeof n === 'number');

const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => numberFromText(String(x)));

const simple = fc.oneof(
  { weight: 6, arbitrary: decimals(6, 3) },
  { weight: 3, arbitrary: decimals(16, 12) },
  { weight: 1, arbitrary: decimals(22, 30) },
  { weight: 2, arbitrary: dyadic },
  { weight: 1, arbitrary: fc.double({ min: -1000, max: 1000, noNaN: true }).map((x) => numberFromText(String(x))) },
  { weight: 1, arbitrary: double },
  { weight: 1, arbitrary: numberTexts.filter((text) => !/e[+-]?\d{3}/i.test(text)).map(numberFromText) },
  { weight: 1, arbitrary: fc.constantFrom<NumberValue>(0, -0, 1, -1, 1e15, 2 ** 53 - 1, 2 ** 53, 1e21, 1e-7, 1e-10, 0.5) },
);

/** Results of arithmetic, which most operands are. */
const operand = fc.oneof(
  { weight: 2, arbitrary: simple },
  {
    weight: 1,
    arbitrary: fc.tuple(simple, simple).map(([a, b]) => (compareNumbers(b, 0) === 0 ? a : divide(a, b))),
  },
  { weight: 1, arbitrary: fc.tuple(simple, simple).map(([a, b]) => multiply(a, b)) },
);

/** A number as big integers see it: nothing of pairs is kept with it. */
const fresh = (n: NumberValue) => (typeof n === 'number' ? n : new ExactNumber(numberText(n)));

function slowSum(a: Float, b: Float): Float {
  const [m, n, exponent] = align(a, b);
  return roundFloat(m + n, exponent);
}

function slowProduct(a: Float, b: Float): Float {
  return roundFloat(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

const minus = ({ mantissa, exponent }: Float): Float => ({ mantissa: -mantissa, exponent });

type Operation = readonly [name: string, quick: (a: NumberValue, b: NumberValue) => NumberValue, slow: (a: Float, b: Float) => Float];

const operations: readonly Operation[] = [
  ['add', add, slowSum],
  ['subtract', subtract, (a, b) => slowSum(a, minus(b))],
  ['multiply', multiply, slowProduct],
  ['divide', divide, (a, b) => quotient(a.mantissa, b.mantissa, a.exponent - b.exponent)],
];

/** Equal digits, and both doubles or both exact numbers. */
function expectSame(got: NumberValue, wanted: NumberValue): void {
  expect(numberText(got)).toBe(numberText(wanted));
  expect(typeof got).toBe(typeof wanted);
}

describe('pairs of doubles answer as big integers do', () => {
  test.each(operations)('%s', (name, quick, slow) => {
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        const isExact = name !== 'divide' && integerOf(a) !== undefined && integerOf(b) !== undefined;
        if (isExact || (name === 'divide' && compareNumbers(b, 0) === 0)) return;
        expectSame(quick(a, b), toNumber(slow(toFloat(fresh(a)), toFloat(fresh(b)))));
      }),
      { numRuns },
    );
  });

  test('sums and products of many', () => {
    fc.assert(
      fc.property(fc.array(operand, { minLength: 1, maxLength: 12 }), (numbers) => {
        const floats = numbers.map((n) => toFloat(fresh(n)));
        expectSame(sumAll(numbers), toNumber(floats.reduce(slowSum, { mantissa: 0n, exponent: 0 })));
        expectSame(multiplyAll(numbers), toNumber(floats.reduce(slowProduct, { mantissa: 1n, exponent: 0 })));
      }),
      { numRuns },
    );
  });

  test.each([
    ['absolute', absolute],
    ['round', round],
    ['ceiling', ceiling],
    ['floor', floor],
  ] as const)('%s', (_name, compute) => {
    fc.assert(
      fc.property(operand, (n) => {
        // With a digit too many for pairs.
        const text = numberText(n);
        const long = /^-?\d+\.\d+$/.test(text) ? new ExactNumber(text + '0'.repeat(70)) : fresh(n);
        expect(numberText(compute(n))).toBe(numberText(compute(long)));
      }),
      { numRuns },
    );
  });

  test('comparison', () => {
    fc.assert(
      fc.property(operand, operand, (a, b) => {
        const nearly = numberFromText(numberText(a));
        expect(compareNumbers(a, nearly)).toBe(0);
        const [x, y] = [new ExactNumber(`${numberText(a)}`), new ExactNumber(`${numberText(b)}`)];
        expect(Math.sign(compareNumbers(a, b))).toBe(Math.sign(compareNumbers(x, y)));
      }),
      { numRuns },
    );
  });
});
