import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LocalUses } from '../../../ir-schema/local-uses.js';
import { expectBoundedWork } from '../../../test/harness/cpu-time.js';
import { isLongSearch, randomCases } from '../../../test/harness/set-up/random-cases.js';
import { expandPlan, type ShortBlock, type ShortStmt } from '../../../test/harness/short-plan.js';
import { HaltError } from '../../../values/builtins/builtin-errors.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import { AnswerRecord } from '../../evaluation/answer-record.js';
import { ArrayIndexes } from '../../evaluation/array-indexes.js';
import { Evaluation } from '../../evaluation/evaluation.js';
import { interpretPlan } from '../../vm/plan-interpreter.js';
import { type Escape, escapeOf } from './escape-analysis.js';

const evaluation = () =>
  new Evaluation({ host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() }, {}, new AnswerRecord());

const blocksOf = (blocks: readonly ShortBlock[]) => expandPlan({ plans: { main: blocks } }).plans!.plans![0]!.blocks!;
const escapeIn = (...blocks: readonly ShortBlock[]) => {
  const expanded = blocksOf(blocks);
  return escapeOf(expanded, [0, 1], new LocalUses(expanded, [0, 1]).shared);
};

const make: ShortStmt = ['MakeArray', { target: 2 }];
const append: ShortStmt = ['ArrayAppend', { array: 2, value: 'x' }];
const give: ShortStmt = ['Call', { func: 'f', args: [2], result: 3 }];
const mayFail: ShortStmt = ['IsDefined', { source: 0 }];
const block = (...blocks: readonly ShortBlock[]): ShortStmt => ['Block', { blocks }];
const scan = (...stmts: ShortBlock): ShortStmt => ['Scan', { source: 0, key: 8, value: 9, block: stmts }];

const object: ShortStmt = ['MakeObject', { target: 4 }];
const lookUp: ShortStmt = ['Dot', { source: 4, key: 'x', target: 5 }];
const change: ShortStmt = ['ArrayAppend', { array: 5, value: 'x' }];
const again: ShortStmt = ['ObjectInsert', { object: 4, key: 'x', value: 5 }];

test.each<[string, Escape, readonly ShortBlock[]]>([
  ['made, then changed', 'unaliased', [[make, append]]],
  ['made in the block before', 'unaliased', [[make], [mayFail, append]]],
  ['changed in a loop', 'unaliased', [[make, scan(append)], [give]]],
  ['made in each round, and escaped', 'unaliased', [[scan(make, append, give)]]],
  ['made in each round in a block that does not fail before', 'unaliased', [[scan(block([make]), append, give)]]],
  ['looked into', 'unaliased', [[make, append, ['Dot', { source: 2, key: 'x', target: 3 }], append]]],
  ['given another name', 'unescaped', [[make, ['AssignVar', { source: 2, target: 3 }], append]]],
  ['escaped', 'unknown', [[make, give, append]]],
  ['escaped in the round before', 'unknown', [[make, scan(append, give)]]],
  ['made in each round in a block that may fail before', 'unknown', [[scan(block([mayFail, make]), append, give)]]],
  [
    'made in each round in a block that may be left before',
    'unknown',
    [[scan(block([block([mayFail, ['Break', { index: 1 }]]), make]), append, give)]],
  ],
  ['made in a loop that may have no rounds', 'unknown', [[make, give, scan(make), append]]],
  [
    'made inside of a `with` that puts something else back',
    'unknown',
    [[make, give, ['With', { local: 2, path: null, value: true, block: [make] }], append]],
  ],
  ['escaped in a negation that holds', 'unknown', [[make, block([['Not', { block: [give] }], make]), append]]],
  ['put into an object and looked up there', 'unescaped', [[make, object], [scan(lookUp, ['SetAdd', { set: 5, value: 9 }], again)]]],
  [
    'made or looked up, and put back',
    'unescaped',
    [[object], [scan(block([block([lookUp, ['Break', { index: 1 }]]), ['MakeArray', { target: 5 }]]), change, again)]],
  ],
  [
    'looked up where other things are',
    'unknown',
    [[object, ['ObjectInsert', { object: 4, key: 'y', value: 1 }]], [scan(lookUp, change, again)]],
  ],
  ['looked up in what is escaped', 'unknown', [[object], [['Call', { func: 'f', args: [4], result: 6 }], lookUp, change, again]]],
  [
    'in what is escaped',
    'unknown',
    [
      [object, ['MakeArray', { target: 5 }], again],
      [['Call', { func: 'f', args: [4], result: 6 }], change],
    ],
  ],
  [
    'looked up in what is merged of others',
    'unknown',
    [
      [
        ['ObjectMerge', { a: 0, b: 1, target: 4 }],
        ['MakeArray', { target: 5 }],
      ],
      [lookUp, change],
    ],
  ],
  [
    'in an object of two names, of which one gives it away',
    'unknown',
    [
      [object, ['MakeArray', { target: 5 }], again],
      [['MakeObject', { target: 12 }], make, ['ObjectInsert', { object: 12, key: 'x', value: 2 }]],
      [
        ['AssignVar', { source: 12, target: 9 }],
        ['AssignVar', { source: 4, target: 9 }],
        ['Dot', { source: 9, key: 'x', target: 6 }],
        ['Call', { func: 'f', args: [6], result: 7 }],
        append,
      ],
    ],
  ],
  ['looked up in a set', 'unknown', [[make, ['MakeSet', { target: 4 }], ['SetAdd', { set: 4, value: 2 }], lookUp, change, again]]],
  [
    'looked up in merged objects',
    'unknown',
    [[object, again, ['MakeObject', { target: 6 }], ['ObjectMerge', { a: 4, b: 6, target: 4 }], lookUp, change]],
  ],
  [
    'come by in a loop',
    'unescaped',
    [[object, ['MakeArray', { target: 5 }], again, ['Scan', { source: 4, key: 8, value: 5, block: [change] }]]],
  ],
  [
    'two locals of one number in two blocks',
    'unescaped',
    [[object], [['MakeArray', { target: 5 }], again], [lookUp, change], [['Dot', { source: 0, key: 'x', target: 5 }]]],
  ],
  ['a document', 'unknown', [[['Dot', { source: 0, key: 'x', target: 2 }], append]]],
  ['an element', 'unknown', [[['Scan', { source: 0, key: 8, value: 2, block: [append] }]]]],
  ['what a call answers', 'unknown', [[['Call', { func: 'f', args: [0, 1], result: 2 }], append]]],
  ['a parameter', 'unknown', [[['ArrayAppend', { array: 0, value: 'x' }]]]],
])('%s: %s', (_title, known, blocks) => {
  expect(escapeIn(...blocks)).toBe(known);
});

/** Small bodies over a few arrays, of which many pass. */
function generate(choices: readonly number[]): ShortBlock[] {
  let next = 0;
  const choose = (count: number) => (next < choices.length ? choices[next++]! % count : 0);
  const local = () => 2 + choose(3);
  const stmts = (count: number, depth: number, nesting: number): ShortStmt[] => Array.from({ length: count }, () => stmt(depth, nesting));
  const stmt = (depth: number, nesting: number): ShortStmt => {
    switch (choose(depth > 0 ? 19 : 14)) {
      case 0:
      case 1:
        return ['MakeArray', { target: local() }];
      case 2:
      case 3:
        return ['ArrayAppend', { array: local(), value: 'x' }];
      case 4:
        return choose(3) === 0 ? ['AssignVar', { source: local(), target: local() }] : ['AssignVar', { source: local(), target: 7 }];
      case 5:
        return ['IsUndefined', { source: local() }];
      case 6:
        return ['IsDefined', { source: choose(2) === 0 ? local() : 6 }];
      case 7:
        return ['Break', { index: choose(nesting) }];
      case 8:
        return ['ResetLocal', { target: choose(2) === 0 ? local() : 6 }];
      case 9:
        return ['AssignVar', { source: true, target: 6 }];
      case 10:
        return ['Call', { func: 'count', args: [local()], result: 6 }];
      case 11:
        return ['ArrayAppend', { array: local(), value: local() }];
      case 12:
        return ['Dot', { source: local(), key: 10, target: local() }];
      case 13:
        return ['ObjectMerge', { a: local(), b: 11, target: local() }];
      case 14:
        return [
          'Scan',
          { source: local(), key: 8, value: choose(2) === 0 ? local() : 9, block: stmts(1 + choose(3), depth - 1, nesting + 1) },
        ];
      case 15:
        return ['Scan', { source: 0, key: 8, value: 9, block: stmts(1 + choose(5), depth - 1, nesting + 1) }];
      case 16:
        return ['Not', { block: stmts(1 + choose(3), depth - 1, nesting + 1) }];
      case 17:
        return [
          'With',
          { local: choose(2) === 0 ? 1 : local(), path: ['a'], value: local(), block: stmts(1 + choose(3), depth - 1, nesting + 1) },
        ];
      default:
        return ['Block', { blocks: Array.from({ length: 1 + choose(2) }, () => stmts(1 + choose(4), depth - 1, nesting + 1)) }];
    }
  };
  const first: ShortBlock = [
    ['MakeNumberInt', { target: 10, value: 0 }],
    ['MakeObject', { target: 11 }],
  ];
  return [first, ...Array.from({ length: 1 + choose(2) }, () => stmts(1 + choose(6), 3, 1))];
}

const count = { args: [{ type: { type: 'any' } }], body: (array: unknown) => (array as readonly unknown[]).length };

test('what is known to be its own is never copied', () => {
  const seen = { unaliased: 0, unescaped: 0 };
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 120, size: 'max' }), (choices) => {
      const short = generate(choices);
      const known = escapeIn(...short);
      if (known === 'unknown') return;
      const policy = expandPlan({ plans: { main: short } });
      let copies = 0;
      try {
        interpretPlan(policy, { plan: 'main', input: [1, 2, 3], data: {} }, new Map([['count', count as never]]), evaluation(), {
          onCopy: () => copies++,
        });
      } catch (error) {
        // Arrays that contain themselves cannot be compared.
        if (!(error instanceof HaltError) && !(error instanceof RangeError)) throw error;
      }
      expect(copies).toBe(0);
      if (JSON.stringify(short).includes('ArrayAppend')) seen[known]++;
    }),
    { numRuns: randomCases(5000), endOnFailure: !isLongSearch },
  );
  expect(seen.unaliased).toBeGreaterThan(50);
  expect(seen.unescaped).toBeGreaterThan(10);
});

test('a plan of many blocks in blocks is looked at in time', async () => {
  let inner: ShortBlock = Array.from({ length: 2000 }, () => [make, give, mayFail]).flat();
  for (let i = 0; i < 400; i++) inner = [i % 2 === 0 ? block(inner) : scan(...inner)];
  const blocks = blocksOf([[...inner, append]]);
  await expectBoundedWork(() => escapeOf(blocks, [0, 1], new LocalUses(blocks, [0, 1]).shared), '', 2000);
});
