import { expect, test } from 'vitest';
import { expandPlan, type ShortBlock, type ShortStmt } from '../../../test/harness/short-plan.js';
import { allAtOnce } from '../../../values/steps.js';
import { Lowering } from '../lower/lower.js';
import { type LoweredBlock, outermostBlocks } from '../lowered.js';

const scanOf = (block: ShortBlock): ShortStmt => ['Scan', { source: 0, key: 5, value: 6, block }];

/** Whether the rounds of a loop over `input` may run in any order; `free`: until a value comes. */
function isAnyOrder(rounds: ShortBlock, ...behind: ShortBlock): boolean | 'free' | undefined {
  return ordersOf([['MakeSet', { target: 3 }], ['MakeArray', { target: 4 }], scanOf(rounds), ...behind])[0];
}

/** The same of the loops of a function, outer ones first. */
function ordersOf(block: ShortBlock): readonly (boolean | 'free')[] {
  const policy = expandPlan({ plans: {}, funcs: { f: { blocks: [block, [['ReturnLocal', { source: 2 }]]] } } });
  const func = allAtOnce(allAtOnce(Lowering.over(policy)).func(policy.funcs!.funcs![0]!));
  const orders = (stmts: LoweredBlock): (boolean | 'free')[] =>
    stmts.flatMap((stmt) => (stmt.kind === 'scan' ? [stmt.free === undefined ? stmt.anyOrder : 'free', ...orders(stmt.block)] : []));
  return orders(outermostBlocks(func).flat());
}

const finds: ShortBlock = [
  ['Dot', { source: 6, key: 'id', target: 7 }],
  ['Call', { func: 'startswith', args: [7, 'a'], result: 8 }],
  ['NotEqual', { a: 8, b: false }],
];
const once = (source: number | boolean | string): ShortStmt => ['AssignVarOnce', { source, target: 2 }];

/** Where the element is "end", a block is cut short: 1 is the round, 2 the block with the loop. */
const ends = (index: number): ShortStmt => [
  'Block',
  {
    blocks: [
      [
        ['Equal', { a: 6, b: 'end' }],
        ['Break', { index }],
      ],
    ],
  },
];

test.each<[string, boolean | 'free', ShortBlock, ShortBlock]>([
  ['look for an element', true, [...finds, once(true)], []],
  ['look for one of another loop', true, [['Scan', { source: 1, key: 9, value: 10, block: [['Equal', { a: 6, b: 10 }], once(true)] }]], []],
  ['make a value of their own', true, [['MakeArray', { target: 7 }], ['ArrayAppend', { array: 7, value: 6 }], once('x')], []],
  ['give the result a part of the element', false, [...finds, once(7)], []],
  ['give two constants', false, [...finds, once(true), once('x')], []],
  ['add to a set', 'free', [...finds, ['SetAdd', { set: 3, value: 7 }]], []],
  ['add to a set that they read', false, [...finds, ['SetAdd', { set: 3, value: 7 }], ['Len', { source: 3, target: 9 }]], []],
  ['add a set to itself', false, [['SetAdd', { set: 3, value: 3 }]], []],
  ['add to a set and give a constant', false, [['SetAdd', { set: 3, value: 6 }], once(true)], []],
  [
    'append to an array that is added up',
    'free',
    [['ArrayAppend', { array: 4, value: 6 }]],
    [['Call', { func: 'sum', args: [4], result: 7 }]],
  ],
  [
    'add two values to a set',
    false,
    [
      ['SetAdd', { set: 3, value: 6 }],
      ['Dot', { source: 6, key: 'id', target: 7 }],
      ['SetAdd', { set: 3, value: 7 }],
    ],
    [],
  ],
  ['append to an array', false, [['ArrayAppend', { array: 4, value: 6 }]], [['Call', { func: 'sort', args: [4], result: 7 }]]],
  [
    'append to an array that has two readers',
    false,
    [['ArrayAppend', { array: 4, value: 6 }]],
    [
      ['Call', { func: 'sum', args: [4], result: 7 }],
      ['AssignVarOnce', { source: 4, target: 2 }],
    ],
  ],
  ['read the result', false, [['IsUndefined', { source: 2 }], once(true)], []],
  ['leave a value behind', false, [['Dot', { source: 6, key: 'id', target: 7 }], once(true)], [['IsDefined', { source: 7 }]]],
  ['read a value of the last round', false, [['IsUndefined', { source: 7 }], ['Dot', { source: 6, key: 'id', target: 7 }], once(true)], []],
  ['print', false, [['Call', { func: 'internal.print', args: [6], result: 7 }], once(true)], []],
  ['end early', true, [ends(1), once(true)], []],
  ['end the loop with the constant', true, [...finds, once(true), ['Break', { index: 1 }]], []],
  ['end the loop', false, [ends(2), once(true)], []],
  ['return', false, [...finds, ['ReturnLocal', { source: 7 }]], []],
])('rounds that %s: %s', (_title, expected, rounds, behind) => {
  expect(isAnyOrder(rounds, ...behind)).toBe(expected);
});

const sum: ShortStmt = ['Call', { func: 'sum', args: [4], result: 7 }];
const make: ShortStmt = ['MakeArray', { target: 4 }];
const append: ShortStmt = ['ArrayAppend', { array: 4, value: 6 }];
/** A statement that a loop may make in its own order only. */
const clock: ShortStmt = ['Call', { func: 'time.now_ns', args: [], result: 9 }];

test.each<[string, boolean | 'free', ShortBlock]>([
  ['is made before the loop', 'free', [make, scanOf([append]), sum]],
  ['has an element already', false, [make, ['ArrayAppend', { array: 4, value: 'a' }], scanOf([append]), sum]],
  ['gets another element later', false, [make, scanOf([append]), ['ArrayAppend', { array: 4, value: 'a' }], sum]],
  ['is made before a loop around', false, [make, ['Scan', { source: 1, key: 10, value: 11, block: [clock, scanOf([append])] }], sum]],
  ['is made in a loop around', 'free', [['Scan', { source: 1, key: 10, value: 11, block: [clock, make, scanOf([append]), sum] }]]],
  [
    'grows in two loops',
    false,
    [make, scanOf([append]), ['Scan', { source: 1, key: 10, value: 11, block: [['ArrayAppend', { array: 4, value: 11 }]] }], sum],
  ],
])('an array that %s: %s', (_title, expected, block) => {
  expect(ordersOf(block)).toContainEqual(expected);
  expect(ordersOf(block).includes('free')).toBe(expected === 'free');
});
