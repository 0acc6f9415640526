import { describe, expect, test } from 'vitest';
import { generatedText } from '../../../test/harness/generated-text.js';
import { expandPlan, type ShortBlock } from '../../../test/harness/short-plan.js';
import { both, result } from '../../../test/harness/tiers.js';
import { parseJson } from '../../../values/json/json.js';
import type { Value } from '../../../values/value.js';
import { assemble } from '../../bytecode/assemble.js';

const long = (length: number) => JSON.stringify('ab'.repeat(length / 2));

/** Texts of each kind, and texts at the limits of inlined calls. */
const texts = [
  '""',
  '"a"',
  '"ab:a"',
  '"5"',
  '"-"',
  '"😀a"',
  '"\\ud800"',
  long(64),
  long(66),
  long(1024),
  long(1026),
  long(2050),
  '0',
  '-0',
  '7',
  '1.5',
  '1.0',
  '1e22',
  '12345678901234567890',
  'true',
  'false',
  'null',
  '[]',
  '["a", 1]',
  '{}',
  '{"a": null}',
  '{"a": false, "b": [1]}',
];

const values = texts.map(parseJson);

/** All pairs of values. */
const pairs = values.flatMap((a) => values.map((b) => [a, b]));

/**
 * Runs statements for each pair, in the locals 3 and 4: the result of the plan is a list of the
 * pairs' numbers and of the values in local 7.
 */
async function onAll(block: ShortBlock, operands: readonly Value[] = pairs): Promise<void> {
  const round: ShortBlock = [
    ['MakeNumberInt', { value: 0, target: 5 }],
    ['Dot', { source: 22, key: 5, target: 3 }],
    ['MakeNumberInt', { value: 1, target: 6 }],
    ['Dot', { source: 22, key: 6, target: 4 }],
    ...block,
    ['ArrayAppend', { array: 20, value: 21 }],
    ['ArrayAppend', { array: 20, value: 7 }],
  ];
  const all: ShortBlock = [
    ['MakeArray', { target: 20 }],
    ['Block', { blocks: [[['Scan', { source: 0, key: 21, value: 22, block: round }]]] }],
    ...result(20),
  ];
  const policy = { plans: { main: [all] } };
  await both(policy, operands);
  for (const pair of operands.slice(0, 3)) await both(policy, [pair], { strictBuiltinErrors: true });
}

const call = (func: string, ...args: (number | string)[]): ShortBlock => [['Call', { func, args, result: 7 }]];

test.each(['startswith', 'endswith', 'contains', 'split', 'trim_prefix', 'trim_suffix'])(
  '%s of any operands is as on the VM',
  async (func) => {
    await onAll(call(func, 3, 4));
    await onAll(call(func, 3, 'a'));
    await onAll(call(func, 3, ''));
  },
);

/** The parts of local 3, and what is read of them by `reads`. */
const parts = (delimiter: string, ...reads: ShortBlock): ShortBlock => [
  ['Call', { func: 'split', args: [3, delimiter], result: 8 }],
  ['AssignVar', { source: 8, target: 9 }],
  ...reads,
];

const countOf: ShortBlock = [['Call', { func: 'count', args: [9], result: 10 }]];

test.each(['a', ':', 'ab', ''])('parts of a text between «%s», read one by one, are as on the VM', async (delimiter) => {
  const read = (key: number): ShortBlock[number] => ['Dot', { source: 9, key, target: 7 }];
  const at = (index: number): ShortBlock => [['MakeNumberInt', { value: index, target: 11 }], read(11)];
  await onAll(parts(delimiter, ...countOf, ['AssignVar', { source: 10, target: 7 }]));
  await onAll(
    parts(
      delimiter,
      ...countOf,
      ['MakeNumberInt', { value: 1, target: 11 }],
      ['Call', { func: 'minus', args: [10, 11], result: 12 }],
      read(12),
    ),
  );
  for (const index of [-2, -1, 0, 1, 2, 33]) await onAll(parts(delimiter, ...at(index)));
  // Any key, also one that is no integer.
  await onAll(parts(delimiter, read(4)));
  await onAll(parts(delimiter, ...countOf, read(4)));
});

test('parts of a text that are also read as an array are as on the VM', async () => {
  await onAll(parts(':', ...countOf, ['AssignVar', { source: 9, target: 7 }]));
  await onAll(parts(':', ['Scan', { source: 9, key: 10, value: 7, block: [] }]));
  // Read in each round of a loop, and only under a negation.
  await onAll(parts(':', ['Scan', { source: 0, key: 10, value: 11, block: [['Dot', { source: 9, key: 10, target: 7 }]] }]));
  await onAll([
    ['Not', { block: parts(':', ['MakeNumberInt', { value: 1, target: 11 }], ['Dot', { source: 9, key: 11, target: 12 }]) }],
    ['AssignVar', { source: 3, target: 7 }],
  ]);
});

test('count of any operand is as on the VM', () => onAll(call('count', 3)));

test.each(['a', ':', 'ab', 'ba', ''])('all parts of a text between «%s» are as on the VM', async (delimiter) => {
  await onAll([...call('split', 3, delimiter), ['Call', { func: 'array.reverse', args: [7], result: 8 }]]);
});

test.each(['a', 'length', 'toString', '__proto__', '0'])('object.get of the key %s is as on the VM', (key) =>
  onAll(call('object.get', 3, key, 4)),
);

/** Values with fields below fields, and operands that are no objects. */
const sources = [
  ...['{"a": {"b": 1}}', '{"a": {"b": null}}', '{"a": {"b": false}}', '{"a": null}', '{"a": "text"}', '{"a": ["x", {"b": 2}]}'],
  ...['{"a": {"length": 3, "__proto__": 4, "0": 5}, "__proto__": {"b": 6}}', '{"length": {"b": {"a": 7}}, "0": {"b": 8}}'],
  ...['{"a": 1.0}', '{"a": {"size": 9}}', '{}', '[]', '[{"a": 1}]', '"a"', 'null', '0'],
].map(parseJson);

const pathKeys = ['a', 'b', '0', 'length', 'size', '__proto__', 'toString'];

describe('object.get of a path is as on the VM', () => {
  const array = (...keys: readonly (string | number)[]): ShortBlock => [
    ['MakeArray', { target: 8 }],
    ...keys.map((value): ShortBlock[number] => ['ArrayAppend', { array: 8, value }]),
  ];
  const otherwise = ['none', { a: 1 }, null];
  const all = [...sources.flatMap((source) => otherwise.map((other) => [source, other])), ...pairs];

  test.each(pathKeys.flatMap((key) => pathKeys.map((below) => [key, below] as const)))('%s, %s', async (key, below) => {
    await onAll([...array(key, below), ...call('object.get', 3, 8, 4)], all);
  });

  test('of one key, three, none and of keys that are not texts', async () => {
    for (const keys of [['a'], ['a', 'b', 'a'], ['length', 'b', 'a'], []])
      await onAll([...array(...keys), ...call('object.get', 3, 8, 4)], all);
    // The last key is any value.
    const keyed = sources.flatMap((source) => [...pathKeys, 0, 1, -1, true, null, ['a']].map((key) => [source, key]));
    await onAll([...array('a', 4), ...call('object.get', 3, 8, 4)], [...keyed, ...pairs]);
    await onAll([...array(4, 'b'), ...call('object.get', 3, 8, 4)], [...keyed, ...pairs]);
    await onAll([...array(4), ...call('object.get', 3, 8, 4)], [...keyed, ...pairs]);
  });

  test('of an object with any keys and of a set', async () => {
    const made: ShortBlock = [
      ['MakeObject', { target: 12 }],
      ['MakeObject', { target: 13 }],
      ['MakeSet', { target: 14 }],
      ['SetAdd', { set: 14, value: 'b' }],
      ['ObjectInsert', { object: 12, key: 3, value: 4 }],
      ['ObjectInsert', { object: 12, key: 'b', value: 14 }],
      ['ObjectInsert', { object: 13, key: 'a', value: 12 }],
    ];
    for (const keys of [
      ['a', 3],
      ['a', 'b', 'b'],
      ['a', 'b', 4],
      ['a', 'size'],
      ['b', 'b'],
    ])
      for (const source of [12, 13]) await onAll([...made, ...array(...keys), ...call('object.get', source, 8, 4)]);
  });

  test.each([
    ['constant', array('a', 'b')],
    ['only read by the call', array('a', 4)],
  ])('where it is %s, and in the text itself', (_title, path) => {
    const main: ShortBlock = [['Call', { func: 'g0.data.p', args: [0, 1], result: 2 }]];
    const body: ShortBlock = [
      ['Dot', { source: 0, key: 'pod', target: 3 }],
      ['Dot', { source: 0, key: 'key', target: 4 }],
      ...path,
      ...call('object.get', 3, 8, 4),
      ['ReturnLocal', { source: 7 }],
    ];
    const funcs = { 'g0.data.p': { params: [0, 1], return: 2, blocks: [body] } };
    const text = generatedText(assemble(expandPlan({ plans: { main: [main] }, funcs })));
    expect(text).toMatch(/r\d+\?\.a\b/);
  });
});

/** An array of both operands, as they are appended one after the other. */
const list: ShortBlock = [
  ['MakeArray', { target: 8 }],
  ['ArrayAppend', { array: 8, value: 3 }],
  ['ArrayAppend', { array: 8, value: 4 }],
];

test.each(['%v is %v', '%s%s', '%d-%d', '%v', '%v %v %v', '%%v %v', '%v%', '%5v %v', '%v:%d'])(
  'sprintf of the format %s is as on the VM',
  (format) => onAll([...list, ...call('sprintf', format, 8)]),
);

test.each(['', '-', ', ', 'x'.repeat(2000)])('concat with the delimiter %j is as on the VM', async (delimiter) => {
  await onAll([...list, ...call('concat', delimiter, 8)]);
  const append: ShortBlock[number] = ['ArrayAppend', { array: 8, value: 3 }];
  await onAll([...list, ...Array<ShortBlock[number]>(5).fill(append), ...call('concat', delimiter, 8)]);
  await onAll([...list, ...Array<ShortBlock[number]>(9).fill(append), ...call('concat', delimiter, 8)]);
});

test('an array that other statements read after its elements is the same', async () => {
  await onAll([...list, ['AssignVar', { source: 8, target: 7 }]]);
  await onAll([...list, ['ArrayAppend', { array: 8, value: 8 }], ['AssignVar', { source: 8, target: 7 }]]);
  await onAll([
    ...list,
    ['Len', { source: 8, target: 9 }],
    ['ArrayAppend', { array: 8, value: 9 }],
    ['AssignVar', { source: 8, target: 7 }],
  ]);
  await onAll([
    ...list,
    ['AssignVar', { source: 8, target: 9 }],
    ['ArrayAppend', { array: 8, value: 4 }],
    ['AssignVar', { source: 9, target: 7 }],
  ]);
});

test('elements keep the values that they had when they were appended', async () => {
  const block: ShortBlock = [
    ['MakeNumberInt', { value: 0, target: 5 }],
    ['Dot', { source: 0, key: 5, target: 3 }],
    ['MakeNumberInt', { value: 1, target: 6 }],
    ['Dot', { source: 0, key: 6, target: 4 }],
    ['MakeArray', { target: 8 }],
    ['AssignVar', { source: 3, target: 9 }],
    ['ArrayAppend', { array: 8, value: 9 }],
    ['AssignVar', { source: 4, target: 9 }],
    ['ArrayAppend', { array: 8, value: 9 }],
    ...result(8),
  ];
  expect(await both({ plans: { main: [block] } }, ['x', 'y'])).toEqual([{ result: ['x', 'y'] }]);
});
