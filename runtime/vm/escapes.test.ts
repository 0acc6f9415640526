import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadProgram } from '../../engine/load-program.js';
import { loadPlan } from '../../ir-schema/validate.js';
import { admitted } from '../../test/generators/plans/admitted-plan.js';
import { generateDocument, generatePolicy } from '../../test/generators/plans/plan-generator.js';
import { isLongSearch, randomCases } from '../../test/harness/set-up/random-cases.js';
import { expandPlan, type ShortBlock, type ShortFunc, type ShortStmt } from '../../test/harness/short-plan.js';
import { BuiltinError, HaltError } from '../../values/builtins/builtin-errors.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { builtins } from '../../values/builtins/registry.js';
import { equal } from '../../values/equal.js';
import { JsonError, toJson } from '../../values/json/json.js';
import { RegoSet } from '../../values/set.js';
import type { Value } from '../../values/value.js';
import { AnswerRecord } from '../evaluation/answer-record.js';
import { ArrayIndexes } from '../evaluation/array-indexes.js';
import { Evaluation } from '../evaluation/evaluation.js';
import { EvaluationError } from '../evaluation/evaluation-errors.js';
import type { LinkedProgram } from './linked-program.js';
import { interpretPlan } from './plan-interpreter.js';

const evaluation = (limits = {}) =>
  new Evaluation({ host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() }, limits, new AnswerRecord());

const documents = () => ({
  input: { list: [1], object: { a: [], k: 1 }, name: 'x', keys: [[1], { a: 1 }] } as const satisfies Value,
  data: { list: [1, { a: 1 }], set: { b: {} } } as const satisfies Value,
});

/** The `x` of a plan's result; input, data and constants must be unchanged. */
async function answer(blocks: readonly ShortBlock[], funcs: { readonly [name: string]: ShortFunc } = {}): Promise<unknown> {
  const show: ShortBlock = [
    ['MakeObject', { target: 90 }],
    ['ObjectInsert', { object: 90, key: 'x', value: 2 }],
    ['ResultSetAdd', { value: 90 }],
  ];
  const policy = expandPlan({ plans: { main: [...blocks, show] }, funcs });
  const executable = (await loadProgram(policy, builtins)) as LinkedProgram;
  const constants = toJson(executable.program.growth!.whole().constants);
  const { input, data } = documents();
  const answers: string[] = [];
  for (let i = 0; i < 2; i++) {
    answers.push(toJson(executable.run(executable.entrypoints.get('main')!, input, data, evaluation())));
    expect({ input, data }).toEqual(documents());
    expect(toJson(executable.program.constants)).toBe(constants);
  }
  const plain = interpretPlan(loadPlan(policy), { plan: 'main', input, data }, builtins, evaluation());
  expect({ input, data }).toEqual(documents());
  expect(answers).toEqual([toJson(plain), toJson(plain)]);
  return (JSON.parse(answers[0]!) as { x: unknown }[])[0]?.x;
}

/** A block that may be left before its second half. */
const perhaps = (condition: ShortStmt, ...then: readonly ShortStmt[]): ShortStmt => ['Block', { blocks: [[condition, ...then]] }];
const never: ShortStmt = ['IsDefined', { source: 99 }];

describe('what a function did not make is copied before it is changed', () => {
  test('a document that was looked up, where another way would have made the object', async () => {
    const plan: ShortBlock[] = [
      [
        ['Dot', { source: 0, key: 'object', target: 2 }],
        perhaps(never, ['MakeObject', { target: 2 }]),
        ['ObjectInsert', { object: 2, key: 'new', value: true }],
      ],
    ];
    expect(await answer(plan)).toEqual({ a: [], k: 1, new: true });
  });

  test('data that was put into an object of the function', async () => {
    const plan: ShortBlock[] = [
      [
        ['MakeObject', { target: 3 }],
        ['Dot', { source: 1, key: 'list', target: 4 }],
        ['ObjectInsert', { object: 3, key: 'list', value: 4 }],
        ['Dot', { source: 3, key: 'list', target: 2 }],
        ['ArrayAppend', { array: 2, value: 'new' }],
      ],
    ];
    expect(await answer(plan)).toEqual([1, { a: 1 }, 'new']);
  });

  test('an argument', async () => {
    const funcs: { [name: string]: ShortFunc } = {
      f: {
        params: [0, 1, 5],
        blocks: [
          [
            ['AssignVar', { source: 5, target: 2 }],
            perhaps(never, ['MakeArray', { target: 2 }]),
            ['ArrayAppend', { array: 2, value: 'f' }],
            ['ReturnLocal', { source: 2 }],
          ],
        ],
      },
    };
    const plan: ShortBlock[] = [
      [
        ['MakeArray', { target: 3 }],
        ['ArrayAppend', { array: 3, value: 'main' }],
        ['Call', { func: 'f', args: [0, 1, 3], result: 4 }],
        ['MakeArray', { target: 2 }],
        ['ArrayAppend', { array: 2, value: 3 }],
        ['ArrayAppend', { array: 2, value: 4 }],
      ],
    ];
    expect(await answer(plan, funcs)).toEqual([['main'], ['main', 'f']]);
  });

  test('what a rule answered, which is remembered', async () => {
    const funcs: { [name: string]: ShortFunc } = {
      r: {
        blocks: [
          [['Dot', { source: 0, key: 'name', target: 3 }]],
          [
            ['MakeArray', { target: 2 }],
            ['ArrayAppend', { array: 2, value: 3 }],
          ],
          [['ReturnLocal', { source: 2 }]],
        ],
      },
      constant: {
        blocks: [
          [
            ['MakeArray', { target: 2 }],
            ['ArrayAppend', { array: 2, value: 'c' }],
            ['ReturnLocal', { source: 2 }],
          ],
        ],
      },
    };
    const ask = (func: string): ShortBlock => [
      ['Call', { func, args: [0, 1], result: 4 }],
      perhaps(never, ['MakeArray', { target: 4 }]),
      ['ArrayAppend', { array: 4, value: 'new' }],
      ['ArrayAppend', { array: 2, value: 4 }],
    ];
    const plan: ShortBlock[] = [[['MakeArray', { target: 2 }]], ask('r'), ask('r'), ask('constant'), ask('constant')];
    expect(await answer(plan, funcs)).toEqual([
      ['x', 'new'],
      ['x', 'new'],
      ['c', 'new'],
      ['c', 'new'],
    ]);
  });

  test('what was given to a rule that answers it', async () => {
    const funcs: { [name: string]: ShortFunc } = { echo: { blocks: [[['ReturnLocal', { source: 0 }]]] } };
    const plan: ShortBlock[] = [
      [
        ['MakeArray', { target: 3 }],
        ['Call', { func: 'echo', args: [3, 1], result: 4 }],
        ['ArrayAppend', { array: 3, value: 'new' }],
        ['Call', { func: 'echo', args: [3, 1], result: 5 }],
        ['MakeArray', { target: 2 }],
        ['ArrayAppend', { array: 2, value: 3 }],
        ['ArrayAppend', { array: 2, value: 5 }],
      ],
    ];
    expect(await answer(plan, funcs)).toEqual([['new'], []]);
  });

  test('a member of a set, and a key', async () => {
    const plan: ShortBlock[] = [
      [
        ['MakeArray', { target: 3 }],
        ['MakeObject', { target: 4 }],
        ['ObjectInsert', { object: 4, key: 'inner', value: 3 }],
        ['MakeSet', { target: 5 }],
        ['SetAdd', { set: 5, value: 4 }],
        ['ArrayAppend', { array: 3, value: 'late' }],
        ['SetAdd', { set: 5, value: 3 }],
        ['MakeArray', { target: 6 }],
        ['MakeObject', { target: 7 }],
        ['ObjectInsert', { object: 7, key: 6, value: true }],
        ['ArrayAppend', { array: 6, value: 'late' }],
        ['MakeArray', { target: 2 }],
        ['ArrayAppend', { array: 2, value: 5 }],
        ['ArrayAppend', { array: 2, value: 7 }],
      ],
    ];
    expect(await answer(plan)).toEqual([[['late'], { inner: [] }], { '[]': true }]);
  });

  test('the document that `with` puts in place', async () => {
    const funcs: { [name: string]: ShortFunc } = { whole: { blocks: [[['ReturnLocal', { source: 0 }]]] } };
    const plan: ShortBlock[] = [
      [
        ['MakeArray', { target: 3 }],
        ['MakeArray', { target: 2 }],
        [
          'With',
          {
            local: 0,
            path: ['new'],
            value: 3,
            block: [
              ['Call', { func: 'whole', args: [0, 1], result: 4 }],
              ['ArrayAppend', { array: 3, value: 'late' }],
              ['Dot', { source: 4, key: 'new', target: 5 }],
              ['ArrayAppend', { array: 2, value: 5 }],
              ['ArrayAppend', { array: 2, value: 3 }],
            ],
          },
        ],
      ],
    ];
    expect(await answer(plan, funcs)).toEqual([[], ['late']]);
  });

  test('a result', async () => {
    const plan: ShortBlock[] = [
      [
        ['MakeObject', { target: 90 }],
        ['MakeArray', { target: 2 }],
        ['ObjectInsert', { object: 90, key: 'x', value: 2 }],
        ['ResultSetAdd', { value: 90 }],
        ['ArrayAppend', { array: 2, value: 'late' }],
        ['ObjectInsert', { object: 90, key: 'late', value: true }],
      ],
      [['Break', { index: 0 }]],
    ];
    expect(await answer(plan)).toEqual([]);
  });

  test('what the round of a loop before gave away', async () => {
    const funcs: { [name: string]: ShortFunc } = { echo: { params: [0, 1, 5], blocks: [[['ReturnLocal', { source: 5 }]]] } };
    const plan: ShortBlock[] = [
      [
        ['MakeArray', { target: 2 }],
        ['Dot', { source: 0, key: 'keys', target: 3 }],
        [
          'Scan',
          {
            source: 3,
            key: 6,
            value: 7,
            block: [
              // CacheEntry in the first round alone.
              perhaps(['IsUndefined', { source: 9 }], ['MakeArray', { target: 9 }]),
              ['ArrayAppend', { array: 9, value: 6 }],
              ['Call', { func: 'echo', args: [0, 1, 9], result: 10 }],
              ['ArrayAppend', { array: 2, value: 10 }],
            ],
          },
        ],
      ],
    ];
    expect(await answer(plan, funcs)).toEqual([[0], [0, 1]]);
  });
});

describe('what a function made and gave nobody is changed where it is', () => {
  test('under another name, and inside of what holds it', async () => {
    const plan: ShortBlock[] = [
      [
        ['MakeObject', { target: 2 }],
        ['MakeObject', { target: 3 }],
        ['ObjectInsert', { object: 2, key: 'a', value: 3 }],
        ['AssignVar', { source: 3, target: 4 }],
        ['ObjectInsert', { object: 4, key: 'one', value: true }],
        ['Dot', { source: 2, key: 'a', target: 5 }],
        ['ObjectInsert', { object: 5, key: 'two', value: true }],
      ],
    ];
    expect(await answer(plan)).toEqual({ a: { one: true, two: true } });
  });
});

test('a large object that was walked before it got its last keys is walked whole', async () => {
  const keys = Array.from({ length: 40 }, (_, i) => `k${i + 10}`);
  const plan: ShortBlock[] = [
    [
      ['MakeArray', { target: 2 }],
      ['MakeObject', { target: 3 }],
      ...keys.map((key): ShortStmt => ['ObjectInsert', { object: 3, key, value: true }]),
      ['Scan', { source: 3, key: 6, value: 7, block: [['Nop']] }],
      ['ObjectInsert', { object: 3, key: 'a', value: true }],
      ['ObjectInsertOnce', { object: 3, key: 'z', value: true }],
      ['Scan', { source: 3, key: 6, value: 7, block: [['ArrayAppend', { array: 2, value: 6 }]] }],
    ],
  ];
  expect(await answer(plan)).toEqual(['a', ...keys, 'z']);
});

const choices = fc.array(fc.nat(1000), { maxLength: 500, size: 'max' });

type Outcome = { readonly results: RegoSet } | { readonly error: string } | undefined;

/** Undefined where values contain themselves: two walks find that at different depths. */
function outcomeOf(evaluate: () => readonly Value[]): Outcome {
  try {
    const results = evaluate();
    toJson(results);
    return { results: new RegoSet(results) };
  } catch (error) {
    if (error instanceof EvaluationError)
      return error.code === 'eval_internal_error' ? undefined : { error: `${error.code}: ${error.detail}` };
    if (error instanceof HaltError || error instanceof BuiltinError) return { error: `${error.code}: ${error.message}` };
    if (error instanceof RangeError || error instanceof JsonError) return undefined;
    throw error;
  }
}

test('plans that change whatever they find leave documents and constants alone, and answer what a walk over the plan answers', async () => {
  const seen = { answers: 0, copies: 0 };
  await fc.assert(
    fc.asyncProperty(choices, choices, choices, async (plan, inputChoices, dataChoices) => {
      const policy = admitted(expandPlan(generatePolicy(plan, { withoutEarlyExit: true, changesAnything: true })));
      const executable = (await loadProgram(policy, builtins)) as LinkedProgram;
      const constants = toJson(executable.program.growth!.whole().constants);
      const [input, data] = [generateDocument(inputChoices) as Value, generateDocument(dataChoices) as Value];
      const [inputBefore, dataBefore] = [structuredClone(input), structuredClone(data)];
      const got = outcomeOf(() => executable.run(executable.entrypoints.get('main')!, input, data, evaluation({ instructions: 50_000 })));
      expect(input).toEqual(inputBefore);
      expect(data).toEqual(dataBefore);
      expect(toJson(executable.program.constants)).toBe(constants);
      const wanted = outcomeOf(() => interpretPlan(loadPlan(policy), { plan: 'main', input, data }, builtins, evaluation()));
      expect(input).toEqual(inputBefore);
      expect(data).toEqual(dataBefore);
      if (got === undefined || wanted === undefined) return;
      seen.answers++;
      if ('error' in got || 'error' in wanted) expect(got).toEqual(wanted);
      else if (!equal(got.results, wanted.results)) expect(toJson(got.results)).toBe(toJson(wanted.results));
    }),
    { numRuns: randomCases(300), endOnFailure: !isLongSearch },
  );
  expect(seen.answers).toBeGreaterThan(0);
});
