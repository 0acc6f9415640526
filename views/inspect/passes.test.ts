import { expect, test } from 'vitest';
import { optimize, optimizations as table } from '../../compiler/optimize/pipeline.js';
import { randomPlans } from '../../test/generators/plans/random-plans.js';
import { fixturePlans } from '../../test/harness/plan-files.js';
import { diffPlans } from './diff/plan-diff.js';
import { explainPasses, passesText } from './passes.js';

test('each pass that is told changed something, each goes on where the last one ended, and the last is the plan', () => {
  const told = new Set<string>();
  for (const policy of [...randomPlans(25), ...fixturePlans().map((one) => one.policy)]) {
    const passes = explainPasses(policy, 2);
    let last = policy;
    for (const { name, does, diff, before, after } of passes) {
      told.add(name);
      expect(does).not.toBe('');
      expect(diffPlans(last, before).changes).toEqual([]);
      const hasOtherSize = Object.values(diff.sizes).some(([a, b]) => a !== b);
      expect(diff.changes.length > 0 || hasOtherSize).toBe(true);
      last = after;
    }
    expect(diffPlans(last, optimize(policy, 2)).changes).toEqual([]);
    expect(
      passesText(passes)
        .split('\n')
        .filter((line) => /^\S/.test(line)),
    ).toHaveLength(passes.length);
  }
  expect([...told].sort()).toEqual(
    table
      .map(({ name }) => name)
      .filter((name) => told.has(name))
      .sort(),
  );
  expect(told.size).toBeGreaterThan(8);
});
