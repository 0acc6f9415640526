/** Calls of rules by paths that are known only when they run. */
import { expect, test } from 'vitest';
import type { ShortBlock, ShortPolicy } from '../../test/harness/short-plan.js';
import { both, result } from '../../test/harness/tiers.js';
import type { Value } from '../../values/value.js';

/** A rule `:= value`. */
const constant = (path: readonly string[], value: string) => ({
  params: [0, 1],
  path,
  blocks: [[['AssignVarOnce', { source: value, target: 2 }]], [['ReturnLocal', { source: 2 }]]] satisfies ShortBlock[],
});

/** The results of `data.p[x][y]` for each pair of the input, none where it is undefined. */
function calls(path: readonly (string | number)[], args: readonly (string | number)[]): ShortPolicy {
  const round: ShortBlock = [
    ['MakeNumberInt', { value: 0, target: 10 }],
    ['MakeNumberInt', { value: 1, target: 11 }],
    ['Dot', { source: 6, key: 10, target: 7 }],
    ['Dot', { source: 6, key: 11, target: 8 }],
    ['CallDynamic', { path, args, result: 9 }],
    ['ArrayAppend', { array: 3, value: 9 }],
  ];
  return {
    plans: {
      main: [
        [['MakeArray', { target: 3 }], ['Block', { blocks: [[['Scan', { source: 0, key: 5, value: 6, block: round }]]] }], ...result(3)],
      ],
    },
    funcs: {
      'g0.p.a.b': constant(['p', 'a', 'b'], 'ab'),
      'g0.p.a': constant(['p', 'a'], 'a'),
      'g0.p.constructor.b': constant(['p', 'constructor', 'b'], 'cb'),
      'g0.p.nothing.b': {
        params: [0, 1],
        path: ['p', 'nothing', 'b'],
        blocks: [
          [
            ['MakeNull', { target: 3 }],
            ['AssignVarOnce', { source: 3, target: 2 }],
          ],
          [['ReturnLocal', { source: 2 }]],
        ],
      },
      'g0.p.x.y': {
        params: [0, 1],
        path: ['p', 'x', 'y'],
        blocks: [
          [
            ['Dot', { source: 0, key: 4, target: 3 }],
            ['ReturnLocal', { source: 3 }],
          ],
          [['ReturnLocal', { source: 0 }]],
        ],
      },
      'g0.p.x.f': { params: [0, 1, 4], path: ['p', 'x', 'f'], blocks: [[['ReturnLocal', { source: 4 }]]] },
    },
  };
}

const pairs: Value = [
  ['a', 'b'],
  ['x', 'y'],
  ['a', 'none'],
  ['none', 'b'],
  ['x', 'f'],
  ['constructor', 'b'],
  ['toString', 'b'],
  ['__proto__', 'b'],
  ['nothing', 'b'],
  [1, 'b'],
  ['a', ['b']],
  ['a', 'b'],
];

test.each<[string, ShortPolicy, Value]>([
  ['of all segments', calls(['p', 7, 8], [0, 1]), ['ab', pairs, 'cb', null, 'ab']],
  ['of the last segment', calls(['p', 'a', 8], [0, 1]), ['ab', 'ab', 'ab', 'ab', 'ab', 'ab', 'ab', 'ab']],
  ['of a segment before a constant', calls(['p', 7, 'b'], [0, 1]), ['ab', 'ab', 'cb', null, 'ab', 'ab']],
  ['of none', calls(['p', 'a', 'b'], [0, 1]), pairs.map(() => 'ab')],
  ['of a rule that is not there', calls(['p', 'b', 'b'], [0, 1]), []],
  ['with a rule below it', calls(['p', 7], [0, 1]), ['a', 'a', 'a', 'a']],
  ['with an argument', calls(['p', 7, 8], [0, 1, 7]), ['x']],
])('a look-up %s', async (_title, policy, wanted) => {
  expect(await both(policy, pairs)).toEqual([{ result: wanted }]);
  for (let instructions = 1; instructions < 60; instructions += 7) await both(policy, pairs, { instructions });
});
