import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../../../test/harness/set-up/random-cases.js';
import { equal } from '../../../equal.js';
import { ExactNumber } from '../../../numbers/number.js';
import { parseBytes } from './units.js';

const units = fc
  .tuple(fc.constantFrom('', ...'kKmMgGtTpPeE'), fc.constantFrom('', 'i', 'I'), fc.constantFrom('', 'b', 'B'))
  .map(([letter, binary, bytes]) => (letter === '' ? '' : letter + binary + bytes));

const amounts = fc.oneof(
  fc.nat(5000).map(String),
  fc.bigInt({ min: 0n, max: 10n ** 17n }).map(String),
  fc.constantFrom('0', '00', '007', '9007199254740991', '9007199254740992', '999999999999999'),
);

test('a whole number of bytes is that of the same number with a fraction of zero', () => {
  fc.assert(
    fc.property(amounts, units, (amount, unit) => {
      expect(equal(parseBytes(amount + unit), parseBytes(`${amount}.0${unit}`))).toBe(true);
    }),
    { numRuns: randomCases(2000) },
  );
});

test('a product beyond safe integers is exact', () => {
  expect(equal(parseBytes('9007199254740993'), new ExactNumber('9007199254740993'))).toBe(true);
  expect(equal(parseBytes('8191Pi'), new ExactNumber(String(8191n * 1024n ** 5n)))).toBe(true);
});

test.each(['b', '10b', '10i', 'Mi', '', ' 10', '10 Mi', '10Mib1', '１０'])('%j is no number of bytes', (text) => {
  expect(() => parseBytes(text)).toThrow('units.parse_bytes');
});

test('quotes are no part of an amount', () => {
  expect(parseBytes('"10Mi"')).toBe(10 * 1024 ** 2);
  expect(parseBytes('10"Ki"')).toBe(10 * 1024);
});
