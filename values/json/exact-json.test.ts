import fc from 'fast-check';
import { expect, test } from 'vitest';
import { values } from '../../test/generators/values.js';
import { randomCases } from '../../test/harness/set-up/random-cases.js';
import { equal } from '../equal.js';
import { exactText, exactValue } from './exact-json.js';
import { toJson } from './json.js';

test('a value comes back from its text as it was', () => {
  fc.assert(
    fc.property(values(), (value) => {
      const back = exactValue(exactText(value));
      expect(equal(back, value)).toBe(true);
      expect(toJson(back)).toBe(toJson(value));
    }),
    { numRuns: randomCases(500) },
  );
});
