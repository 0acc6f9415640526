import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CacheSet } from '../builtins/cache.js';
import { HaltError } from '../builtins/errors.js';
import { AnswerRecord, Evaluation } from '../vm/evaluation.js';
import { MatchIndexes } from '../vm/matches.js';
import { interpretPlan } from '../vm/plan-interpreter-testing.js';
import { expandPlan, type ShortBlock, type ShortStmt } from '../vm/short-plan-testing.js';
import { changesOnlyFresh } from './ownership-flow.js';

const evaluation = () =>
  new Evaluation({ host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new MatchIndexes() }, {}, new AnswerRecord());

const blocksOf = (blocks: readonly ShortBlock[]) => expandPlan({ plans: { main: blocks } }).plans!.plans![0]!.blocks!;
const isSafe = (...blocks: readonly ShortBlock[]) => changesOnlyFresh(blocksOf(blocks), [0, 1]);

const make: ShortStmt = ['MakeArray', { target: 2 }];
const append: ShortStmt = ['ArrayAppend', { array: 2, value: 'x' }];
const share: ShortStmt = ['AssignVar', { source: 2, target: 3 }];
const mayFail: ShortStmt = ['IsDefined', { source: 0 }];
const block = (...blocks: readonly ShortBlock[]): ShortStmt => ['Block', { blocks }];
const scan = (...stmts: ShortBlock): ShortStmt => ['Scan', { source: 0, key: 8, value: 9, block: stmts }];

test.each<[string, boolean, readonly ShortBlock[]]>([
  ['made, then changed', true, [[make, append]]],
  ['made in the block before', true, [[make], [mayFail, append]]],
  ['changed in a loop', true, [[make, scan(append)], [share]]],
  ['made in each round, and given away', true, [[scan(make, append, share)]]],
  ['made in each round in a block that does not fail before', true, [[scan(block([make]), append, share)]]],
  ['looked into', true, [[make, append, ['Dot', { source: 2, key: 'x', target: 3 }], append]]],
  ['given another name', false, [[make, share, append]]],
  ['given another name in the round before', false, [[make, scan(append, share)]]],
  ['made in each round in a block that may fail before', false, [[scan(block([mayFail, make]), append, share)]]],
  [
    'made in each round in a block that may be left before',
    false,
    [[scan(block([block([mayFail, ['Break', { index: 1 }]]), make]), append, share)]],
  ],
  ['made in a loop that may have no rounds', false, [[make, share, scan(make), append]]],
  [
    'made inside of a `with` that puts something else back',
    false,
    [[make, share, ['With', { local: 2, path: null, value: true, block: [make] }], append]],
  ],
  ['given another name in a negation that holds', false, [[make, block([['Not', { block: [share] }], make]), append]]],
  ['a document', false, [[['Dot', { source: 0, key: 'x', target: 2 }], append]]],
  ['an element', false, [[['Scan', { source: 0, key: 8, value: 2, block: [append] }]]]],
  ['what a call answers', false, [[['Call', { func: 'f', args: [0, 1], result: 2 }], append]]],
  ['a parameter', false, [[['ArrayAppend', { array: 0, value: 'x' }]]]],
])('%s: known to be its own: %s', (_title, safe, blocks) => {
  expect(isSafe(...blocks)).toBe(safe);
});

/** Small bodies over a few arrays, of which many pass. */
function generate(choices: readonly number[]): ShortBlock[] {
  let next = 0;
  const choose = (count: number) => (next < choices.length ? choices[next++]! % count : 0);
  const local = () => 2 + choose(3);
  const stmts = (count: number, depth: number, nesting: number): ShortStmt[] => Array.from({ length: count }, () => stmt(depth, nesting));
  const stmt = (depth: number, nesting: number): ShortStmt => {
    switch (choose(depth > 0 ? 16 : 11)) {
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
      case 12:
        return ['Scan', { source: 0, key: 8, value: 9, block: stmts(1 + choose(5), depth - 1, nesting + 1) }];
      case 13:
        return ['Not', { block: stmts(1 + choose(3), depth - 1, nesting + 1) }];
      case 14:
        return [
          'With',
          { local: choose(2) === 0 ? 1 : local(), path: ['a'], value: local(), block: stmts(1 + choose(3), depth - 1, nesting + 1) },
        ];
      default:
        return ['Block', { blocks: Array.from({ length: 1 + choose(2) }, () => stmts(1 + choose(4), depth - 1, nesting + 1)) }];
    }
  };
  return Array.from({ length: 1 + choose(2) }, () => stmts(1 + choose(6), 3, 1));
}

const count = { args: [{ type: undefined }], checksOperands: true, body: (array: unknown) => (array as readonly unknown[]).length };

test('what is known to be its own is never copied', () => {
  let changed = 0;
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 120, size: 'max' }), (choices) => {
      const short = generate(choices);
      if (!isSafe(...short)) return;
      const policy = expandPlan({ plans: { main: short } });
      let copies = 0;
      try {
        interpretPlan(policy, 'main', [1, 2, 3], {}, new Map([['count', count as never]]), evaluation(), () => copies++);
      } catch (error) {
        if (!(error instanceof HaltError)) throw error;
      }
      expect(copies).toBe(0);
      if (JSON.stringify(short).includes('ArrayAppend')) changed++;
    }),
    { numRuns: Number(process.env.WRIT_RUNS ?? 5000), endOnFailure: process.env.WRIT_RUNS === undefined },
  );
  expect(changed).toBeGreaterThan(50);
});

test('a plan of many blocks in blocks is looked at in time', () => {
  let inner: ShortBlock = Array.from({ length: 2000 }, () => [make, share, mayFail]).flat();
  for (let i = 0; i < 400; i++) inner = [i % 2 === 0 ? block(inner) : scan(...inner)];
  const blocks = blocksOf([[...inner, append]]);
  const start = performance.now();
  changesOnlyFresh(blocks, [0, 1]);
  expect(performance.now() - start).toBeLessThan(2000);
});
