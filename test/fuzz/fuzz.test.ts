/** Random policies, the same in each run. `npm run -s fuzz -- --minutes N` runs others for long. */
import { expect, test } from 'vitest';
import { Choices } from '../generators/choices.js';
import { randomCase } from '../generators/random-case.js';
import { show } from './answers.js';
import { Counts, differencesOf, ways } from './compare.js';
import { showCase } from './policy-case.js';

const policies = 20;

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
