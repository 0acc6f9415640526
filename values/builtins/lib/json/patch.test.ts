import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectBoundedWork } from '../../../../test/harness/cpu-time.js';
import { randomCases } from '../../../../test/harness/set-up/random-cases.js';
import type { Value } from '../../../value.js';
import { BuiltinError } from '../../builtin-errors.js';
import { patch } from './patch.js';

const path = fc.array(fc.constantFrom('a', 'b', '0', '1', '-'), { maxLength: 3 }).map((keys) => keys.map((key) => `/${key}`).join(''));
const value = fc.constantFrom<Value>(1, [1, 2], { a: [1], b: { a: 2 } });
const operation = fc.record({ op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy'), path, from: path, value });

/** The patched document, or the error. */
function patched(document: Value, operations: readonly Value[]): Value | undefined {
  try {
    return patch(document, operations);
  } catch (error) {
    if (!(error instanceof BuiltinError)) throw error;
    return error.message;
  }
}

test('operations together end as one after the other, and change no operand', () => {
  const given = { a: [{ a: 1 }, { a: [2] }], b: { a: { b: 1 }, b: [1] } };
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 6 }), (operations) => {
      const before = JSON.stringify([given, operations]);
      // Those that fail are left out.
      let last: Value | undefined = given;
      const good: Value[] = [];
      for (const each of operations) {
        const next: Value | undefined = last === undefined ? 'gone' : patched(last, [each]);
        if (typeof next === 'string') continue;
        last = next;
        good.push(each);
      }
      expect(patched(given, good)).toEqual(last);
      expect(JSON.stringify([given, operations])).toBe(before);
    }),
    { numRuns: randomCases(2000) },
  );
});

test.each(['copy', 'move', 'replace'])('many %s operations copy a large array once', async (op) => {
  const document = Array.from({ length: 200_000 }, (_, i) => ({ a: i }));
  const operations = Array.from({ length: 50_000 }, (_, i) => ({
    op,
    from: `/${i}/a`,
    path: `/${i}/${op === 'replace' ? 'a' : 'b'}`,
    value: 1,
  }));
  await expectBoundedWork(async () => void patch(document, operations));
});
