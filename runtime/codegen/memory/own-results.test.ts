/** A function that one rule alone calls, with the arguments that are in `input`. */
import { expect, test } from 'vitest';
import type { ShortBlock, ShortPolicy } from '../../../test/harness/short-plan.js';
import { both, result } from '../../../test/harness/tiers.js';
import type { Value } from '../../../values/value.js';

/** `data.p` is the list of the results of `f(x) := x`, which is undefined for "none". */
const calls: ShortBlock = [
  ['Call', { func: 'g0.data.f', args: [0, 1, 6], result: 7 }],
  ['ArrayAppend', { array: 3, value: 7 }],
];
const rule: ShortBlock = [
  ['MakeArray', { target: 3 }],
  ['Block', { blocks: [[['Scan', { source: 0, key: 5, value: 6, block: calls }]]] }],
  ['ReturnLocal', { source: 3 }],
];
const func: ShortBlock = [
  ['NotEqual', { a: 2, b: 'none' }],
  ['ReturnLocal', { source: 2 }],
];
/** It is too long to be computed again for the same argument. */
const longFunc: ShortBlock = [['Call', { func: 'type_name', args: [2], result: 4 }], ...func];
const policyOf = (block: ShortBlock): ShortPolicy => ({
  plans: { main: [[['Call', { func: 'g0.data.p', args: [0, 1], result: 2 }], ...result(2)]] },
  funcs: {
    'g0.data.p': { params: [0, 1], return: 3, blocks: [rule] },
    'g0.data.f': { params: [0, 1, 2], return: 3, blocks: [block] },
  },
});

test.each<[string, readonly Value[]]>([
  ['one', ['a', 'a', 'a']],
  ['a few, again and again', ['a', 'b', 'c', 'c', 'b', 'a', 'none', 'none', 'd']],
  ['many', [...'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz']],
  ['of all kinds', [1, true, null, '1', [1], { a: 1 }, 1, true, null, '1', [1], { a: 1 }, false, 0]],
])('arguments: %s', async (_title, args) => {
  const wanted = args.filter((arg) => arg !== 'none');
  for (const policy of [policyOf(longFunc), policyOf(func)]) {
    expect(await both(policy, args as Value)).toEqual([{ result: wanted }]);
    // A remembered result is no work.
    for (let instructions = 1; instructions < 60; instructions++) await both(policy, args as Value, { instructions });
  }
});

test('the caller may have one argument, and its own results remembered', async () => {
  const { funcs } = policyOf(longFunc);
  const caller: ShortBlock = [
    ['Call', { func: 'g0.data.f', args: [0, 1, 2], result: 4 }],
    ['Call', { func: 'type_name', args: [4], result: 5 }],
    ['ReturnLocal', { source: 5 }],
  ];
  // Where a rule changes documents, results of a function are not its own.
  const changed: ShortBlock = [
    ['MakeNumberInt', { value: 1, target: 4 }],
    ['With', { local: 0, path: [], value: 4, block: [['Call', { func: 'g0.data.g', args: [0, 1, 'a'], result: 3 }]] }],
    ['ReturnLocal', { source: 3 }],
  ];
  const policy: ShortPolicy = {
    ...policyOf(longFunc),
    funcs: {
      'g0.data.p': { params: [0, 1], return: 3, blocks: [changed] },
      'g0.data.g': { params: [0, 1, 2], return: 3, blocks: [caller] },
      'g0.data.f': funcs!['g0.data.f']!,
    },
  };
  expect(await both(policy, {})).toEqual([{ result: 'string' }]);
});
