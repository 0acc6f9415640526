/** Random policies, the same in each run. `npm run -s fuzz -- --minutes N` runs others for long. */
import { expect, test } from 'vitest';
import { conformanceFolder } from '../conformance/cases.js';
import { Choices } from '../generators/choices.js';
import { loopCase } from '../generators/loop-case.js';
import { patchCase } from '../generators/patch-case.js';
import { randomCase } from '../generators/random-case.js';
import { setLoopCase } from '../generators/set-loop-case.js';
import { walkCase } from '../generators/walk-case.js';
import { randomCases } from '../harness/set-up/random-cases.js';
import { show } from './answers.js';
import { changesFailure } from './changes.js';
import { Counts, differencesOf, ways } from './compare.js';
import { conflictsFailure } from './data-conflicts.js';
import { mutatedCase } from './mutated-cases.js';
import { ownershipFailure } from './ownership/sequences.js';
import { showCase } from './policy-case.js';

const policies = randomCases(20);

test('all ways to decide give the same answers', { timeout: 600_000 }, async () => {
  const counts = new Counts();
  const found: string[] = [];
  for (let seed = 1; seed <= policies; seed++) {
    const given = randomCase(seed)!;
    const choices = new Choices(seed);
    // Each way a few times: each third policy.
    const chosen = ways.filter(({ share }, i) => share > 50 || (seed + i) % 3 === 0);
    for (const { way, given: part, answer, wanted } of await differencesOf(given, chosen, (limit) => choices.below(limit), counts)) {
      found.push(`${way.name}: ${show(answer)}\nvm: ${show(wanted)}\n${showCase(part)}`);
    }
  }
  expect(found.join('\n\n')).toBe('');
  expect(counts.policies).toBe(policies);
  // Most of the questions must be about something.
  const { defined, undefined: without, errors } = counts.outcomes;
  expect(defined).toBeGreaterThan(without + errors);
  expect([...counts.evaluations.keys()].sort()).toEqual(['vm', ...ways.map(({ name }) => name)].sort());
});

test.each([
  ['loops with rounds of the same values', loopCase],
  ['loops over sets', setLoopCase],
  ['walks, and objects of entries', walkCase],
  ['operations of patches', patchCase],
])('all ways agree about %s', { timeout: 600_000 }, async (_title, make) => {
  const counts = new Counts();
  for (let seed = 1; seed <= 12; seed++) {
    const choices = new Choices(seed);
    const chosen = ways.filter(({ share }) => share === 100 || choices.chance(share / 4));
    const found = await differencesOf(make(seed), chosen, (limit) => choices.below(limit), counts);
    expect(found.map(({ way, given, answer, wanted }) => `${way.name}: ${show(answer)}\nvm: ${show(wanted)}\n${showCase(given)}`)).toEqual(
      [],
    );
  }
  expect(counts.policies).toBeGreaterThan(8);
  expect(counts.outcomes.defined).toBeGreaterThan(20);
});

test('an engine decides after changes as a new one does', { timeout: 600_000 }, async () => {
  let evaluations = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const found = await changesFailure(seed);
    expect(found.text).toBe(undefined);
    evaluations += found.evaluations;
  }
  expect(evaluations).toBeGreaterThan(100);
});

test('rules in the place of documents are refused everywhere', { timeout: 600_000 }, async () => {
  for (let seed = 1; seed <= randomCases(30); seed++) expect((await conflictsFailure(seed)).text).toBe(undefined);
});

test('a server has what the model of ownership has', { timeout: 600_000 }, async () => {
  for (let seed = 1; seed <= randomCases(60); seed++) expect((await ownershipFailure(seed)).text).toBe(undefined);
});

test.skipIf(conformanceFolder() === undefined)('modules with small changes are decided alike', { timeout: 600_000 }, async () => {
  const counts = new Counts();
  for (let seed = 1; seed <= 15; seed++) {
    const given = mutatedCase(seed);
    const choices = new Choices(seed);
    const chosen = ways.filter(({ share }) => choices.chance(share));
    const found = given && (await differencesOf(given, chosen, (limit) => choices.below(limit), counts));
    expect(found?.map(({ way, given: part, answer }) => `${way.name}: ${show(answer)}\n${showCase(part)}`) ?? []).toEqual([]);
  }
  expect(counts.policies).toBeGreaterThan(7);
});
