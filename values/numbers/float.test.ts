import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberTexts } from '../../test/generators/values.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { absolute, add, ceiling, divide, floor, multiply, negate, round, subtract, sumAll } from './float.js';
import {
  compareNumbers,
  integerOf,
  NumberRangeError,
  type NumberValue,
  numberFromInteger,
  numberFromText,
  numberText,
  parseNumber,
  safeIntegerOf,
} from './number.js';
import { bitLength } from './shortest.js';

const of = (text: string) => numberFromText(text);
const operations: { readonly [name: string]: (a: NumberValue, b: NumberValue) => NumberValue } = {
  '+': add,
  '-': subtract,
  '*': multiply,
  '/': divide,
};

test.each([
  ['0.1 + 0.2', '0.3'],
  ['1 / 3', '0.33333333333333333334'],
  ['2 / 3', '0.6666666666666666667'],
  ['1.1 * 1.1', '1.21'],
  ['10 / 2', '5'],
  ['1.0 + 1', '2'],
  ['1.50 + 1.50', '3'],
  ['12345678901234567890 + 1', '12345678901234567891'],
  ['99999999999999999999 * 99999999999999999999', '9999999999999999999800000000000000000001'],
  ['9007199254740991 + 1', '9007199254740992'],
  ['9007199254740993 - 1', '9007199254740992'],
  ['-1 * 0', '0'],
  ['0.5 - 0.5', '0'],
  ['1e400 + 1', `1${'0'.repeat(399)}1`],
  ['0.00001 + 0', '1e-05'],
  ['0.0001 + 0.0', '0.0001'],
  ['1234567.5 + 0', '1.2345675e+06'],
  ['123456.5 + 0', '123456.5'],
  ['1e-400 * 1', '1e-400'],
  ['7 / 0.5', '14'],
])('%s is %s', (text, wanted) => {
  const [a, operator, b] = text.split(' ') as [string, string, string];
  expect(numberText(operations[operator]!(of(a), of(b)))).toBe(wanted);
});

/** A slow check of its own: fractions of whole numbers. */
interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

function fractionOf(n: NumberValue): Fraction {
  const [, minus, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(numberText(n))!;
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(whole! + fraction) * (minus === '-' ? -1n : 1n);
  return power >= 0 ? { top: digits * 10n ** BigInt(power), bottom: 1n } : { top: digits, bottom: 10n ** BigInt(-power) };
}

const exactly: { readonly [name: string]: (a: Fraction, b: Fraction) => Fraction } = {
  '+': (a, b) => ({ top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }),
  '-': (a, b) => ({ top: a.top * b.bottom - b.top * a.bottom, bottom: a.bottom * b.bottom }),
  '*': (a, b) => ({ top: a.top * b.top, bottom: a.bottom * b.bottom }),
  '/': (a, b) => (b.top < 0n ? { top: -a.top * b.bottom, bottom: a.bottom * -b.top } : { top: a.top * b.bottom, bottom: a.bottom * b.top }),
};

const size = (n: bigint) => (n < 0n ? -n : n);

/** Whether two fractions differ by no more than so many units in the 64th bit of `scale`. */
function near(a: Fraction, b: Fraction, scale: Fraction, units: bigint): boolean {
  const difference = size(a.top * b.bottom - b.top * a.bottom) * scale.bottom;
  return difference << 63n <= units * size(scale.top) * a.bottom * b.bottom;
}

const moderate = numberTexts.filter((text) => !/e[+-]?\d{3}/i.test(text)).map(of);

describe('arithmetic', () => {
  test.each(Object.keys(operations))('%s of whole numbers is exact, of others within the last of 64 bits', (operator) => {
    fc.assert(
      fc.property(moderate, moderate, (a, b) => {
        const [x, y] = [fractionOf(a), fractionOf(b)];
        if (operator === '/' && y.top === 0n) return;
        const wanted = exactly[operator]!(x, y);
        const got = fractionOf(operations[operator]!(a, b));
        if (operator !== '/' && integerOf(a) !== undefined && integerOf(b) !== undefined) {
          expect(got.top * wanted.bottom).toBe(wanted.top * got.bottom);
          return;
        }
        // Operands are rounded to 64 bits each, then the result is: sums lose by the size of the
        // larger operand.
        const larger = near(x, { top: 0n, bottom: 1n }, y, 1n << 63n) ? y : x;
        const scale = operator === '+' || operator === '-' ? larger : wanted;
        expect(near(got, wanted, scale.top === 0n ? wanted : scale, 6n), `${numberText(a)} ${operator} ${numberText(b)}`).toBe(true);
      }),
      { numRuns: randomCases(400) },
    );
  });

  test('a result is a fixed point: to add nothing changes no digit', () => {
    fc.assert(
      fc.property(moderate, moderate, (a, b) => {
        const once = add(a, b);
        expect(numberText(add(once, 0))).toBe(numberText(once));
        expect(numberText(negate(negate(once)))).toBe(numberText(once));
      }),
      { numRuns: randomCases(300) },
    );
  });

  test('order agrees with that of fractions', () => {
    fc.assert(
      fc.property(moderate, moderate, (a, b) => {
        const [x, y] = [fractionOf(a), fractionOf(b)];
        const difference = x.top * y.bottom - y.top * x.bottom;
        expect(Math.sign(compareNumbers(a, b))).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0);
      }),
      { numRuns: randomCases(400) },
    );
  });

  test('numbers of one double are ordered by their digits, also those made from integers', () => {
    const [low, high] = [numberFromInteger(1736589600000000000n), numberFromInteger(1736589600000000001n)];
    expect(compareNumbers(low, high)).toBeLessThan(0);
    expect(compareNumbers(of('1736589600000000001'), low)).toBeGreaterThan(0);
    expect(compareNumbers(1736589600000000000, low)).toBe(0);
    expect(compareNumbers(of('1.0'), 1)).toBe(0);
    expect(compareNumbers(of('1e400'), of('-1e400'))).toBeGreaterThan(0);
    expect(compareNumbers(of('1'.repeat(300)), of(`${'1'.repeat(299)}2`))).toBeLessThan(0);
  });

  test('numbers whose exponent would take gigabytes are an error, at once', () => {
    for (const operate of Object.values(operations)) expect(() => operate(of('1e999999999'), of('1.5'))).toThrow(NumberRangeError);
    expect(() => integerOf(of('1e999999999'))).toThrow(NumberRangeError);
    expect(safeIntegerOf(of('1e999999999'))).toBeUndefined();
    expect(compareNumbers(of('1e999999999'), of('1e999999998'))).toBeGreaterThan(0);
  });
});

test.each([
  ['1.5', '2', '2', '1'],
  ['-1.5', '-2', '-1', '-2'],
  ['2.5', '3', '3', '2'],
  ['0.4', '0', '1', '0'],
  ['-7', '-7', '-7', '-7'],
  ['12345678901234567890', '12345678901234567890', '12345678901234567890', '12345678901234567890'],
])('%s rounds to %s, up to %s, down to %s', (text, nearest, up, down) => {
  expect([round, ceiling, floor].map((to) => numberText(to(of(text))))).toEqual([nearest, up, down]);
});

test('a sum of many is added from left to right', () => {
  expect(numberText(sumAll([of('0.1'), of('0.2'), of('0.3')]))).toBe('0.6');
  expect(numberText(sumAll([]))).toBe('0');
  expect(numberText(absolute(of('-1.10')))).toBe('1.1');
});

test.each(['', '1.', '.1', '01', '+1', '1e', '0x1', 'Infinity', ' 1', '1_000'])('%j is no number literal', (text) => {
  expect(parseNumber(text)).toBeUndefined();
});

test('bits of integers are counted beside powers of two, and beyond doubles', () => {
  expect(bitLength(0n)).toBe(0);
  for (let i = 0; i < 1100; i++)
    for (const near of [-1n, 0n, 1n]) {
      const n = (1n << BigInt(i)) + near;
      if (n > 0n) expect(bitLength(n)).toBe(n.toString(2).length);
    }
});
