/** The result of each pass over small plans, as listings. */
import { describe, expect, test } from 'vitest';
import { loadPlan } from '../../ir-schema/validate.js';
import { planText } from '../../test/harness/plan-text.js';
import { expandPlan, type ShortBlock, type ShortFunc, type ShortPolicy } from '../../test/harness/short-plan.js';
import { optimizations } from './pipeline.js';

/** The listing of a plan after some passes, without positions and numbers of blocks. */
function listingAfter(names: readonly string[], short: ShortPolicy): string {
  let policy = loadPlan(expandPlan(short));
  for (const name of names) policy = optimizations.find((pass) => pass.name === name)!.run(policy);
  return planText(policy);
}

/** The statements of one function of two parameters, without its name. */
function bodyAfter(names: readonly string[], ...blocks: readonly ShortBlock[]): string {
  const text = listingAfter(names, { plans: { main: [[['Call', { func: 'f', args: [0, 1], result: 2 }]]] }, funcs: { f: { blocks } } });
  return text.slice(text.indexOf('\n', text.indexOf('func f')) + 1);
}

/** A listing as it stands in a test: its indentation is that of its first line. */
function lines(text: string): string {
  const [, indent] = /^\n( *)/.exec(text)!;
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => `  ${line.slice(indent!.length)}`)
    .join('\n');
}

const give: ShortBlock = [['ReturnLocal', { source: 2 }]];

describe('nops', () => {
  test('leaves out what does nothing, and negates what is empty', () => {
    const body = bodyAfter(
      ['nops'],
      [
        ['Nop'],
        ['Block', { blocks: [[], [['Break', { index: 0 }]], [['Nop']]] }],
        ['With', { local: 0, path: ['a'], value: 'x', block: [['Nop']] }],
        ['Not', { block: [['Break', { index: 0 }]] }],
        ['Not', { block: [] }],
      ],
    );
    expect(body).toBe(
      lines(`
        block
          Break 0`),
    );
  });

  test('keeps a loop with an empty block: it asks whether there is a collection', () => {
    expect(bodyAfter(['nops'], [['Scan', { source: 0, key: 3, value: 4, block: [['Nop']] }]])).toBe(
      lines(`
        block
          Scan input as l3, l4`),
    );
  });
});

describe('blocks', () => {
  test('leaves out what stands behind a break or a return', () => {
    expect(bodyAfter(['blocks'], [['IsDefined', { source: 0 }], ['Break', { index: 0 }], ['Nop']], give, [['Nop']])).toBe(
      lines(`
        block
          IsDefined input
        block
          ReturnLocal l2`),
    );
  });

  test('puts a block that nothing cuts short in line, and renumbers breaks out of it', () => {
    const inner: ShortBlock = [['Scan', { source: 0, key: 3, value: 4, block: [['Break', { index: 2 }]] }]];
    const body = bodyAfter(
      ['blocks'],
      [['Block', { blocks: [[['MakeNull', { target: 3 }]], [['IsDefined', { source: 0 }]]] }], ['Block', { blocks: [inner] }], ['Nop']],
    );
    expect(body).toBe(
      lines(`
        block
          MakeNull l3 := null
          Block
            block
              IsDefined input
          Block
            block
              Scan input as l3, l4
                Break 2
          Nop`),
    );
  });

  test('puts the last block of a block in line: being cut short leads to its end', () => {
    const body = bodyAfter(
      ['blocks'],
      [
        ['MakeNull', { target: 3 }],
        [
          'Block',
          {
            blocks: [
              [['IsDefined', { source: 0 }]],
              [
                ['IsSet', { source: 1 }],
                ['Break', { index: 1 }],
              ],
            ],
          },
        ],
      ],
    );
    expect(body).toBe(
      lines(`
        block
          MakeNull l3 := null
          Block
            block
              IsDefined input
          IsSet data`),
    );
  });

  test('takes the only alternative for what it is', () => {
    const alternative: ShortBlock = [
      ['Dot', { source: 0, key: 'a', target: 3 }],
      ['Break', { index: 1 }],
    ];
    const body = bodyAfter(
      ['blocks'],
      [
        [
          'Block',
          {
            blocks: [
              [
                ['Block', { blocks: [alternative] }],
                ['Break', { index: 1 }],
              ],
            ],
          },
        ],
        ['IsSet', { source: 3 }],
      ],
    );
    expect(body).toBe(
      lines(`
        block
          Dot l3 := input["a"]
          IsSet l3`),
    );
  });

  test('keeps a block that may be cut short where something follows', () => {
    const body = bodyAfter(
      ['blocks'],
      [
        ['Block', { blocks: [[['Dot', { source: 0, key: 'a', target: 3 }]]] }],
        ['IsSet', { source: 3 }],
      ],
    );
    expect(body).toBe(
      lines(`
        block
          Block
            block
              Dot l3 := input["a"]
          IsSet l3`),
    );
  });
});

describe('results', () => {
  const rule: readonly ShortBlock[] = [
    [
      ['ResetLocal', { target: 3 }],
      ['IsDefined', { source: 0 }],
      ['AssignVarOnce', { source: true, target: 3 }],
    ],
    [
      ['IsDefined', { source: 3 }],
      ['AssignVarOnce', { source: 3, target: 2 }],
    ],
  ];

  test('a rule gives the result its value itself', () => {
    expect(bodyAfter(['results'], ...rule, ...rule, give)).toBe(
      lines(`
        block
          IsDefined input
          AssignVarOnce l2 := true
        block
          IsDefined input
          AssignVarOnce l2 := true
        block
          ReturnLocal l2`),
    );
  });

  test('a rule with an else keeps its own local', () => {
    const otherwise: ShortBlock = [
      ['IsUndefined', { source: 3 }],
      ['AssignVarOnce', { source: false, target: 3 }],
    ];
    const blocks = [rule[0]!, otherwise, rule[1]!, give];
    expect(bodyAfter(['results'], ...blocks)).toBe(bodyAfter([], ...blocks));
  });

  test('a rule that may go wrong after it has its value keeps its own local', () => {
    const scan = (...block: ShortBlock): ShortBlock => [
      ['ResetLocal', { target: 3 }],
      ['Scan', { source: 0, key: 4, value: 5, block }],
    ];
    const risky = scan(['Call', { func: 'count', args: [5], result: 6 }], ['AssignVarOnce', { source: true, target: 3 }]);
    expect(bodyAfter(['results'], risky, rule[1]!, give)).toBe(bodyAfter([], risky, rule[1]!, give));
    const calm = scan(['Equal', { a: 5, b: 'x' }], ['AssignVarOnce', { source: true, target: 3 }]);
    expect(bodyAfter(['results'], calm, rule[1]!, give)).toBe(
      lines(`
        block
          Scan input as l4, l5
            Equal l5 == "x"
            AssignVarOnce l2 := true
        block
          ReturnLocal l2`),
    );
  });
});

describe('constants', () => {
  test('decides comparisons and computes sums of constants', () => {
    const body = bodyAfter(
      ['constants', 'copies', 'unused'],
      [
        ['MakeNumberInt', { target: 3, value: 2 }],
        ['MakeNumberRef', { target: 4, index: '2.0' }],
        ['Equal', { a: 3, b: 4 }],
        ['Call', { func: 'plus', args: [3, 3], result: 5 }],
        ['Call', { func: 'lt', args: [3, 5], result: 6 }],
        ['NotEqual', { a: 6, b: false }],
        ['AssignVarOnce', { source: 5, target: 2 }],
      ],
      give,
    );
    expect(body).toBe(
      lines(`
        block
          MakeNumberInt l5 := 4
          AssignVarOnce l2 := l5
        block
          ReturnLocal l2`),
    );
  });

  test('what cannot hold is a break', () => {
    const body = bodyAfter(
      ['constants', 'dead blocks'],
      [
        ['MakeNull', { target: 3 }],
        [
          'Block',
          {
            blocks: [
              [
                ['Dot', { source: 3, key: 'a', target: 4 }],
                ['AssignVarOnce', { source: 4, target: 2 }],
              ],
            ],
          },
        ],
        ['MakeArray', { target: 5 }],
        ['IsObject', { source: 5 }],
        ['AssignVarOnce', { source: 5, target: 2 }],
      ],
      give,
    );
    expect(body).toBe(
      lines(`
        block
          MakeNull l3 := null
          MakeArray l5 := [] capacity 0
        block
          ReturnLocal l2`),
    );
  });

  test('makes a number once where it is needed several times, as long as it is written alike', () => {
    const body = bodyAfter(
      ['constants', 'copies'],
      [
        ['MakeNumberInt', { target: 3, value: 1 }],
        ['MakeNumberInt', { target: 4, value: 1 }],
        ['MakeNumberRef', { target: 5, index: '1.0' }],
        ['Call', { func: 'count', args: [4], result: 6 }],
        ['Call', { func: 'count', args: [5], result: 7 }],
      ],
    );
    expect(body).toBe(
      lines(`
        block
          MakeNumberInt l3 := 1
          MakeNumberRef l5 := 1.0
          Call l6 := count(l3)
          Call l7 := count(l5)`),
    );
  });

  test('a function of the plan is not taken for the built-in of its name', () => {
    const plus: ShortFunc = { params: [0, 1], blocks: [give] };
    const short: ShortPolicy = {
      plans: {
        main: [
          [
            ['MakeNull', { target: 3 }],
            ['Call', { func: 'lt', args: [0, 1], result: 2 }],
            ['NotEqual', { a: 2, b: false }],
          ],
        ],
      },
      funcs: { lt: plus },
    };
    expect(listingAfter(['constants'], short)).toBe(listingAfter([], short));
  });
});

describe('copies', () => {
  test('reads the original', () => {
    const body = bodyAfter(
      ['copies'],
      [
        ['AssignVar', { source: 0, target: 3 }],
        ['AssignVar', { source: 3, target: 4 }],
        ['AssignVar', { source: 'x', target: 5 }],
        ['Dot', { source: 4, key: 5, target: 6 }],
        ['AssignVarOnce', { source: 6, target: 2 }],
      ],
      give,
    );
    expect(body).toBe(
      lines(`
        block
          Dot l6 := input["x"]
          AssignVarOnce l2 := l6
        block
          ReturnLocal l2`),
    );
  });

  test.each([
    ['the original changes', [['With', { local: 0, path: null, value: 'x', block: [['AssignVarOnce', { source: 3, target: 2 }]] }]]],
    ['the copy is read in another block too', [['IsDefined', { source: 0 }]]],
  ] as const)('keeps a copy where %s', (_title, stmts) => {
    const blocks: ShortBlock[] = [[['AssignVar', { source: 0, target: 3 }], ...stmts], [['AssignVarOnce', { source: 3, target: 2 }]]];
    expect(bodyAfter(['copies'], ...blocks)).toBe(bodyAfter([], ...blocks));
  });
});

describe('hoist and lookups', () => {
  test('constants and look-ups go in front of all loops that they do not depend on', () => {
    const body = bodyAfter(
      ['hoist', 'lookups'],
      [
        [
          'Scan',
          {
            source: 0,
            key: 3,
            value: 4,
            block: [
              ['Dot', { source: 4, key: 'list', target: 5 }],
              [
                'Scan',
                {
                  source: 5,
                  key: 6,
                  value: 7,
                  block: [
                    ['Dot', { source: 1, key: 'user', target: 8 }],
                    ['Dot', { source: 4, key: 'user', target: 9 }],
                    ['Equal', { a: 8, b: 9 }],
                    ['MakeNumberInt', { target: 10, value: 1 }],
                    ['Call', { func: 'count', args: [10], result: 11 }],
                    ['Dot', { source: 1, key: 'late', target: 12 }],
                  ],
                },
              ],
            ],
          },
        ],
      ],
    );
    expect(body).toBe(
      lines(`
        block
          MakeNumberInt l10 := 1
          Dot l8 := data["user"]
          Scan input as l3, l4
            Dot l5 := l4["list"]
            Dot l9 := l4["user"]
            Scan l5 as l6, l7
              Equal l8 == l9
              Call l11 := count(l10)
              Dot l12 := data["late"]`),
    );
  });

  const look = ['Dot', { source: 0, key: 'a', target: 8 }] as const;
  test.each([
    [
      'something follows the loop',
      [
        ['Scan', { source: 1, key: 3, value: 4, block: [look] }],
        ['AssignVarOnce', { source: true, target: 2 }],
      ],
    ],
    ['the loop is negated', [['Not', { block: [['Scan', { source: 1, key: 3, value: 4, block: [look] }]] }]]],
    [
      'the loop has done something by then',
      [
        ['MakeArray', { target: 9 }],
        ['Scan', { source: 1, key: 3, value: 4, block: [['ArrayAppend', { array: 9, value: 4 }], look] }],
      ],
    ],
    ['the loop changes what is looked into', [['Scan', { source: 1, key: 0, value: 4, block: [look] }]]],
  ] as const)('a look-up stays where %s', (_title, block) => {
    expect(bodyAfter(['lookups'], block as ShortBlock)).toBe(bodyAfter([], block as ShortBlock));
  });
});

describe('sharing', () => {
  test('what succeeded before is not done again', () => {
    const body = bodyAfter(
      ['sharing', 'copies'],
      [
        ['Dot', { source: 0, key: 'a', target: 3 }],
        ['Call', { func: 'count', args: [3], result: 4 }],
        ['Dot', { source: 0, key: 'a', target: 5 }],
        ['Call', { func: 'count', args: [5], result: 6 }],
        ['Equal', { a: 4, b: 6 }],
      ],
    );
    expect(body).toBe(
      lines(`
        block
          Dot l3 := input["a"]
          Call l4 := count(l3)
          Equal l4 == l4`),
    );
  });

  test('what is under construction is looked up again', () => {
    const block: ShortBlock = [
      ['MakeObject', { target: 3 }],
      ['Dot', { source: 3, key: 'a', target: 4 }],
      ['ObjectInsert', { object: 3, key: 'a', value: true }],
      ['Dot', { source: 3, key: 'a', target: 5 }],
      ['Equal', { a: 4, b: 5 }],
    ];
    expect(bodyAfter(['sharing'], block)).toBe(bodyAfter([], block));
  });
});

test('functions and strings that no plan comes to are left out', () => {
  const short: ShortPolicy = {
    plans: {
      main: [
        [
          ['Call', { func: 'a', args: [0, 1], result: 2 }],
          ['ResultSetAdd', { value: 2 }],
        ],
      ],
    },
    funcs: {
      unused: {
        path: ['g0', 'unused'],
        blocks: [
          [
            ['AssignVar', { source: 'only here', target: 2 }],
            ['ReturnLocal', { source: 2 }],
          ],
        ],
      },
      a: {
        path: ['g0', 'a'],
        blocks: [
          [
            ['CallDynamic', { path: ['g0', 'p', 0], args: [0, 1], result: 3 }],
            ['Dot', { source: 3, key: 'k', target: 2 }],
            ['ReturnLocal', { source: 2 }],
          ],
        ],
      },
      b: { path: ['g0', 'p', 'b'], blocks: [give] },
      c: { path: ['g1', 'p', 'c'], blocks: [give] },
    },
  };
  let policy = loadPlan(expandPlan(short));
  for (const { name, run } of optimizations) if (name === 'functions' || name === 'strings') policy = run(policy);
  expect(policy.funcs!.funcs!.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(policy.static!.strings).toEqual([{ value: 'g0' }, { value: 'p' }, { value: 'k' }]);
  expect(planText(policy)).toContain('Dot l2 := l3["k"]');
});

test('unused values and what only they read are left out', () => {
  const body = bodyAfter(
    ['unused'],
    [
      ['MakeNumberInt', { target: 3, value: 1 }],
      ['AssignVar', { source: 3, target: 4 }],
      ['AssignVar', { source: 4, target: 5 }],
      ['ResetLocal', { target: 6 }],
      ['Dot', { source: 0, key: 'a', target: 7 }],
    ],
  );
  expect(body).toBe(
    lines(`
      block
        Dot l7 := input["a"]`),
  );
});
