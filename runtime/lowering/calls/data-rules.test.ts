import { expect, test } from 'vitest';
import { expandPlan, type ShortBlock, type ShortStmt } from '../../../test/harness/short-plan.js';
import { allAtOnce } from '../../../values/steps.js';
import { Lowering } from '../lower.js';

const loop = (source: number): ShortStmt => ['Scan', { source, key: 90, value: 91, block: [] }];
const dot = (source: number, key: string, target: number): ShortStmt => ['Dot', { source, key, target }];
const call = (func: string, args: readonly (number | string)[], result: number): ShortStmt => ['Call', { func, args, result }];

const functions: { readonly [name: string]: { readonly params: number[]; readonly return: number; readonly blocks: ShortBlock[] } } = {
  reads: { params: [0, 1], return: 3, blocks: [[dot(1, 'a', 4), dot(4, 'b', 5), loop(5)]] },
  asks: { params: [0, 1], return: 3, blocks: [[dot(0, 'a', 4)]] },
  takes: { params: [0, 1, 2], return: 3, blocks: [[dot(1, 'f', 4), loop(2)]] },
  again: { params: [0, 1], return: 3, blocks: [[call('again', [0, 1], 4), loop(4)]] },
};

/** The paths that a rule of this body reads, where its results are kept. */
function readsOf(block: ShortBlock): unknown {
  const policy = expandPlan({
    plans: { main: [] },
    funcs: { ...functions, rule: { params: [0, 1], return: 9, blocks: [block] } },
  });
  const lowering = allAtOnce(Lowering.over(policy));
  const { reads } = allAtOnce(lowering.func(policy.funcs!.funcs!.at(-1)!));
  return reads === undefined ? undefined : lowering.tables.constants[reads];
}

test.each<[string, ShortBlock, readonly (readonly string[])[]]>([
  ['no document', [['MakeArray', { target: 4 }], loop(4)], []],
  ['a part of a document', [dot(1, 'a', 4), dot(4, 'b', 5), loop(5)], [['a', 'b']]],
  [
    'two parts of one',
    [dot(1, 'a', 4), dot(4, 'b', 5), dot(4, 'c', 6), loop(5)],
    [
      ['a', 'b'],
      ['a', 'c'],
    ],
  ],
  ['a document and a part of it', [dot(1, 'a', 4), dot(4, 'b', 5), loop(5), loop(4)], [['a']]],
  ['a part at a key that it computes', [dot(1, 'a', 4), ['Dot', { source: 4, key: 5, target: 6 }], loop(6)], [['a']]],
  ['whether there is a document', [dot(1, 'a', 4), dot(1, 'b', 5), loop(5)], [['a'], ['b']]],
  ['the data as a whole', [loop(1)], [[]]],
  ['the data as an operand', [['AssignVar', { source: 1, target: 4 }], loop(4)], [[]]],
  ['a local that is written twice', [dot(1, 'a', 4), ['AssignVar', { source: 'x', target: 4 }], dot(4, 'b', 5), loop(5)], [['a']]],
  ['a local that it writes after it read it', [loop(4), dot(1, 'a', 4), dot(4, 'b', 5)], [['a']]],
  ['what its callees read', [call('reads', [0, 1], 4), dot(1, 'c', 5), loop(5)], [['a', 'b'], ['c']]],
  ['what it passes to a function', [dot(1, 'c', 5), call('takes', [0, 1, 5], 4)], [['f'], ['c']]],
])('results of a rule are kept that reads %s', (_title, block, paths) => {
  expect(new Set(readsOf(block) as string[][])).toEqual(new Set(paths));
});

test.each<[string, ShortBlock]>([
  ['reads the input', [dot(0, 'a', 4), dot(1, 'b', 5), loop(5)]],
  ['calls a rule that does', [call('asks', [0, 1], 4), loop(4)]],
  ['passes the input on', [call('takes', [0, 1, 0], 4), loop(4)]],
  ['passes other documents on', [dot(1, 'a', 4), call('reads', [0, 4], 5), loop(5)]],
  ['takes the input for the data', [call('reads', [1, 0], 5), loop(5)]],
  ['replaces documents', [dot(1, 'a', 4), ['With', { local: 1, path: ['b'], value: 4, block: [loop(1)] }]]],
  ['calls a rule whose name it computes', [['CallDynamic', { args: [0, 1], path: ['a'], result: 4 }], loop(4)]],
  ['asks for the time', [call('time.now_ns', [], 4), loop(1)]],
  ['prints', [call('print', [1], 4), loop(1)]],
  ['calls itself', [call('again', [0, 1], 4), loop(4)]],
  ['is as quick as a look-up', [dot(1, 'a', 4), ['Equal', { a: 4, b: 'x' }]]],
  ['only calls one that is kept', [call('reads', [0, 1], 4), ['AssignVar', { source: 4, target: 9 }]]],
  ['reads many documents', [...Array.from({ length: 9 }, (_, i) => dot(1, `d${i}`, 10 + i)), loop(10)]],
])('results of a rule are not kept that %s', (_title, block) => expect(readsOf(block)).toBe(undefined));
