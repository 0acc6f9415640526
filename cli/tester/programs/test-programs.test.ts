/** Which tests are evaluated by plans. */
import { expect, test } from 'vitest';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { openEngine } from '../../eval/command-engine.js';
import { TestEvaluator } from '../test-evaluator.js';
import { ProgramsOnDemand } from './test-programs.js';

const policy = `package p

conflict[x] := 1 if some x in [1, 2]

conflict[x] := 2 if x := 2

prints if print("seen")

sends if http.send({"method": "get", "url": "http://localhost:1"}).status_code == 200

long := count([1 | some a in numbers.range(1, 400); some b in numbers.range(1, 400); a == b])
`;

/** The outcomes of `test_…` rules with the bodies, and the groups of tests that were planned. */
async function outcomesOf(bodies: readonly string[]) {
  const text = `${policy}\n${bodies.map((body, i) => `test_${i} if ${body}`).join('\n\n')}\n`;
  const file = { path: 'p.rego', url: 'p.rego', bundlePath: 'p.rego', text, bytes: new Uint8Array() };
  const engine = await openEngine([{ name: 'p.rego', file, module: parseModule('p.rego', text) }], {}, { print: true }, { env: {} });
  const tests = bodies.map((_, i) => ({
    fullName: `data.p.test_${i}`,
    name: `data.p.test_${i}`,
    path: ['p', `test_${i}`],
    hasCases: false,
  }));
  const groups: number[] = [];
  const programs = new ProgramsOnDemand(tests, await engine.unplanned(tests), async (group) => {
    groups.push(group.length);
    return await engine.plan(group);
  });
  const evaluator = new TestEvaluator(programs, [], 5000);
  const outcomes = [];
  for (const one of tests) outcomes.push(await evaluator.run(one));
  return { groups, outcomes };
}

test.each([
  ['true', false],
  ['input.x == 1 with input as {"x": 1}', false],
  ['false', true],
  ['1 / 0 == 1', true],
])('a short test needs no plan: %s', async (body, fail) => {
  const { groups, outcomes } = await outcomesOf([body]);
  expect(groups).toEqual([]);
  expect(outcomes).toMatchObject([{ fail, output: '' }]);
});

test.each([
  ['ends with an error', 'conflict[_] == 1', { error: { code: 'eval_conflict_error' } }],
  ['prints', 'prints', { fail: false, output: 'seen\n' }],
  ['takes long', 'long == 400', { fail: false }],
  ['waits', 'sends', { fail: true }],
])('a test that %s is evaluated by its plan', async (_title, body, outcome) => {
  const { groups, outcomes } = await outcomesOf([body]);
  expect(groups).toEqual([1]);
  expect(outcomes).toMatchObject([outcome]);
});

test('the more tests need a plan, the more are planned together', async () => {
  const { groups, outcomes } = await outcomesOf(['true', ...Array.from({ length: 30 }, () => 'prints')]);
  expect(groups).toEqual([8, 22]);
  expect(outcomes.map(({ output }) => output)).toEqual(['', ...Array.from({ length: 30 }, () => 'seen\n')]);
});
