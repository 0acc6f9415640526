/**
 * Random policies, compiled from source: the VM and generated code decide as a walk over the plan
 * does, again and again on the same data, with other inputs and after a change of data.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLongSearch, randomCases } from '../../harness/set-up/random-cases.js';
import { randomCase } from '../random-case.js';
import { setPolicies, shapedPolicies } from './shaped-policy.js';
import { type Counts, differenceOf, noCounts } from './ways.js';

/** Each language feature in any combination. */
const generalPolicies = (counts: Counts) =>
  fc.asyncProperty(fc.integer(), fc.boolean(), async (seed, isStrict) => {
    const policy = randomCase(seed);
    if (policy === undefined) return;
    const { data, inputs, paths } = policy;
    const texts = [...policy.modules.values()];
    const queries = paths.slice(0, 2).map((path) => `result = data.${path.join('.')}`);
    const documents = inputs.map((input) => ({ input, data }));
    expect(await differenceOf({ texts, queries }, documents, isStrict, counts)).toBe(undefined);
  });

async function expectNoDifference<T>(property: (counts: Counts) => fc.IAsyncProperty<T>, runs: number): Promise<void> {
  const counts = noCounts();
  await fc.assert(property(counts), {
    numRuns: randomCases(runs),
    endOnFailure: !isLongSearch,
  });
  if (isLongSearch) console.log(JSON.stringify(counts));
  expect(counts.compiled).toBeGreaterThan(counts.refused);
  expect(counts.missedErrors).toBeLessThan(1 + counts.errors / 100);
}

test('policies over documents of one shape', () => expectNoDifference(shapedPolicies, 150));

test('policies of a rule that uses sets of others', () => expectNoDifference(setPolicies, 200));

test('policies with all of the language', () => expectNoDifference(generalPolicies, 100));
