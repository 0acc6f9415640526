/** Loops that look for elements by values in members of their parts, or by two values. */
import { describe, expect, test } from 'vitest';
import { generatedText } from '../../../test/harness/generated-text.js';
import type { ShortBlock, ShortPolicy } from '../../../test/harness/short-plan.js';
import { expandPlan } from '../../../test/harness/short-plan.js';
import { both, result } from '../../../test/harness/tiers.js';
import { objectGet } from '../../../values/compare.js';
import { keyText } from '../../../values/hash.js';
import { parseJson } from '../../../values/json/json.js';
import { RegoSet } from '../../../values/set.js';
import type { ObjectValue, Value } from '../../../values/value.js';
import { assemble } from '../../bytecode/assemble.js';

/** The elements of `input.list` that a block finds for each of `input.wanted`. */
function found(comparison: ShortBlock, func: ShortBlock = []): ShortPolicy {
  const round: ShortBlock = [
    ['Dot', { source: 0, key: 'list', target: 7 }],
    ['MakeArray', { target: 8 }],
    ['Block', { blocks: [[['Scan', { source: 7, key: 9, value: 10, block: comparison }]]] }],
    ['ArrayAppend', { array: 3, value: 8 }],
  ];
  const loop: ShortBlock = [
    ['Dot', { source: 0, key: 'wanted', target: 4 }],
    ['Scan', { source: 4, key: 5, value: 6, block: round }],
  ];
  const blocks: ShortBlock[] = [func, [['ReturnLocal', { source: 5 }]]];
  return {
    plans: { main: [[['MakeArray', { target: 3 }], ['Block', { blocks: [loop] }], ...result(3)]] },
    funcs: { 'g0.data.f': { params: [0, 1, 2, 3], return: 5, blocks } },
  };
}

/** `some member in element.rows; member.a == wanted`, and what follows. */
const someMember = (element: number, wanted: number, then: ShortBlock[number]): ShortBlock => [
  ['Dot', { source: element, key: 'rows', target: 15 }],
  [
    'Scan',
    {
      source: 15,
      key: 16,
      value: 17,
      block: [['Dot', { source: 17, key: 'a', target: 18 }], ['Equal', { a: 18, b: wanted }], then],
    },
  ],
];

const inMembers = someMember(10, 6, ['ArrayAppend', { array: 8, value: 9 }]);

/** `wanted in element.rows` */
const isMember: ShortBlock = [
  ['Dot', { source: 10, key: 'rows', target: 15 }],
  ['Call', { func: 'internal.member_2', args: [6, 15], result: 16 }],
  ['NotEqual', { a: 16, b: false }],
  ['ArrayAppend', { array: 8, value: 9 }],
];

/** The same where a test of the result fails for no element: rounds for others must run. */
const mayBeMember: ShortBlock = [isMember[0]!, isMember[1]!, ['NotEqual', { a: 16, b: 'no' }], isMember[3]!];

/** `element.a == wanted.a; element.b == wanted.b` */
const byTwo: ShortBlock = [
  ['Dot', { source: 10, key: 'a', target: 11 }],
  ['Dot', { source: 6, key: 'a', target: 12 }],
  ['Equal', { a: 11, b: 12 }],
  ['Dot', { source: 10, key: 'b', target: 13 }],
  ['Dot', { source: 6, key: 'b', target: 14 }],
  ['Equal', { a: 13, b: 14 }],
  ['ArrayAppend', { array: 8, value: 9 }],
];

/** `f(element, wanted)` */
const byCall: ShortBlock = [
  ['Call', { func: 'g0.data.f', args: [0, 1, 10, 6], result: 11 }],
  ['NotEqual', { a: 11, b: false }],
  ['ArrayAppend', { array: 8, value: 9 }],
];

/** `f(element, wanted) := element.b if element.a == wanted.a` */
const equals: ShortBlock = [
  ['Dot', { source: 2, key: 'a', target: 6 }],
  ['Dot', { source: 3, key: 'a', target: 7 }],
  ['Equal', { a: 6, b: 7 }],
  ['Dot', { source: 2, key: 'b', target: 8 }],
  ['AssignVarOnce', { source: 8, target: 5 }],
];

/** `f(element, wanted) if some member in element.rows; member.a == wanted` */
const contains = someMember(2, 3, ['AssignVarOnce', { source: true, target: 5 }]);

/** `f(element, wanted) if wanted in element.rows` */
const hasMember: ShortBlock = [
  ['Dot', { source: 2, key: 'rows', target: 15 }],
  ['Call', { func: 'internal.member_2', args: [3, 15], result: 16 }],
  ['NotEqual', { a: 16, b: false }],
  ['AssignVarOnce', { source: true, target: 5 }],
];

/** The same with a result for all elements: an index would leave them out. */
const always: ShortBlock = [...contains, ['AssignVarOnce', { source: true, target: 5 }]];

/** A comparison behind which the result may be another value. */
const written: ShortBlock = [
  ['Dot', { source: 2, key: 'a', target: 5 }],
  ['Dot', { source: 3, key: 'a', target: 7 }],
  ['Equal', { a: 5, b: 7 }],
];

const rows: readonly string[] = [
  ...['{"rows": [{"a": 1}, {"a": 2}]}', '{"rows": [{"a": 2}, {"a": 2}, {"a": 1}]}', '{"rows": []}', '{}', '{"rows": "ab"}', '[1]', '3'],
  ...['{"rows": {"x": {"a": 2}, "a": 1}}', '{"rows": [[2], 2, {"a": [2]}, {"b": 2}]}', '{"rows": [{"a": 2.0}]}'],
];
const collections: readonly string[] = [
  ...['[1, 2, 2, "a"]', '{"x": 2, "y": [1], "a": "a"}', '[]', '{}', '"a"', '2', 'null', '[[1], {"a": 1}, null, false, 2.0, 1e400]'],
  ...['["\\u0000cx", "__proto__"]', '{"__proto__": "a"}', '[10e399, -0, {"b": {"a": 2}}]'],
].flatMap((rows) => [`{"rows": ${rows}}`, rows]);

const members = '[2, "a", [1], {"a": 1}, null, false, 1e400, 0, "\\u0000cx", "x", "__proto__", {"b": {"a": 2.0}}, [], 7]';

const pairs: readonly string[] = Array.from({ length: 40 }, (_, i) => [
  `{"a": ${i % 3}, "b": ${i % 4}}`,
  `{"a": 0, "b": [${i % 2}]}`,
  `{"a": 0}`,
]).flat();

/** An index finds eight to sixteen elements by the first value. */
const fewOfEach: readonly string[] = [
  ...Array.from({ length: 16 }, (_, i) => `{"a": 0, "b": ${i % 4}}`),
  ...Array.from({ length: 8 }, (_, i) => `{"a": 1, "b": ${i % 3}}`),
  '{"a": 1, "b": 2.0}',
];

const wantedPairs = `[${'{"a": 0, "b": 3}, {"a": 1, "b": 2},'.repeat(4)} {"a": 0, "b": [1]}, {"a": 0}, {"b": 0}, {}, 1]`;

test.each<[string, ShortBlock, readonly string[], string, ShortBlock?]>([
  ['members of parts', inMembers, rows, '[2, 2, 2, 2, 1, [2], "2", null]'],
  ['members of parts of a short list', inMembers, rows.slice(0, 3), '[2, 1]'],
  ['collections', isMember, collections, members],
  ['collections, in a function', byCall, collections, members, hasMember],
  ['collections that need not have it', mayBeMember, collections, members],
  ['two values', byTwo, pairs, wantedPairs],
  ['two values, few elements of the first one', byTwo, fewOfEach, wantedPairs],
  ['a comparison in a function', byCall, pairs, wantedPairs, equals],
  ['members of parts, in a function', byCall, rows, '[2, 2, 2, 2, 1, [2], "2", null]', contains],
  ['a function that is never undefined', byCall, rows, '[2, 2, 2, 2, 1, [2], "2", null]', always],
  ['a function whose result may fail a comparison', byCall, pairs, wantedPairs, written],
])('by values of %s', async (_title, comparison, list, wanted, func) => {
  const input = { list: parseJson(`[${list.join()}]`), wanted: parseJson(wanted) };
  const [answer] = (await both(found(comparison, func), input as Value)) as [{ result: readonly (readonly number[])[] }];
  const asked = input.wanted as readonly Value[];
  // Each value on its own is found without an index.
  for (const [i, one] of asked.entries()) {
    const [alone] = (await both(found(comparison, func), { ...input, wanted: [one] } as Value)) as [
      { result: readonly (readonly number[])[] },
    ];
    expect(alone.result).toEqual([answer.result[i]]);
  }
  expect(answer.result.flat().length).toBeGreaterThan(2);
  for (let instructions = 50; instructions < 1500; instructions += 131)
    await both(found(comparison, func), input as Value, { instructions });
});

test('by members of sets', async () => {
  const list = Array.from({ length: 9 }, (_, i) => ({ rows: new RegoSet([i % 3, 'a', [i % 2]]) }));
  const wanted: readonly Value[] = [0, 1, 2, 'a', [1], [2], 3];
  const [answer] = (await both(found(isMember), { list, wanted } as unknown as Value)) as [{ result: readonly (readonly number[])[] }];
  expect(answer.result).toEqual([[0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 1, 2, 3, 4, 5, 6, 7, 8], [1, 3, 5, 7], [], []]);
});

describe('a function that computes the wanted value, and fails', () => {
  /** `some element in list; element.rows; element.a == f()`, four times. */
  function policyOf(): ShortPolicy {
    const round: ShortBlock = [
      ['Dot', { source: 10, key: 'rows', target: 15 }],
      ['Call', { func: 'g0.data.f', args: [0, 1], result: 11 }],
      ['Dot', { source: 10, key: 'a', target: 12 }],
      ['Equal', { a: 12, b: 11 }],
      ['ArrayAppend', { array: 3, value: 9 }],
    ];
    const loop: ShortBlock = [
      ['Dot', { source: 0, key: 'times', target: 4 }],
      ['Dot', { source: 0, key: 'list', target: 7 }],
      ['Scan', { source: 4, key: 5, value: 6, block: [['Scan', { source: 7, key: 9, value: 10, block: round }]] }],
    ];
    const conflict: ShortBlock = [
      ['Dot', { source: 0, key: 'one', target: 3 }],
      ['AssignVarOnce', { source: 3, target: 2 }],
      ['Dot', { source: 0, key: 'other', target: 4 }],
      ['AssignVarOnce', { source: 4, target: 2 }],
    ];
    return {
      plans: { main: [[['MakeArray', { target: 3 }], ['Block', { blocks: [loop] }], ...result(3)]] },
      funcs: { 'g0.data.f': { params: [0, 1], return: 2, blocks: [conflict, [['ReturnLocal', { source: 2 }]]] } },
    };
  }
  const list = (first: object, others: object) => [first, ...Array.from({ length: 8 }, () => others)];

  test.each([
    ['fails where the first element leads to it', list({ rows: 1, a: 2 }, {}), 1, undefined],
    ['fails where a later element leads to it', list({ a: 2 }, { rows: 1, a: 1 }), 1, undefined],
    ['is not called where no element leads to it', list({ a: 1 }, { a: 1 }), 1, []],
    ['is called where an element without the value leads to it', list({ rows: 1 }, { a: 1 }), 1, undefined],
    ['finds elements otherwise', list({ rows: 1 }, { rows: 2, a: 1 }), 2, Array.from({ length: 4 }, () => [1, 2, 3, 4, 5, 6, 7, 8]).flat()],
  ])('%s', async (_title, elements, other, wanted) => {
    const answer = await both(policyOf(), { list: elements, times: [1, 2, 3, 4], one: 1, other: other === 1 ? 2 : 1 } as unknown as Value);
    if (wanted === undefined) expect(answer).toContain('conflict');
    else expect(answer).toEqual([{ result: wanted }]);
  });
});

describe('loops that group elements by a second value', () => {
  /** For each element: the counts of elements with its `a`, by their `b`, and its `a` as a text. */
  const counts: ShortBlock = [
    ['Dot', { source: 10, key: 'a', target: 11 }],
    ['Equal', { a: 11, b: 6 }],
    ['Dot', { source: 10, key: 'b', target: 13 }],
    ['MakeArray', { target: 14 }],
    [
      'Block',
      {
        blocks: [
          [
            [
              'Scan',
              {
                source: 7,
                key: 15,
                value: 16,
                block: [
                  ['Dot', { source: 16, key: 'a', target: 17 }],
                  ['Equal', { a: 17, b: 6 }],
                  ['Dot', { source: 16, key: 'b', target: 18 }],
                  ['Equal', { a: 18, b: 13 }],
                  ['ArrayAppend', { array: 14, value: 15 }],
                ],
              },
            ],
          ],
        ],
      },
    ],
    ['Call', { func: 'count', args: [14], result: 19 }],
    ['ObjectInsertOnce', { object: 8, key: 13, value: 19 }],
    ['Call', { func: 'json.marshal', args: [11], result: 20 }],
    ['ObjectInsertOnce', { object: 8, key: 20, value: 20 }],
  ];
  const policyOf = (): ShortPolicy => {
    const round: ShortBlock = [
      ['MakeObject', { target: 8 }],
      [
        'Block',
        {
          blocks: [
            [
              ['Dot', { source: 0, key: 'list', target: 7 }],
              ['Scan', { source: 7, key: 9, value: 10, block: counts }],
            ],
          ],
        },
      ],
      ['ArrayAppend', { array: 3, value: 8 }],
    ];
    const loop: ShortBlock = [
      ['Dot', { source: 0, key: 'wanted', target: 4 }],
      ['Scan', { source: 4, key: 5, value: 6, block: round }],
    ];
    const blocks: ShortBlock[] = [
      [['MakeArray', { target: 3 }]],
      loop,
      [['AssignVarOnce', { source: 3, target: 2 }]],
      [['ReturnLocal', { source: 2 }]],
    ];
    const called: ShortBlock = [['Call', { func: 'g0.data.f', args: [0, 1], result: 3 }], ...result(3)];
    return { plans: { main: [called] }, funcs: { 'g0.data.f': { params: [0, 1], return: 2, blocks } } };
  };

  const values = ['1', '2', '"a"', 'null', 'true'];
  const regular = Array.from({ length: 60 }, (_, i) => `{"a": ${values[i % 3]}, "b": ${values[(i * 7) % 5]}}`);

  test.each<[string, readonly string[]]>([
    ['scalars', regular],
    ['fewer than an index has', regular.slice(0, 21)],
    ['numbers in other forms', [...regular, '{"a": 1.0, "b": 1.0}', '{"a": 1, "b": 1.0}', '{"a": 1e0, "b": 1}']],
    ['numbers in other forms of the second one only', [...regular, '{"a": 1, "b": 1.0}', '{"a": 2, "b": 2e400}']],
    ['numbers in other forms of the first one only', [...regular, '{"a": 1.0, "b": 1}', '{"a": 1.0, "b": 3}']],
    ['numbers in other forms of the first one beside the same second one', [...regular, '{"a": 1.0, "b": 1}']],
    ['elements without one of them', [...regular, '{"a": 1}', '{"b": 1}', '1']],
    ['collections', [...regular, '{"a": 1, "b": [1]}', '{"a": [2], "b": 1}', '{"a": 1, "b": {}}', '{"a": [2], "b": [1]}']],
  ])('of %s', async (_title, list) => {
    const input = { list: parseJson(`[${list.join()}]`), wanted: parseJson('[1, 2, "a", [2], 9, 1, 2.0]') };
    const [answer] = (await both(policyOf(), input as Value)) as [{ result: readonly Value[] }];
    for (const [i, one] of (input.wanted as readonly Value[]).entries()) {
      const [alone] = (await both(policyOf(), { ...input, wanted: [one] } as Value)) as [{ result: readonly Value[] }];
      expect(keyText(alone.result as Value)).toBe(keyText([answer.result[i]!]));
    }
    for (let instructions = 100; instructions < 3000; instructions += 311) await both(policyOf(), input as Value, { instructions });
  });
});

test('few elements that an index has found are scanned for a second value', () => {
  expect(generatedText(assemble(expandPlan(found(byTwo))))).toContain('.length >= 16 &&');
});

describe('loops whose rounds depend on whole elements', () => {
  /** For each element: its positions in `input.list`, by its JSON text. */
  const round: ShortBlock = [
    ['MakeArray', { target: 14 }],
    [
      'Block',
      {
        blocks: [
          [
            ['Dot', { source: 0, key: 'list', target: 7 }],
            [
              'Scan',
              {
                source: 7,
                key: 15,
                value: 16,
                block: [
                  ['Equal', { a: 16, b: 10 }],
                  ['ArrayAppend', { array: 14, value: 15 }],
                ],
              },
            ],
          ],
        ],
      },
    ],
    ['Call', { func: 'json.marshal', args: [10], result: 17 }],
    ['ObjectInsertOnce', { object: 8, key: 17, value: 14 }],
  ];
  const blocks: ShortBlock[] = [
    [['MakeObject', { target: 8 }]],
    [
      ['Dot', { source: 0, key: 'members', target: 4 }],
      ['Scan', { source: 4, key: 9, value: 10, block: round }],
    ],
    [['AssignVarOnce', { source: 8, target: 2 }]],
    [['ReturnLocal', { source: 2 }]],
  ];
  const called: ShortBlock = [['Call', { func: 'g0.data.f', args: [0, 1], result: 3 }], ...result(3)];
  const policy: ShortPolicy = { plans: { main: [called] }, funcs: { 'g0.data.f': { params: [0, 1], return: 2, blocks } } };

  test('do not compare the members of sets', () => {
    expect(generatedText(assemble(expandPlan(policy)))).toMatch(/instanceof RegoSet \? undefined : newRounds/);
  });

  test('have the same results for sets, arrays and objects', async () => {
    const list = parseJson(
      '[1, "a", 2, null, 1.0, "a", [1], {"b": 1}, true, 2, 7, "c", "d", "\\u0000cx", "__proto__"]',
    ) as readonly Value[];
    const object = Object.fromEntries(list.map((value, i) => [`key ${i}`, value]));
    // Twice as many rounds repeat others: they are left out.
    const several = [...list, ...list, ...list];
    for (const members of [new RegoSet(several), several, list, object, new RegoSet(list.slice(0, 3))]) {
      const input = { list, members } as unknown as Value;
      const [answer] = (await both(policy, input)) as [{ result: ObjectValue }];
      const found = ['2', '"a"'].map((text) => objectGet(answer.result, text));
      expect(found).toEqual([
        [2, 9],
        [1, 5],
      ]);
      for (let instructions = 50; instructions < 2000; instructions += 173) await both(policy, input, { instructions });
    }
  });
});
