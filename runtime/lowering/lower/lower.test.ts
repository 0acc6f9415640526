import { expect, test } from 'vitest';
import { expandPlan, type ShortBlock, type ShortStmt } from '../../../test/harness/short-plan.js';
import { allAtOnce } from '../../../values/steps.js';
import type { LoweredBlock, LoweredFunction } from '../lowered.js';
import { Lowering } from './lower.js';

/** A function with parameters 0 and 1, lowered; `constant` is the value of an operand. */
function lowered(...blocks: readonly ShortBlock[]) {
  const policy = expandPlan({ plans: {}, funcs: { f: { blocks } } });
  const lowering = allAtOnce(Lowering.over(policy));
  const func = allAtOnce(lowering.func(policy.funcs!.funcs![0]!));
  return { func, constant: (operand: number) => lowering.tables.constants[-1 - operand] };
}

/** The first outermost block. */
function block({ body }: LoweredFunction): LoweredBlock {
  const [part] = body;
  if (part?.kind !== 'block') throw new Error('the function begins with a dispatch');
  return part.block;
}

const kinds = (stmts: LoweredBlock) => stmts.map(({ kind }) => kind);
const returned: ShortStmt = ['ReturnLocal', { source: 2 }];
const user: ShortStmt = ['Dot', { source: 0, key: 'user', target: 3 }];
const scan = (...stmts: ShortBlock): ShortStmt => ['Scan', { source: 1, key: 5, value: 6, block: stmts }];

test('a literal is a constant operand, and nothing is left of the statements that build it', () => {
  const { func, constant } = lowered([
    ['MakeArray', { target: 3 }],
    ['ArrayAppend', { array: 3, value: 'a' }],
    ['AssignVarOnce', { source: 3, target: 2 }],
    returned,
  ]);
  const [move, ...rest] = block(func);
  expect(move).toMatchObject({ kind: 'moveOnce' });
  expect(move?.kind === 'moveOnce' && constant(move.source)).toEqual(['a']);
  expect(kinds(rest)).toEqual(['return']);
});

test('a path below a parameter is looked up once', () => {
  const { func } = lowered([user, ['Dot', { source: 0, key: 'user', target: 4 }], ['Equal', { a: 3, b: 4 }]]);
  const [dot, equal] = block(func);
  expect(dot).toMatchObject({ kind: 'dotConst', source: 0 });
  const register = dot?.kind === 'dotConst' && dot.target;
  expect(equal).toMatchObject({ kind: 'equal', a: register, b: register });
});

test('a copy shares the register of its original', () => {
  const { func } = lowered([user, ['AssignVar', { source: 3, target: 4 }], ['IsDefined', { source: 4 }]]);
  const [dot, test] = block(func);
  expect(test).toMatchObject({ kind: 'isDefined', source: dot?.kind === 'dotConst' && dot.target });
});

test('a look-up in each round of a loop is done before the loop; a round only tests it', () => {
  const [loop] = block(lowered([scan(user, ['Equal', { a: 3, b: 6 }])]).func);
  expect(loop).toMatchObject({ kind: 'scan', ahead: [{ kind: 'dotAhead', source: 0 }], copied: false });
  expect(loop?.kind === 'scan' && kinds(loop.block)).toEqual(['isDefined', 'equal']);
});

test.each<[string, boolean, ShortBlock]>([
  ['a loop whose one result is a constant may end with it', true, [['AssignVarOnce', { source: true, target: 2 }]]],
  ['a loop whose result is no constant does not', false, [['AssignVarOnce', { source: 6, target: 2 }]]],
])('%s', (_title, exits, stmts) => {
  const [loop] = block(lowered([scan(...stmts)], [returned]).func);
  expect(loop?.kind === 'scan' && loop.block[0]).toMatchObject({ kind: 'moveOnce', exits });
});

test('a loop that first compares a value of its elements may use an index of them', () => {
  const first: ShortBlock = [
    ['Dot', { source: 6, key: 'user', target: 7 }],
    ['Equal', { a: 7, b: 'ann' }],
  ];
  const { func, constant } = lowered([scan(...first)]);
  const [loop] = block(func);
  const index = loop?.kind === 'scan' ? loop.index : undefined;
  expect(index).toMatchObject({ lasting: true });
  expect(constant(index!.wanted)).toBe('ann');
});

const indexOf = (...stmts: ShortBlock) => {
  const { func, constant } = lowered([user, scan(...stmts)]);
  const loop = block(func).find(({ kind }) => kind === 'scan');
  return loop?.kind === 'scan' && loop.index !== undefined ? { ...loop.index, constant: constant(loop.index.wanted) } : undefined;
};
const isActive: ShortBlock = [
  ['Dot', { source: 6, key: 'status', target: 8 }],
  ['Equal', { a: 8, b: 'active' }],
];
const isOfUser: ShortBlock = [
  ['Dot', { source: 6, key: 'user', target: 7 }],
  ['Equal', { a: 7, b: 3 }],
];

test('of several comparisons the first one with a value that is no constant has the index', () => {
  expect(indexOf(...isActive)).toMatchObject({ constant: 'active' });
  expect(indexOf(...isActive, ...isOfUser)).toMatchObject({ constant: undefined });
});

test('tests of elements may come before the comparison, but no call behind them that is noticed', () => {
  const isLarge: ShortBlock = [
    ['Dot', { source: 6, key: 'size', target: 8 }],
    ['Call', { func: 'gt', args: [8, 3], result: 9 }],
    ['NotEqual', { a: 9, b: false }],
  ];
  const size = (func: string): ShortBlock => [
    ['Dot', { source: 6, key: 'user', target: 7 }],
    ['Call', { func, args: [3], result: 10 }],
    ['Equal', { a: 7, b: 10 }],
  ];
  expect(indexOf(...isLarge, ...isOfUser)).toBeDefined();
  expect(indexOf(['Not', { block: isLarge }], ...isOfUser)).toBeDefined();
  expect(indexOf(...size('json.unmarshal'))).toBeDefined();
  expect(indexOf(...isLarge, ...size('json.unmarshal'))).toBeUndefined();
  // Nobody notices one call more of this.
  expect(indexOf(...isLarge, ...size('count'))).toBeDefined();
});

test('calls are made ahead where the first element leads to them', () => {
  const size: ShortBlock = [
    ['Call', { func: 'json.unmarshal', args: [3], result: 10 }],
    ['Dot', { source: 6, key: 'user', target: 7 }],
    ['Equal', { a: 7, b: 10 }],
  ];
  const reached = (...before: ShortBlock): unknown => {
    const { func, constant } = lowered([user, scan(...before, ...size)]);
    const loop = block(func).find(({ kind }) => kind === 'scan');
    const paths = loop?.kind === 'scan' ? loop.index?.reached : undefined;
    return paths === undefined ? undefined : constant(-1 - paths);
  };
  expect(reached()).toBeUndefined();
  expect(reached(['Dot', { source: 6, key: 'user', target: 8 }])).toBeUndefined();
  expect(reached(['Dot', { source: 6, key: 'size', target: 8 }])).toEqual([['size']]);
});

test('rules that first compare the same path with constants are dispatched by it', () => {
  const rule = (method: string): ShortBlock => [
    ['Dot', { source: 0, key: 'method', target: 3 }],
    ['Equal', { a: 3, b: method }],
    ['AssignVarOnce', { source: true, target: 2 }],
  ];
  const { func } = lowered(rule('GET'), rule('PUT'), rule('POST'), rule('GET'), [returned]);
  const [dispatch, last] = func.body;
  expect(dispatch?.kind === 'dispatch' && dispatch.rules.map(({ constant }) => constant)).toEqual(['GET', 'PUT', 'POST', 'GET']);
  expect(last).toMatchObject({ kind: 'block', block: [{ kind: 'return' }] });
});

const dispatched = (...blocks: readonly ShortBlock[]) => {
  const { func, constant } = lowered(...blocks, [returned]);
  const part = func.body.find(({ kind }) => kind === 'dispatch');
  if (part?.kind !== 'dispatch') return undefined;
  return { path: part.path.map((key) => constant(-1 - key)), constants: part.rules.map((rule) => rule.constant) };
};

test.each(['7', '7.0', '0.7e1'])('rules are dispatched by numbers, also by one that is written as %s', (text) => {
  const rule = (...number: readonly ShortStmt[]): ShortBlock => [
    ['Dot', { source: 0, key: 'port', target: 3 }],
    ...number,
    ['Equal', { a: 3, b: 4 }],
    ['AssignVarOnce', { source: true, target: 2 }],
  ];
  const rules = [1, 2, 3].map((value) => rule(['MakeNumberInt', { value, target: 4 }]));
  expect(dispatched(...rules, rule(['MakeNumberRef', { index: text, target: 4 }]))).toEqual({ path: ['port'], constants: [1, 2, 3, 7] });
});

test('rules are dispatched by an element of an array', () => {
  const rule = (name: string): ShortBlock => [
    ['Dot', { source: 0, key: 'path', target: 3 }],
    ['IsArray', { source: 3 }],
    ['Len', { source: 3, target: 4 }],
    ['MakeNumberInt', { value: 2, target: 5 }],
    ['Equal', { a: 4, b: 5 }],
    ['MakeNumberInt', { value: 1, target: 6 }],
    ['Dot', { source: 3, key: 6, target: 7 }],
    ['Equal', { a: 7, b: name }],
    ['AssignVarOnce', { source: true, target: 2 }],
  ];
  expect(dispatched(...['a', 'b', 'c', 'd'].map(rule))).toEqual({ path: ['path', 1], constants: ['a', 'b', 'c', 'd'] });
});

test('a chain of else is dispatched where nothing has written its result before', () => {
  const rule = (first: ShortStmt, name: string): ShortBlock => [
    first,
    ['Dot', { source: 0, key: 'path', target: 4 }],
    ['Equal', { a: 4, b: name }],
    ['AssignVarOnce', { source: name, target: 3 }],
  ];
  const rules = ['b', 'c', 'd'].map((name) => rule(['IsUndefined', { source: 3 }], name));
  const chain = [rule(['ResetLocal', { target: 3 }], 'a'), ...rules];
  expect(dispatched(...chain)?.constants).toEqual(['a', 'b', 'c', 'd']);
  expect(dispatched([['AssignVarOnce', { source: 'x', target: 3 }]], ...chain)).toBeUndefined();
});

test('a comparison whose result is only tested is one statement', () => {
  const { func } = lowered([user, ['Call', { func: 'lt', args: [3, 0], result: 4 }], ['NotEqual', { a: 4, b: false }]]);
  expect(kinds(block(func))).toEqual(['dotConst', 'compareTest']);
});

const make: ShortStmt = ['MakeArray', { target: 3 }];
const append: ShortStmt = ['ArrayAppend', { array: 3, value: 0 }];
const pass: ShortStmt = ['Call', { func: 'count', args: [3], result: 4 }];

test('a value that has not escaped is mutated without a check', () => {
  const { func } = lowered([make, append, pass]);
  expect(func.tracker).toBeUndefined();
  expect(kinds(block(func))).toEqual(['makeArray', 'arrayAppend', 'builtin']);
});

test('a function that mutates a value after it escaped tracks its values', () => {
  const { func } = lowered([make, pass, append]);
  expect(func.tracker).toBeDefined();
  expect(kinds(block(func))).toEqual(['makeArray', 'track', 'escape', 'builtin', 'copyIfEscaped', 'arrayAppend']);
});

test('a break out of a `with` and a return from it restore the document', () => {
  const { func } = lowered([
    [
      'With',
      {
        local: 0,
        path: ['a'],
        value: 1,
        block: [
          ['IsDefined', { source: 1 }],
          ['Break', { index: 1 }],
          ['ReturnLocal', { source: 0 }],
        ],
      },
    ],
  ]);
  const [inner] = block(func);
  expect(inner?.kind === 'with' && inner.block).toMatchObject([
    { kind: 'isDefined' },
    { kind: 'break', index: 1, withs: 1 },
    { kind: 'move' },
    { kind: 'return', withs: 1 },
  ]);
});

test('locals of each outermost block share registers; only locals between blocks are cleared', () => {
  const { func } = lowered([user, ['AssignVarOnce', { source: 3, target: 2 }]], [['Dot', { source: 1, key: 'x', target: 9 }]], [returned]);
  expect(func).toMatchObject({ params: 2, cleared: 3, registers: 4 });
});

const appendTo = (array: number): ShortBlock => [
  ['MakeArray', { target: 7 }],
  ['MakeArray', { target: 8 }],
  ['Scan', { source: 7, key: 5, value: 6, block: [['ArrayAppend', { array, value: 6 }]] }],
  ['ReturnLocal', { source: 8 }],
];

test.each([
  ['a loop that appends to its array walks a copy', 7, true],
  ['a loop that appends to another array does not', 8, false],
])('%s', (_title, array, copied) => {
  expect(block(lowered(appendTo(array)).func).find(({ kind }) => kind === 'scan')).toMatchObject({ copied });
});

/** A loop that collects the elements of each user, with an effect at the end of a round. */
const grouping = (effect: ShortStmt): ShortBlock => [
  ['MakeSet', { target: 20 }],
  ['MakeArray', { target: 21 }],
  [
    'Scan',
    {
      source: 1,
      key: 5,
      value: 6,
      block: [
        ['Dot', { source: 6, key: 'user', target: 7 }],
        ['MakeArray', { target: 8 }],
        [
          'Block',
          {
            blocks: [
              [
                [
                  'Scan',
                  {
                    source: 1,
                    key: 9,
                    value: 10,
                    block: [
                      ['Equal', { a: 10, b: 7 }],
                      ['ArrayAppend', { array: 8, value: 10 }],
                    ],
                  },
                ],
              ],
            ],
          },
        ],
        effect,
      ],
    },
  ],
  ['ReturnLocal', { source: 20 }],
];

test.each<[string, boolean, ShortStmt]>([
  ['adds to a set, repeated rounds are left out', true, ['SetAdd', { set: 20, value: 8 }]],
  ['appends to an array, all rounds run', false, ['ArrayAppend', { array: 21, value: 8 }]],
  ['reads its key, all rounds run', false, ['SetAdd', { set: 20, value: 5 }]],
  ['prints, all rounds run', false, ['Call', { func: 'internal.print', args: [8], result: 11 }]],
])('where a loop %s', (_title, distinct, effect) => {
  const loop = block(lowered(grouping(effect)).func).find(({ kind }) => kind === 'scan');
  expect(loop?.kind === 'scan' && loop.block[0]?.kind === 'distinctRound').toBe(distinct);
});

const byUser: ShortBlock = [
  ['Dot', { source: 6, key: 'user', target: 7 }],
  ['Equal', { a: 7, b: 'ann' }],
];

test.each<[string, boolean, string, ShortBlock]>([
  ['by the path of another loop visits each group once', true, 'user', [['SetAdd', { set: 20, value: 11 }]]],
  ['by a path of its own visits all elements', false, 'role', [['SetAdd', { set: 20, value: 11 }]]],
  ['that appends to an array visits all elements', false, 'user', [['ArrayAppend', { array: 21, value: 11 }]]],
  ['that reads its key visits all elements', false, 'user', [['SetAdd', { set: 20, value: 9 }]]],
])('a loop %s', (_title, hasGroups, key, effect) => {
  const made: ShortBlock = [
    ['MakeSet', { target: 20 }],
    ['MakeArray', { target: 21 }],
  ];
  const loop: ShortStmt = ['Scan', { source: 1, key: 9, value: 10, block: [['Dot', { source: 10, key, target: 11 }], ...effect] }];
  const scans = block(lowered([...made, loop, scan(...byUser), ['ReturnLocal', { source: 20 }]]).func);
  const [first] = scans.filter((stmt) => stmt.kind === 'scan');
  expect(first!.groups !== undefined).toBe(hasGroups);
});

test.each<[string, boolean, number]>([
  ['that a loop of the function looks into has groups', true, 21],
  ['that no loop of the function looks into has none', false, 1],
])('an array %s', (_title, hasGroups, searched) => {
  const collected: ShortBlock = [
    ['MakeSet', { target: 20 }],
    ['MakeArray', { target: 21 }],
    ['Scan', { source: 1, key: 3, value: 4, block: [['ArrayAppend', { array: 21, value: 4 }]] }],
  ];
  const loop: ShortStmt = [
    'Scan',
    {
      source: 21,
      key: 9,
      value: 10,
      block: [
        ['Dot', { source: 10, key: 'user', target: 11 }],
        ['SetAdd', { set: 20, value: 11 }],
      ],
    },
  ];
  const search: ShortStmt = ['Scan', { source: searched, key: 5, value: 6, block: byUser }];
  const scans = block(lowered([...collected, loop, search, ['ReturnLocal', { source: 20 }]]).func).filter((stmt) => stmt.kind === 'scan');
  expect(scans[1]!.groups !== undefined).toBe(hasGroups);
});
