import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import { expandPlan, type ShortBlock, type ShortPolicy } from '../../test/harness/short-plan.js';
import { both, outcomeOf, result } from '../../test/harness/tiers.js';
import { builtins } from '../../values/builtins/registry.js';
import { parseJson } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { packExecutable, unpackExecutable } from './packed-executable.js';

/** A plan that returns the result of `data.p`. */
const calling: ShortBlock = [['Call', { func: 'g0.data.p', args: [0, 1], result: 2 }], ...result(2)];

/**
 * Rules `p := i if input.key == "i"`.
 * @param ending of each rule, whose value is in register 5
 */
function manyRules(count: number, ending: ShortBlock = [['AssignVarOnce', { source: 5, target: 3 }]]): ShortPolicy {
  const blocks = Array.from(
    { length: count },
    (_, i): ShortBlock => [
      ['Dot', { source: 0, key: 'key', target: 4 }],
      ['Equal', { a: 4, b: `k${i}` }],
      ['MakeNumberInt', { value: i, target: 5 }],
      ...ending,
    ],
  );
  const last: ShortBlock = [
    ['IsDefined', { source: 3 }],
    ['ReturnLocal', { source: 3 }],
  ];
  return { plans: { main: [calling] }, funcs: { 'g0.data.p': { params: [0, 1], return: 3, blocks: [...blocks, last] } } };
}

/** Whether a row equals the value at a key of `from`, which is looked up before the loop. */
function rowEqualTo(key: string): ShortPolicy {
  const round: ShortBlock = [
    ['Dot', { source: 0, key, target: 5 }],
    ['Equal', { a: 7, b: 5 }],
    ['AssignVarOnce', { source: true, target: 3 }],
  ];
  const loop: ShortBlock = [
    ['Dot', { source: 1, key: 'rows', target: 4 }],
    ['Scan', { source: 4, key: 6, value: 7, block: round }],
  ];
  const call: ShortBlock = [
    ['Dot', { source: 0, key: 'from', target: 3 }],
    ['Call', { func: 'g0.data.f', args: [3, 0], result: 2 }],
    ...result(2),
  ];
  const last: ShortBlock = [
    ['IsDefined', { source: 3 }],
    ['ReturnLocal', { source: 3 }],
  ];
  return { plans: { main: [call] }, funcs: { 'g0.data.f': { params: [0, 1], return: 3, blocks: [loop, last] } } };
}

test.each<[string, Value, string, boolean]>([
  ['a key', { x: 2 }, 'x', true],
  ['a key that all objects inherit', {}, 'constructor', false],
  ['such a key of its own', { constructor: 2 } as unknown as Value, 'constructor', true],
  ['an index as a key', [2, 2], '1', false],
  ['the length of an array', [1, 1], 'length', false],
  ['the length of a string', 'ab', 'length', false],
  ['a key of null', null, 'x', false],
])('a look-up before a loop: %s', async (_title, from, key, found) => {
  expect(await both(rowEqualTo(key), { from, rows: [1, 2] })).toEqual(found ? [{ result: true }] : []);
});

describe('a function of many rules, which is split', () => {
  test.each([5, 100, 3000])('%i rules', async (count) => {
    const policy = manyRules(count);
    expect(await both(policy, { key: `k${count - 1}` })).toEqual([{ result: count - 1 }]);
    expect(await both(policy, { key: 'k0' })).toEqual([{ result: 0 }]);
    expect(await both(policy, { key: 'none' })).toEqual([]);
    expect(await both(policy, {})).toEqual([]);
  });

  test.each<[string, ShortBlock, unknown]>([
    ['return', [['ReturnLocal', { source: 5 }]], [{ result: 7 }]],
    [
      'leave two registers for the others',
      [
        ['AssignVar', { source: 5, target: 6 }],
        ['AssignVarOnce', { source: 5, target: 3 }],
      ],
      [{ result: 7 }],
    ],
    ['write a parameter', [['AssignVar', { source: 5, target: 1 }]], []],
    ['write the result again', [['AssignVar', { source: 1, target: 3 }]], [{ result: {} }]],
  ])('whose rules %s', async (_title, ending, wanted) => {
    expect(await both(manyRules(20, ending), { key: 'k7' })).toEqual(wanted);
    expect(await both(manyRules(20, ending), { key: 'none' })).toEqual([]);
  });

  test('is worth as much work as the rules of one constant', async () => {
    const outcomes = [20, 300].map(async (count) => {
      const found: unknown[] = [];
      for (let instructions = 1; instructions < 9; instructions++)
        found.push(await both(manyRules(count), { key: 'k1' }, { instructions }));
      return found;
    });
    const [few, many] = await Promise.all(outcomes);
    expect(few!.at(-1)).toEqual([{ result: 1 }]);
    expect(many).toEqual(few);
  });
});

test('inside of a with, a register has another value than before', async () => {
  const replaced: ShortBlock = [
    ['With', { local: 20, path: ['a'], value: 'text', block: [['AssignVarOnce', { source: true, target: 20 }]] }],
    ...result(20),
  ];
  expect(await both({ plans: { main: [replaced] } }, {})).toMatch(/eval_conflict_error/);
});

test('calls that nest deeper than the stack of JavaScript end as on the VM', async () => {
  const recursive: ShortPolicy = {
    plans: { main: [[['Call', { func: 'f', args: [0, 1, 0, 0], result: 2 }], ...result(2)]] },
    funcs: {
      f: {
        params: [0, 1, 6, 7],
        return: 3,
        blocks: [
          [
            ['Call', { func: 'f', args: [0, 1, 6, 7], result: 3 }],
            ['ReturnLocal', { source: 3 }],
          ],
        ],
      },
    },
  };
  expect(await both(recursive, 1)).toMatch(/calls nest deeper than 10000/);
  expect(await both(recursive, 1, { callDepth: 50_000 })).toMatch(/calls nest deeper than 50000/);
});

describe('a built-in over a comprehension, whose array is not built', () => {
  const over = (func: string): ShortPolicy => ({
    plans: {
      main: [
        [
          ['MakeArray', { target: 3 }],
          ['Block', { blocks: [[['Scan', { source: 0, key: 4, value: 5, block: [['ArrayAppend', { array: 3, value: 5 }]] }]]] }],
          ['AssignVar', { source: 3, target: 6 }],
          ['Call', { func, args: [6], result: 2 }],
          ...result(2),
        ],
      ],
    },
  });
  test.each(['count', 'sum', 'max', 'min'])('%s', async (func) => {
    const lists = ['', '1, 2, 3', '3, -1, 2', '-0, 0', '2, 2.0, 2', '1, 1.5, 2', '9007199254740991, 1, 1', '-9007199254740991, -5, 7'];
    const others = [
      '1e300, 1, -1e300',
      '5, 12345678901234567890, 3',
      '1, "a"',
      '"a", 1',
      'null, [1], 3',
      '[2], {"a": 1}, "x"',
      '0.1, 0.2, 3',
    ];
    for (const list of [...lists, ...others]) {
      const input = parseJson(`[${list}]`);
      await both(over(func), input);
      await both(over(func), input, { strictBuiltinErrors: true });
    }
    expect(await both(over(func), [4])).toEqual([{ result: func === 'count' ? 1 : 4 }]);
  });

  test('its work is counted as on the VM', async () => {
    const input = Array.from({ length: 500 }, (_, i) => i);
    for (let instructions = 1; instructions < 3000; instructions += 97) await both(over('sum'), input, { instructions });
  });
});

test('an element of an array is no field of it', async () => {
  const policy: ShortPolicy = { plans: { main: [[['Dot', { source: 0, key: '1', target: 2 }], ...result(2)]] } };
  expect(await both(policy, ['a', 'b'])).toEqual([]);
  expect(await both(policy, { 1: 'b' })).toEqual([{ result: 'b' }]);
});

test.each(['constructor', '__proto__', 'length', 'size', 'text', 'sorted', 'toString', 'has-dash', 'a b', '\u2028'])(
  'the key %j finds own keys of documents only',
  async (key) => {
    const policy: ShortPolicy = { plans: { main: [[['Dot', { source: 0, key, target: 2 }], ...result(2)]] } };
    for (const value of [{}, [], 'text', 1, null, { [key]: 1 }, [1, 2]] as const) await both(policy, value as Value);
    expect(await both(policy, JSON.parse(`{${JSON.stringify(key)}: 7}`) as Value)).toEqual([{ result: 7 }]);
    expect(await both(policy, ['x'])).toEqual([]);
  },
);

test('where the host makes no code of text, the VM goes on', () => {
  const library = fileURLToPath(new URL('../../dist/index.js', import.meta.url));
  const script = `
    const { Engine } = require(${JSON.stringify(library)});
    Engine.open({ policies: { 'p.rego': 'package p\\nx := input.a + 1' } }, { codegen: 'always' })
      .then((engine) => console.log(JSON.stringify(engine.decide('p/x', { a: 1 }))));`;
  const flags = ['--disallow-code-generation-from-strings', '-e', script];
  expect(execFileSync(process.execPath, flags, { encoding: 'utf8' })).toBe('{"result":2}\n');
});

test.each([
  ['generates code', undefined, true],
  ['generates none where it is for the VM only', { isInterpreted: true }, false],
] as const)('a program that was packed %s', async (_title, options, isGenerated) => {
  const loaded = await loadProgram(expandPlan({ plans: { main: [result(0)] } }), builtins);
  const unpacked = await unpackExecutable(packExecutable(loaded, options), builtins);
  const made = vi.spyOn(globalThis, 'Function');
  try {
    expect(outcomeOf(unpacked, 1, 'always', {})).toEqual([{ result: 1 }]);
    expect(made.mock.calls.some(([...texts]) => String(texts.at(-1)).startsWith('"use strict"'))).toBe(isGenerated);
  } finally {
    made.mockRestore();
  }
});
