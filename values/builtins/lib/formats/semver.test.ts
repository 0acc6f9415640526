import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCases } from '../../../../test/harness/set-up/random-cases.js';
import { compareSemver, parseVersion } from './semver.js';

test.each([
  ['1.2.3', '1.2.3', 0],
  ['1.10.0', '1.9.0', 1],
  ['v1.2.3', '1.2.4', -1],
  ['0.0.0', '0.0.0-0', 1],
  ['1.2.3+007', '1.2.3', 0],
  ['1.2.3-0a', '1.2.3-00b', 1],
  ['1.2.3', '1.2.3-rc.1', 1],
  ['9223372036854775807.0.0', '1.0.0', 1],
  ['1.0.1000000000000000', '1.0.999999999999999', 1],
  ['1.2.3+b', '1.2.3', 0],
])('semver.compare(%j, %j) is %j', (a, b, order) => expect(compareSemver(a, b)).toBe(order));

test.each(['', 'v', '1.2', '1.2.', '.1.2', '1..2', '1.2.3.4', 'vv1.2.3', '1.2.x', '9223372036854775808.0.0'])('%j is no version', (text) =>
  expect(parseVersion(text)).toBeUndefined(),
);

test.each(['01.2.3', '1.00.3', '1.2.03', 'v01.2.3', '1.2.3-', '1.2.3+', '1.2.3-+a', '1.2.3-01', '1.2.3-a.00', '1.2.3-a..b', '1.2.3+a.'])(
  '%j has a leading zero or an empty part',
  (text) => expect(parseVersion(text)).toBeUndefined(),
);

// Metadata takes the long way.
test('plain versions are read as others', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^v?[0-9.]{1,12}$/), (text) => {
      const [plain, other] = [parseVersion(text), parseVersion(`${text}+m`)];
      expect(plain?.numbers.map(BigInt)).toEqual(other?.numbers.map(BigInt));
    }),
    { numRuns: randomCases(1000) },
  );
});
