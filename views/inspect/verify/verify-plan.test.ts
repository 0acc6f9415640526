import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { optimize } from '../../../compiler/optimize/pipeline.js';
import type { Policy } from '../../../ir-schema/plan.js';
import { verify } from '../../../ir-schema/verify/verify.js';
import { conformanceFolder, readCases } from '../../../test/conformance/cases.js';
import { caseBuiltins } from '../../../test/conformance/evaluate.js';
import { planCase } from '../../../test/conformance/rego.js';
import { randomPlans } from '../../../test/generators/plans/random-plans.js';
import { randomCases } from '../../../test/harness/set-up/random-cases.js';
import { expandPlan, type ShortBlock, type ShortFunc } from '../../../test/harness/short-plan.js';
import { builtins } from '../../../values/builtins/registry.js';
import { PlanView } from '../plan-view.js';
import { isNote } from './problem.js';
import { problemsText, type VerifyOptions, verifyPlan } from './verify-plan.js';

type Target = VerifyOptions['target'];

function problemsOf(policy: Policy, target?: Target): string[] {
  return verifyPlan(new PlanView(policy), { builtins, target }).map(({ kind, at, message }) => `${kind} ${at ?? ''}: ${message}`);
}

const call = (func: string, ...args: readonly (number | string)[]): ShortBlock[number] => [
  'Call',
  { func, args: [0, 1, ...args], result: 9 },
];
const give: ShortBlock = [['ReturnLocal', { source: 2 }]];

function policy(blocks: readonly ShortBlock[], funcs: Readonly<Record<string, ShortFunc>> = {}): Policy {
  return expandPlan({ plans: { p: blocks }, funcs });
}

describe('all problems are found at once', () => {
  test.each<[string, Policy, Target, readonly string[]]>([
    ['none', policy([[['Nop']]]), 'any', []],
    [
      'several faults, at their statements',
      policy([
        [['Break', { index: 3 }]],
        [
          [
            'Scan',
            {
              source: 0,
              key: 3,
              value: 4,
              block: [
                ['Call', { func: 'nothing', args: [], result: 5 }],
                ['Block', { blocks: [[], [['ReturnLocal', { source: 4 }]]] }],
              ],
            },
          ],
        ],
        [['Call', { func: 'count', args: [], result: 5 }]],
        [
          ['Dot', { source: 0, key: -2, target: 3 }],
          ['ArrayAppend', { array: 3, value: true }],
        ],
      ]),
      undefined,
      [
        'plan p/0.0: a break out of 4 blocks stands in 1',
        'plan p/1.0.0: there is no function or built-in nothing',
        'plan p/1.0.1.1.0: only a function returns',
        'plan p/2.0: built-in count takes 1 arguments, not 0',
        'plan p/3.0: there is no local -2',
        'plan p: local 3 is changed in place but holds nothing that was made here',
        'unset p/3.0: local -2 is read but not set before',
      ],
    ],
    [
      'a read of what nothing has set',
      policy([
        [
          ['IsArray', { source: 7 }],
          ['Equal', { a: 7, b: 8 }],
        ],
      ]),
      undefined,
      [
        'unset p/0.0: local 7 is read but not set before',
        'unset p/0.1: local 7 is read but not set before',
        'unset p/0.1: local 8 is read but not set before',
      ],
    ],
    [
      'a read of what the last round of a loop has set',
      policy([
        [
          [
            'Scan',
            {
              source: 0,
              key: 3,
              value: 4,
              block: [
                ['IsArray', { source: 5 }],
                ['MakeNull', { target: 5 }],
              ],
            },
          ],
        ],
      ]),
      undefined,
      [],
    ],
    [
      'reads that ask whether something is set',
      policy([
        [
          ['IsUndefined', { source: 7 }],
          ['AssignVarOnce', { source: true, target: 7 }],
          ['IsDefined', { source: 7 }],
        ],
      ]),
      undefined,
      [],
    ],
    [
      'what stands behind a break',
      policy([[['Break', { index: 0 }], ['Nop'], ['Nop']]]),
      undefined,
      ['unreachable p/0.1: no way leads here'],
    ],
    [
      'notes: functions and values of no use',
      policy([[['MakeNull', { target: 4 }]]], { f: { blocks: [give] } }),
      undefined,
      ['unused f: no plan calls the function', 'unused p/0.0: local 4 is set but never read'],
    ],
    [
      'functions behind their callers',
      policy([[call('g0.data.a')]], {
        'g0.data.a': { path: ['g0', 'a'], blocks: [[call('g0.data.b')], give] },
        'g0.data.b': { path: ['g0', 'b'], blocks: [give] },
      }),
      'eopa',
      ['eopa g0.data.a/0.0: function g0.data.b stands behind its caller'],
    ],
    ['functions without a path', policy([[call('f')]], { f: { blocks: [give] } }), 'any', ['rego-cpp f: the function has no path']],
    ['functions without a path, for another engine', policy([[call('f')]], { f: { blocks: [give] } }), 'swift', []],
    [
      'files without names, and built-ins without declarations',
      {
        ...policy([[['Call', { func: 'count', args: [0], result: 3 }]]]),
        static: { files: [{ value: '' }], strings: [], builtin_funcs: [{ name: 'count', decl: null }] },
      },
      'any',
      ['rego-cpp : file 0 has no name', 'swift : built-in count has no declaration'],
    ],
    [
      'locals that functions share',
      policy([[call('f', true as never), call('g', true as never)]], {
        f: { params: [0, 1, 5], path: ['g0', 'f'], blocks: [give] },
        g: { params: [0, 1, 5], path: ['g0', 'g'], blocks: [give] },
      }),
      'rego-cpp',
      ['rego-cpp g: local 5 is in f too, and frames share registers: build with --plan-locals unique'],
    ],
    [
      'a name twice',
      {
        plans: {
          plans: [
            { name: 'p', blocks: [] },
            { name: 'p', blocks: [] },
          ],
        },
      },
      undefined,
      ['plan p#2: plan p is there twice'],
    ],
  ])('%s', (_title, given, target, wanted) => {
    expect(problemsOf(given, target)).toEqual(wanted);
  });

  test('statements without a position are counted', () => {
    const given = policy([[['Nop'], ['Nop']], [['Nop']]]);
    const [first, second] = given.plans!.plans![0]!.blocks!;
    const without = [first!.stmts[1]!, second!.stmts[0]!].map((node) => ({ ...node, stmt: { ...node.stmt, row: 0, col: 0 } }));
    const blocks = [{ stmts: [first!.stmts[0]!, without[0]!] }, { stmts: [without[1]!] }] as never;
    expect(problemsOf({ ...given, plans: { plans: [{ name: 'p', blocks }] } })).toEqual(['position p/0.1: 2 statements have no position']);
  });

  test('the first fault is the one that a plan is refused for', () => {
    const given = policy([[['Break', { index: 3 }]], [['Call', { func: 'nothing', args: [], result: 5 }]]]);
    expect(() => verify(given, builtins)).toThrow(
      '/plans/plans/0/blocks/0/stmts/0/stmt/index: a break out of 4 blocks stands in 1 (p/0.0)',
    );
  });

  test('a line for each, and their number', () => {
    const given = policy([[['Break', { index: 3 }]], [['MakeNull', { target: 4 }]]]);
    expect(problemsText(verifyPlan(new PlanView(given), { builtins }))).toBe(
      `plan    p/0.0  a break out of 4 blocks stands in 1  test.rego:1:1
unused  p/1.0  local 4 is set but never read  test.rego:2:1
1 problem, 1 note
`,
    );
    expect(problemsText([])).toBe('0 problems\n');
  });
});

describe('plans of ours have no problem for any engine', () => {
  const expectNone = (given: Policy, rows: VerifyOptions['builtins']) => {
    const problems = verifyPlan(new PlanView(given), { builtins: rows, target: 'any' });
    expect(problems.filter((problem) => !isNote(problem))).toEqual([]);
  };

  test('random policies', () => {
    for (const given of randomPlans(randomCases(25))) for (const level of [0, 1, 2] as const) expectNone(optimize(given, level), builtins);
  });

  const folder = conformanceFolder();
  test.skipIf(folder === undefined)('the cases', { timeout: 600_000 }, () => {
    let count = 0;
    for (const { case: one } of readCases(join(folder!, 'rego/v1'))) {
      let given: Policy;
      try {
        given = planCase(one, 'v1');
      } catch {
        continue;
      }
      count++;
      for (const level of [0, 1, 2] as const) expectNone(optimize(given, level), caseBuiltins);
    }
    expect(count).toBeGreaterThan(1000);
  });
});
