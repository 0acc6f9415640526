import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CacheSet } from '../../values/builtins/cache.js';
import { numberFromText } from '../../values/numbers/number.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import { Evaluation } from '../evaluation/evaluation.js';
import { minRounds, newRounds, repeatsRound } from './distinct-rounds.js';

const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() };
const paths = [['a'], ['b']];

/** Which rounds of a loop over the elements repeat an earlier one. */
function repeated(elements: readonly Value[], count: number): readonly boolean[] {
  const compared = paths.slice(0, count);
  const rounds = newRounds(elements, compared, new Evaluation(context, {}, new AnswerRecord()));
  return elements.map((element) => repeatsRound(rounds, element, compared));
}

const scalars: readonly (Value | undefined)[] = ['x', 'y', 1, null, false];
const collections: readonly (Value | undefined)[] = [[1], { a: 1 }, new RegoSet([1])];
const others = [undefined, numberFromText('1.0'), ...collections];

const elementOf = (values: readonly (Value | undefined)[]) =>
  Object.fromEntries(values.flatMap((value, i) => (value === undefined ? [] : [[paths[i]![0]!, value]]))) as Value;

describe.each([1, 2])('rounds with %i values', (count) => {
  const rows = (values: readonly (Value | undefined)[], options: object) =>
    fc.array(fc.array(fc.constantFrom(...values), { minLength: count, maxLength: count }), options);

  test('repeat an earlier one with the same scalars', () => {
    fc.assert(
      fc.property(rows([...scalars, ...others], { minLength: minRounds, maxLength: 30 }), (values) => {
        const isSame = (row: readonly unknown[], other: readonly unknown[]) => row.every((value, i) => value === other[i]);
        const found = repeated(values.map(elementOf), count);
        // A collection before all else that is no scalar, in the first round, ends the comparison.
        const isCompared = !collections.includes(values[0]!.find((value) => !scalars.includes(value)));
        values.forEach((row, i) => {
          const isRepeated = row.every((value) => scalars.includes(value)) && values.slice(0, i).some((earlier) => isSame(earlier, row));
          expect(found[i]).toBe(isCompared && isRepeated);
        });
      }),
    );
  });

  test('all run after many that repeat none', () => {
    const elements = Array.from({ length: 60 }, (_, i) => elementOf([i % 40, 'x'].slice(0, count)));
    expect(repeated(elements, count)).not.toContain(true);
  });
});

test('rounds of a loop that runs often are no longer compared where they seldom repeat', () => {
  const evaluation = new Evaluation(context, {}, new AnswerRecord());
  const run = (elements: readonly Value[], loop: Value) => newRounds(elements, loop, evaluation);
  const distinct = Array.from({ length: minRounds }, (_, i) => elementOf([i]));
  const same = Array.from({ length: minRounds }, () => elementOf([1]));
  const [first, second] = [[['a']], [['a']]];
  for (let i = 0; i < 10; i++) {
    for (const [elements, loop] of [
      [distinct, first],
      [same, second],
    ] as const) {
      const rounds = run(elements, loop);
      if (rounds !== undefined) for (const element of elements) repeatsRound(rounds, element, loop);
    }
  }
  expect(run(distinct, first)).toBeUndefined();
  expect(run(distinct, second)).toBeDefined();
});
