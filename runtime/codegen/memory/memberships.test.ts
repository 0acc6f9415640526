/** Bodies of a function that ask whether its argument is in the set of a rule. */
import { expect, test } from 'vitest';
import type { ShortBlock, ShortPolicy } from '../../../test/harness/short-plan.js';
import { both, result } from '../../../test/harness/tiers.js';

test('a plan may give a parameter another value between them', async () => {
  const set: ShortBlock = [
    ['MakeSet', { target: 2 }],
    ['Dot', { source: 0, key: 'member', target: 3 }],
    ['SetAdd', { set: 2, value: 3 }],
    ['ReturnLocal', { source: 2 }],
  ];
  const asking = (value: string): ShortBlock => [
    ['Call', { func: 'set', args: [0, 1], result: 5 }],
    ['Call', { func: 'internal.member_2', args: [2, 5], result: 6 }],
    ['NotEqual', { a: 6, b: false }],
    ['ArrayAppend', { array: 3, value }],
  ];
  const func: readonly ShortBlock[] = [
    [['MakeArray', { target: 3 }]],
    asking('first'),
    [['AssignVar', { source: 'b', target: 2 }]],
    asking('second'),
    [['AssignVar', { source: 'a', target: 2 }]],
    asking('third'),
    [['ReturnLocal', { source: 3 }]],
  ];
  const policy: ShortPolicy = {
    plans: { main: [[['Dot', { source: 0, key: 'x', target: 2 }], ['Call', { func: 'f', args: [0, 1, 2], result: 3 }], ...result(3)]] },
    funcs: { set: { params: [0, 1], return: 2, blocks: [set] }, f: { params: [0, 1, 2], return: 3, blocks: func } },
  };
  expect(await both(policy, { x: 'a', member: 'a' })).toEqual([{ result: ['first', 'third'] }]);
  expect(await both(policy, { x: 'b', member: 'a' })).toEqual([{ result: ['third'] }]);
});
