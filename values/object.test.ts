import fc from 'fast-check';
import { expect, test } from 'vitest';
import { values as arbitrary } from '../test/generators/values.js';
import { makeObject, sortedKeys } from './compare.js';
import { equal } from './equal.js';
import { keyText } from './hash.js';
import { toJson } from './json/json.js';
import { toPlain } from './json/plain-form.js';
import { RegoObject } from './object.js';
import { roughHash } from './rough-hash.js';
import type { Value } from './value.js';

const texts = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', '\u0000a', '__proto__', '1');
const entries = fc.array(fc.tuple(fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: arbitrary(1) }), arbitrary(1)), {
  maxLength: 14,
});

/** The entries of which no later one has an equal key, at the place of the first of these. */
function lastOf(given: readonly (readonly [Value, Value])[]): [Value, Value][] {
  const kept: [Value, Value][] = [];
  for (const [key, value] of given) {
    const known = kept.find(([other]) => equal(other, key));
    if (known === undefined) kept.push([key, value]);
    else known[1] = value;
  }
  return kept;
}

test('an object has the last value of each key, whatever keys it got before', () => {
  fc.assert(
    fc.property(entries, fc.array(texts), (given, others) => {
      const object = new RegoObject();
      for (const [i, [key, value]] of given.entries()) {
        expect(object.set(key, value).size).toBe(lastOf(given.slice(0, i + 1)).length);
        expect(sortedKeys(object)).toHaveLength(object.size);
      }
      const expected = lastOf(given);
      expect([...object.keys()]).toEqual(expected.map(([key]) => key));
      expect([...object.entries()]).toEqual(expected);
      expect([...object.values()]).toEqual(expected.map(([, value]) => value));
      for (const [key, value] of expected) expect(object.get(key)).toBe(value);
      for (const key of others) expect(object.get(key) === undefined).toBe(!expected.some(([known]) => known === key));
    }),
  );
});

test('objects of the same entries are equal, in any order and of any class', () => {
  fc.assert(
    fc.property(entries, (given) => {
      const expected = lastOf(given);
      const object = new RegoObject(given);
      for (const other of [new RegoObject(expected.toReversed()), makeObject(expected)]) {
        expect(equal(object, other) && equal(other, object)).toBe(true);
        expect(keyText(object)).toBe(keyText(other));
        expect(roughHash(object, 3)).toBe(roughHash(other, 3));
        expect(toJson(object)).toBe(toJson(other));
        expect(toPlain(object)).toEqual(toPlain(other));
      }
      if (expected.length > 0) expect(equal(object, new RegoObject(expected.slice(1)))).toBe(false);
    }),
  );
});
