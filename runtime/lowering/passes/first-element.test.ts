import { expect, test } from 'vitest';
import { loadPlan } from '../../../ir-schema/validate.js';
import { answerOf, showAnswer } from '../../../test/harness/answers.js';
import { expandPlan, type ShortBlock, type ShortPolicy, type ShortStmt } from '../../../test/harness/short-plan.js';
import { both, result } from '../../../test/harness/tiers.js';
import { CacheSet } from '../../../values/builtins/cache.js';
import { builtins } from '../../../values/builtins/registry.js';
import { RegoSet } from '../../../values/set.js';
import type { Value } from '../../../values/value.js';
import { AnswerRecord } from '../../evaluation/answer-record.js';
import { ArrayIndexes } from '../../evaluation/array-indexes.js';
import { Evaluation } from '../../evaluation/evaluation.js';
import { interpretPlan } from '../../vm/plan-interpreter.js';

const scan = (source: number, key: number, ...block: ShortBlock): ShortStmt => ['Scan', { source, key, value: key + 1, block }];
const append: ShortStmt = ['ArrayAppend', { array: 4, value: 8 }];
/** `startswith(x, "a")` of the element: an error where it is no string. */
const starts: ShortBlock = [
  ['Call', { func: 'startswith', args: [8, 'a'], result: 9 }],
  ['NotEqual', { a: 9, b: false }],
];

/** `all := [x | some x in input; …]` */
const all = (inner: ShortBlock, after: ShortBlock = []): readonly ShortBlock[] => [
  [
    ['ResetLocal', { target: 3 }],
    ['MakeArray', { target: 4 }],
    ['Block', { blocks: [inner] }],
    ['AssignVar', { source: 4, target: 20 }],
    ...after,
    ['AssignVarOnce', { source: 20, target: 3 }],
  ],
  [
    ['IsDefined', { source: 3 }],
    ['AssignVarOnce', { source: 3, target: 2 }],
  ],
  [['ReturnLocal', { source: 2 }]],
];

/** `all[index]`, or all of it. */
const first = (index: number | undefined): readonly ShortBlock[] => [
  [
    ['Call', { func: 'all', args: [0, 1], result: 4 }],
    ['MakeNumberInt', { value: index ?? 0, target: 5 }],
    ...(index === undefined
      ? [['AssignVar', { source: 4, target: 6 }] as ShortStmt]
      : [['Dot', { source: 4, key: 5, target: 6 }] as ShortStmt]),
    ...result(6),
  ],
];

const simple = all([scan(0, 7, ...starts, append)]);

/** The answers on both tiers, which are those of a walk over the plan. */
async function answers(policy: ShortPolicy, input: Value): Promise<unknown> {
  const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes(), codegen: 'never' as const };
  const walked = answerOf(() =>
    interpretPlan(
      loadPlan(expandPlan(policy)),
      { plan: 'main', input, data: {} },
      builtins,
      new Evaluation(context, {}, new AnswerRecord()),
    ),
  );
  const answer = await both(policy, input);
  expect(showAnswer({ results: new RegoSet(answer as readonly Value[]) })).toBe(showAnswer(walked));
  return answer;
}

const many = (length: number) => Array.from({ length }, (_, i) => (i === 1 ? 'a' : 'ab'));
const limits = { instructions: 1000 };

test('a loop ends with the first element, where only that is read', async () => {
  const policy = { plans: { main: first(0) }, funcs: { all: { blocks: simple } } };
  for (const input of [[], ['b'], ['b', 'a'], ['a', 'ab'], [1, 'a'], ['a', 1], { x: 'b', y: 'a' }, 'a', null]) await answers(policy, input);
  expect(await both(policy, many(100_000), limits)).toEqual([{ result: 'ab' }]);
});

test('so do loops in loops', async () => {
  const policy = { plans: { main: first(0) }, funcs: { all: { blocks: all([scan(0, 10, scan(11, 7, ...starts, append))]) } } };
  for (const input of [[[]], [[], ['b'], ['b', 'a'], ['ab']], [['a', 'ab'], ['a']]]) await answers(policy, input);
  expect(await both(policy, [[], many(100_000)], limits)).toEqual([{ result: 'ab' }]);
});

test.each<[string, ShortPolicy]>([
  ['another element', { plans: { main: first(1) }, funcs: { all: { blocks: simple } } }],
  ['the array itself', { plans: { main: first(undefined) }, funcs: { all: { blocks: simple } } }],
  [
    'the first element here and the array there',
    { plans: { main: [...first(0), ...first(undefined)] }, funcs: { all: { blocks: simple } } },
  ],
  [
    'its length',
    { plans: { main: first(0) }, funcs: { all: { blocks: all([scan(0, 7, ...starts, append)], [['Len', { source: 4, target: 21 }]]) } } },
  ],
  [
    'a value of the last round',
    {
      plans: { main: first(0) },
      funcs: {
        all: {
          blocks: all(
            [scan(0, 7, ...starts, ['AssignVar', { source: 8, target: 22 }], append)],
            [
              ['ArrayAppend', { array: 4, value: 22 }],
              ['Equal', { a: 22, b: 'ab' }],
            ],
          ),
        },
      },
    },
  ],
  [
    'whether a round ends the block',
    {
      plans: { main: first(0) },
      funcs: {
        all: {
          blocks: all([
            scan(
              0,
              7,
              [
                'Block',
                {
                  blocks: [
                    [
                      ['Equal', { a: 8, b: 'end' }],
                      ['Break', { index: 3 }],
                    ],
                  ],
                },
              ],
              append,
            ),
          ]),
        },
      },
    },
  ],
])('a loop goes on where the policy needs %s', async (_title, policy) => {
  await answers(policy, ['b', 'a', 'ab']);
  await answers(policy, ['a', 'a', 'b']);
  await answers(policy, ['a', 'end']);
  expect(String(await both(policy, many(100_000), limits))).toContain('instruction limit reached');
});

test('a loop goes on where errors of built-ins are reported', async () => {
  const policy = { plans: { main: first(0) }, funcs: { all: { blocks: simple } } };
  const failures: string[] = [];
  await both(policy, ['a', 1, 'b', 2], { onBuiltinError: (error) => failures.push(error.message) });
  expect(new Set(failures).size).toBe(1);
  expect(failures.length % 2).toBe(0);
});

test('a conflict in a later round is found', async () => {
  const f: readonly ShortBlock[] = [[scan(3, 4, ['AssignVarOnce', { source: 5, target: 2 }])], [['ReturnLocal', { source: 2 }]]];
  const inner: ShortBlock = [scan(0, 7, ['Call', { func: 'f', args: [0, 1, 8], result: 9 }], append)];
  const policy = { plans: { main: first(0) }, funcs: { all: { blocks: all(inner) }, f: { params: [0, 1, 3], blocks: f } } };
  expect(String(await both(policy, [[1], [1, 2]]))).toContain('conflict');
});
