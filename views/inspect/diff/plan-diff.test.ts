import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { optimize } from '../../../compiler/optimize/pipeline.js';
import type { Policy } from '../../../ir-schema/plan.js';
import { loadPlan } from '../../../ir-schema/validate.js';
import { conformanceFolder, readCases } from '../../../test/conformance/cases.js';
import { planCase } from '../../../test/conformance/rego.js';
import { randomPlans } from '../../../test/generators/plans/random-plans.js';
import { renumbered } from '../../../test/generators/plans/renumbered.js';
import { fixturePlans } from '../../../test/harness/plan-files.js';
import { planFor } from '../../../test/harness/plans.js';
import { expandPlan, type ShortBlock } from '../../../test/harness/short-plan.js';
import { diffPlans, diffText } from './plan-diff.js';

function expectSame(policy: Policy): void {
  expect(diffText(diffPlans(policy, policy))).toBe('');
  for (const seed of [1, 2]) {
    const other = renumbered(policy, seed);
    expect(diffText(diffPlans(policy, other))).toBe('');
    expect(diffText(diffPlans(other, renumbered(policy, seed + 2)))).toBe('');
  }
}

describe('a plan and itself in other numbers do not differ', () => {
  test.each(fixturePlans().map(({ note, policy }) => [note, policy] as const))('%s', (_note, policy) => expectSame(policy));

  test('random policies', () => {
    for (const policy of randomPlans(15)) expectSame(policy);
  });
});

const folder = conformanceFolder();

describe.skipIf(folder === undefined)('a plan of the cases and itself in other numbers do not differ', () => {
  test.each([
    ['plans', undefined],
    ['rego/v1', 'v1'],
  ] as const)('%s', { timeout: 600_000 }, (suite, version) => {
    let compared = 0;
    for (const { case: one } of readCases(join(folder!, suite))) {
      let policy: Policy;
      try {
        policy = version === undefined ? loadPlan(one.plan) : planCase(one, version);
      } catch {
        continue;
      }
      expect(diffText(diffPlans(policy, renumbered(policy, ++compared)))).toBe('');
    }
    expect(compared).toBeGreaterThan(1000);
  });
});

const plan = (...blocks: readonly ShortBlock[]) => expandPlan({ plans: { p: blocks } });
const find = (key: string, value: string | number): ShortBlock => [
  ['Dot', { source: 0, key, target: 2 }],
  ['Equal', { a: 2, b: value }],
];

describe('differences', () => {
  test.each<[string, readonly ShortBlock[], readonly ShortBlock[], readonly string[]]>([
    ['a constant', [find('x', 'read')], [find('x', 'write')], ['~ p/0.1  Equal l2 == "read"  →  Equal l2 == "write"']],
    [
      'a long constant that is the same at its start',
      [find('x', `${'x'.repeat(70)}a`)],
      [find('x', `${'x'.repeat(70)}b`)],
      [`~ p/0.1  Equal l2 == "${'x'.repeat(70)}a"  →  Equal l2 == "${'x'.repeat(70)}b"`],
    ],
    ['a statement more', [find('x', 'a')], [[...find('x', 'a'), ['IsArray', { source: 2 }]]], ['+ p/0.2  IsArray l2', 'statements 2 → 3']],
    [
      'a statement less',
      [[...find('x', 'a'), ...find('y', 'a')]],
      [find('y', 'a')],
      ['- p/0.0  Dot l2 := input["x"]', '- p/0.1  Equal l2 == "a"', 'statements 4 → 2, strings 3 → 2'],
    ],
    [
      'a block before others',
      [find('x', 'a')],
      [find('y', 'b'), find('x', 'a')],
      ['+ p/0.0  Dot l2 := input["y"]', '+ p/0.1  Equal l2 == "b"', 'statements 2 → 4, strings 2 → 4'],
    ],
    [
      'another variable',
      [[...find('x', 'a'), ['Dot', { source: 0, key: 'y', target: 3 }], ['IsArray', { source: 2 }]]],
      [[...find('x', 'a'), ['Dot', { source: 0, key: 'y', target: 3 }], ['IsArray', { source: 3 }]]],
      ['~ p/0.3  IsArray l2  →  IsArray l3  (other variables)'],
    ],
    [
      'a variable with a number that is taken again later is no difference',
      [[...find('x', 'a'), ...find('y', 'b')]],
      [[...find('x', 'a'), ['Dot', { source: 0, key: 'y', target: 7 }], ['Equal', { a: 7, b: 'b' }]]],
      [],
    ],
    [
      'a number that a loop takes again is one',
      [
        [
          ['Dot', { source: 0, key: 'x', target: 2 }],
          [
            'Scan',
            {
              source: 0,
              key: 4,
              value: 5,
              block: [
                ['IsArray', { source: 2 }],
                ['Dot', { source: 5, key: 'y', target: 2 }],
              ],
            },
          ],
        ],
      ],
      [
        [
          ['Dot', { source: 0, key: 'x', target: 2 }],
          [
            'Scan',
            {
              source: 0,
              key: 4,
              value: 5,
              block: [
                ['IsArray', { source: 2 }],
                ['Dot', { source: 5, key: 'y', target: 3 }],
              ],
            },
          ],
        ],
      ],
      ['~ p/0.1.1  Dot l2 := l5["y"]  →  Dot l3 := l5["y"]  (other variables)'],
    ],
    ['a statement in another block', [[...find('x', 'a'), ['Nop']]], [find('x', 'a'), [['Nop']]], ['~ p/0.2  Nop  →  p/1.0']],
    ['a statement out of a negation', [[['Not', { block: find('x', 'a') }]]], [find('x', 'a')], ['- p/0.0  Not', 'statements 3 → 2']],
    ['blocks without statements are none', [find('x', 'a'), []], [[], find('x', 'a')], []],
  ])('%s', (_title, a, b, wanted) => {
    expect(diffText(diffPlans(plan(...a), plan(...b)))).toBe(wanted.map((line) => `${line}\n`).join(''));
    expect(diffPlans(plan(...b), plan(...a)).changes).toHaveLength(wanted.filter((line) => /^[-~+]/.test(line)).length);
  });

  test('functions', () => {
    const give: ShortBlock = [['ReturnLocal', { source: 2 }]];
    const a = expandPlan({
      plans: { p: [] },
      funcs: { 'g0.data.a': { blocks: [give] }, 'g0.data.b': { blocks: [give], path: ['g0', 'b'] } },
    });
    const b = expandPlan({
      plans: { q: [] },
      funcs: { 'g0.data.b': { params: [0, 1, 4], blocks: [give] }, 'g0.data.c': { blocks: [give] } },
    });
    expect(diffText(diffPlans(a, b))).toBe(
      `- plan p          0 statements
- func g0.data.a  1 statement
~ func g0.data.b  2 parameters, path g0/b  →  3 parameters
+ plan q          0 statements
+ func g0.data.c  1 statement
`,
    );
  });

  test('literals that the compiler numbers in another way', () => {
    const literal = (value: number) => ({
      blocks: [
        [
          ['MakeNumberInt', { target: 2, value }],
          ['ReturnLocal', { source: 2 }],
        ],
      ] as ShortBlock[],
    });
    const use = (func: string): ShortBlock => [['Call', { func, args: [0, 1], result: 3 }]];
    const a = expandPlan({ plans: { p: [use('literal.0')] }, funcs: { 'literal.0': literal(7) } });
    const b = expandPlan({ plans: { p: [use('literal.1')] }, funcs: { 'literal.0': literal(5), 'literal.1': literal(7) } });
    expect(diffText(diffPlans(a, b))).toBe('+ func literal.0  2 statements\nfunctions 1 → 2, statements 3 → 5\n');
  });

  test('a changed policy', () => {
    const text = (role: string) => `allow if { some r in input.roles; r.name == "${role}"; r.x > input.y }\n\nallow if input.admin`;
    const [a, b] = ['dev', 'ops'].map((role) => planFor(text(role), 'x = data.t.allow'));
    const lines = diffText(diffPlans(a!, b!)).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^~ g0\.data\.t\.allow\/\d.*== "dev" {2}→ {2}Equal .*== "ops"$/);
    for (const level of [1, 2] as const) expect(diffPlans(a!, optimize(a!, level)).sizes.statements[0]).toBeGreaterThan(0);
  });
});
