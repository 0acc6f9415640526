/** Rules that a dispatch may leave out: the answers are those of a walk over all of them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadProgram } from '../../../../engine/load-program.js';
import { loadPlan } from '../../../../ir-schema/validate.js';
import { answerOf, showAnswer } from '../../../../test/harness/answers.js';
import { randomCases } from '../../../../test/harness/set-up/random-cases.js';
import { expandPlan, type ShortBlock, type ShortPolicy, type ShortStmt } from '../../../../test/harness/short-plan.js';
import type { BuiltinError } from '../../../../values/builtins/builtin-errors.js';
import { CacheSet } from '../../../../values/builtins/cache.js';
import { builtins } from '../../../../values/builtins/registry.js';
import type { Value } from '../../../../values/value.js';
import { watchWork } from '../../../../values/work.js';
import { AnswerRecord } from '../../../evaluation/answer-record.js';
import { ArrayIndexes } from '../../../evaluation/array-indexes.js';
import type { CodegenMode } from '../../../evaluation/engine-context.js';
import { Evaluation } from '../../../evaluation/evaluation.js';
import { interpretPlan } from '../../../vm/plan-interpreter.js';

const constants = ['a', 'b', 'c', 'd', 'GET'];

/** Comparisons that begin rules: each gets a constant, and locals of its own from `n` on. */
const guards: readonly ((constant: string, n: number) => ShortBlock)[] = [
  (constant, n) => [
    ['Dot', { source: 0, key: 'method', target: n }],
    ['Equal', { a: n, b: constant }],
  ],
  (constant, n) => [
    ['Dot', { source: 0, key: 'role', target: n }],
    ['Equal', { a: n, b: constant }],
  ],
  // Work comes first.
  (constant, n) => [
    ['Dot', { source: 0, key: 'long', target: n }],
    ['Len', { source: n, target: n + 1 }],
    ['Dot', { source: 0, key: 'role', target: n + 2 }],
    ['Equal', { a: n + 2, b: constant }],
  ],
  // An element of an array of two.
  (constant, n) => [
    ['Dot', { source: 0, key: 'list', target: n }],
    ['IsArray', { source: n }],
    ['Len', { source: n, target: n + 1 }],
    ['MakeNumberInt', { value: 2, target: n + 2 }],
    ['Equal', { a: n + 1, b: n + 2 }],
    ['MakeNumberInt', { value: 1, target: n + 3 }],
    ['Dot', { source: n, key: n + 3, target: n + 4 }],
    ['Equal', { a: n + 4, b: constant }],
  ],
  // A part of what a rule returns.
  (constant, n) => [
    ['Call', { func: 'parts', args: [0, 1], result: n }],
    ['MakeNumberInt', { value: 1, target: n + 1 }],
    ['Dot', { source: n, key: n + 1, target: n + 2 }],
    ['Equal', { a: n + 2, b: constant }],
  ],
  // A part of what a built-in makes of the input.
  (constant, n) => [
    ['Dot', { source: 0, key: 'path', target: n }],
    ['Call', { func: 'split', args: [n, '/'], result: n + 1 }],
    ['MakeNumberInt', { value: 1, target: n + 2 }],
    ['Dot', { source: n + 1, key: n + 2, target: n + 3 }],
    ['Equal', { a: constant, b: n + 3 }],
  ],
  // A function that compares.
  (constant, n) => [
    ['Call', { func: 'matches', args: [0, 1, constant, 'path'], result: n }],
    ['NotEqual', { a: n, b: false }],
  ],
  // A function that compares two parts.
  (constant, n) => [
    ['Call', { func: 'fits', args: [0, 1, constant, constants[Math.floor(n / 300) % constants.length]!], result: n }],
    ['NotEqual', { a: n, b: false }],
  ],
  // A whole array, made in the block or by a function of the compiler.
  (constant, n) => [
    ['Dot', { source: 0, key: 'list', target: n }],
    ['MakeArray', { target: n + 1 }],
    ['ArrayAppend', { array: n + 1, value: 'b' }],
    ['ArrayAppend', { array: n + 1, value: constant }],
    ['Equal', { a: n, b: n + 1 }],
  ],
  (constant, n) => [
    ['Dot', { source: 0, key: 'list', target: n }],
    ['Call', { func: `literal.${constant}`, args: [0, 1], result: n + 1 }],
    ['Equal', { a: n, b: n + 1 }],
  ],
  // A call that is no comparison comes first.
  (constant, n) => [
    ['Dot', { source: 0, key: 'path', target: n }],
    ['Call', { func: 'startswith', args: [n, '/'], result: n + 1 }],
    ['NotEqual', { a: n + 1, b: false }],
    ['Dot', { source: 0, key: 'method', target: n + 2 }],
    ['Equal', { a: n + 2, b: constant }],
  ],
  // A rule that may end the evaluation.
  (constant, n) => [
    ['Call', { func: 'conflicting', args: [0, 1], result: n }],
    ['Dot', { source: 0, key: 'method', target: n + 1 }],
    ['Equal', { a: n + 1, b: constant }],
  ],
  (_constant, n) => [['Dot', { source: 0, key: 'method', target: n }]],
];

/** The comparison that begins with a call. */
const behindCalls = guards.findIndex((guard) => guard('', 0)[1]?.[1]?.func === 'startswith');

const functions: ShortPolicy['funcs'] = {
  parts: {
    blocks: [
      [
        ['Dot', { source: 0, key: 'path', target: 3 }],
        ['Call', { func: 'trim', args: [3, '/'], result: 4 }],
        ['Call', { func: 'split', args: [4, '/'], result: 5 }],
        ['AssignVarOnce', { source: 5, target: 2 }],
      ],
      [['ReturnLocal', { source: 2 }]],
    ],
  },
  matches: {
    params: [0, 1, 2, 3],
    return: 4,
    blocks: [
      [
        ['Dot', { source: 0, key: 'method', target: 5 }],
        ['Equal', { a: 5, b: 2 }],
        ['Dot', { source: 0, key: 3, target: 6 }],
        ['AssignVarOnce', { source: true, target: 4 }],
      ],
      [['ReturnLocal', { source: 4 }]],
    ],
  },
  fits: {
    params: [0, 1, 2, 3],
    return: 4,
    blocks: [
      [
        ['Dot', { source: 0, key: 'method', target: 5 }],
        ['Equal', { a: 5, b: 2 }],
        ['Dot', { source: 0, key: 'role', target: 6 }],
        ['Equal', { a: 6, b: 3 }],
        ['AssignVarOnce', { source: true, target: 4 }],
      ],
      [['ReturnLocal', { source: 4 }]],
    ],
  },
  conflicting: {
    blocks: [
      [['AssignVarOnce', { source: 'a', target: 2 }]],
      [
        ['Dot', { source: 0, key: 'path', target: 3 }],
        ['Equal', { a: 3, b: 'conflict' }],
        ['AssignVarOnce', { source: 'b', target: 2 }],
      ],
      [['ReturnLocal', { source: 2 }]],
    ],
  },
  ...Object.fromEntries(
    constants.map((constant) => [
      `literal.${constant}`,
      {
        blocks: [
          [
            ['MakeArray', { target: 2 }],
            ['ArrayAppend', { array: 2, value: 'b' }],
            ['ArrayAppend', { array: 2, value: constant }],
            ['ReturnLocal', { source: 2 }],
          ] satisfies ShortBlock,
        ],
      },
    ]),
  ),
};

interface Rule {
  /** Which guards, and the constants that they compare with. */
  readonly guards: readonly (readonly [form: number, constant: number])[];
  readonly constant: number;
  /** Of an `else`: the guards, if there is one. */
  readonly otherwise: readonly (readonly [form: number, constant: number])[] | undefined;
  readonly adds: boolean;
  /** Whether the `else` has a result before it compares. */
  readonly isEarly: boolean;
}

function blocksOf({ guards: own, constant, otherwise, adds, isEarly }: Rule, at: number): readonly ShortBlock[] {
  let next = 100 + at * 60;
  const compare = (list: Rule['guards']): ShortStmt[] =>
    list.flatMap(([form, i]) => guards[form % guards.length]!(constants[i % constants.length]!, (next += 5)));
  const value = constants[constant % 2]!;
  const early: ShortBlock = isEarly ? [['Dot', { source: 0, key: 'method', target: 3 }]] : [];
  if (adds) return [[...compare(own), ['SetAdd', { set: 20, value: String(at) }]]];
  if (otherwise === undefined) return [[...compare(own), ['AssignVarOnce', { source: value, target: 2 }]]];
  return [
    [['ResetLocal', { target: 3 }], ...compare(own), ['AssignVarOnce', { source: value, target: 3 }]],
    [['IsUndefined', { source: 3 }], ...early, ...compare(otherwise), ['AssignVarOnce', { source: 'else', target: 3 }]],
    [
      ['IsDefined', { source: 3 }],
      ['AssignVarOnce', { source: 3, target: 2 }],
    ],
  ];
}

function policyOf(rules: readonly Rule[]): ShortPolicy {
  const rule = {
    blocks: [
      [['MakeSet', { target: 20 }]] satisfies ShortBlock,
      ...rules.flatMap(blocksOf),
      [
        ['MakeArray', { target: 21 }],
        ['ArrayAppend', { array: 21, value: 20 }],
        ['ArrayAppend', { array: 21, value: 2 }],
      ] satisfies ShortBlock,
      [['ReturnLocal', { source: 21 }]] satisfies ShortBlock,
    ],
  };
  const main: ShortBlock = [
    ['Call', { func: 'rule', args: [0, 1], result: 2 }],
    ['MakeObject', { target: 3 }],
    ['ObjectInsert', { key: 'result', value: 2, object: 3 }],
    ['ResultSetAdd', { value: 3 }],
  ];
  return { plans: { main: [main] }, funcs: { ...functions, rule } };
}

/** Rules that have some comparisons in common, and now and then one that has not. */
const policies: fc.Arbitrary<ShortPolicy> = fc
  .tuple(fc.array(fc.nat(guards.length - 1), { minLength: 1, maxLength: 2 }), fc.nat(9), fc.boolean())
  .chain(([common, odd, adds]) => {
    const compared = fc.tuple(
      ...common.map((form) => fc.tuple(fc.constant(form), fc.nat(4))),
      fc.option(fc.tuple(fc.nat(guards.length - 1), fc.nat(4)), { freq: 3, nil: [common[0]!, 0] as [number, number] }),
    );
    const fitting = fc.boolean().chain((ahead) => compared.map((list) => (ahead ? list.toReversed() : list)));
    const any = fc.array(fc.tuple(fc.nat(guards.length - 1), fc.nat(4)), { maxLength: 2 });
    const own = odd === 0 ? fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: any }) : fitting;
    const otherwise = fc.oneof(
      { weight: 4, arbitrary: fc.constant(undefined) },
      { weight: 3, arbitrary: fc.constant('same' as const) },
      { weight: 1, arbitrary: fc.constant('behind' as const) },
      { weight: 1, arbitrary: any },
    );
    const rule = fc.tuple(own, fc.nat(1), otherwise, fc.nat(9)).map(([list, constant, other, early]): Rule => {
      return {
        guards: list,
        constant,
        otherwise: other === 'same' ? list : other === 'behind' ? [[behindCalls, 0], ...list] : other,
        adds,
        isEarly: early === 0,
      };
    });
    return fc.array(rule, { minLength: 4, maxLength: 24, size: 'max' });
  })
  .map(policyOf);

const inputs: fc.Arbitrary<Value> = fc.record({
  method: fc.constantFrom<Value>(...constants, null, 1, false),
  long: fc.constantFrom('x'.repeat(2000)),
  role: fc.constantFrom<Value>(...constants, 'a\0b', {}, 2),
  path: fc.constantFrom<Value>('/a/b', '/b', 'x/a/c', '/d/GET/', '', 7, ['/'], 'conflict', 'a/conflict'),
  list: fc.constantFrom<Value>(['b', 'a'], ['b', 'c'], ['b'], ['b', 'd', 'e'], { 1: 'a' }, 'b'),
});

/** Errors of built-ins are undefined, end the evaluation, or are reported. */
const modes = ['undefined', 'strict', 'reported'] as const;

/** Notes errors of built-ins where they happen. */
class NotingEvaluation extends Evaluation {
  readonly failures: string[] = [];

  override builtinFailed(error: BuiltinError, name: string): undefined {
    this.failures.push(String(error.by(name)));
    return super.builtinFailed(error, name);
  }
}

interface End {
  /** The answer or error, and the errors of built-ins where these are reported. */
  readonly text: string;
  /** The work that was left. */
  readonly left: number;
}

function ended(mode: (typeof modes)[number], codegen: CodegenMode, evaluate: (evaluation: Evaluation) => readonly Value[]): End {
  const context = { host: {}, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes(), codegen };
  const onBuiltinError = mode === 'reported' ? () => undefined : undefined;
  const evaluation = new NotingEvaluation(context, { strictBuiltinErrors: mode === 'strict', onBuiltinError }, new AnswerRecord());
  const before = watchWork(evaluation.meter);
  const answer = showAnswer(answerOf(() => evaluate(evaluation)));
  watchWork(before);
  const text = mode === 'reported' ? [answer, ...evaluation.failures].join('\n') : answer;
  return { text, left: evaluation.meter.left };
}

async function expectAgreement(short: ShortPolicy, documents: readonly Value[]): Promise<void> {
  const policy = expandPlan(short);
  const plan = loadPlan(policy);
  const executable = await loadProgram(policy, builtins);
  const main = executable.entrypoints.get('main')!;
  for (const input of documents) {
    for (const mode of modes) {
      const wanted = ended(mode, 'never', (evaluation) => interpretPlan(plan, { plan: 'main', input, data: {} }, builtins, evaluation));
      const run = (codegen: CodegenMode) => ended(mode, codegen, (evaluation) => executable.run(main, input, {}, evaluation));
      const [vm, generated] = [run('never'), run('always')];
      expect([vm.text, generated.text]).toEqual([wanted.text, wanted.text]);
      // The work before an error that is thrown is not exact.
      if (!wanted.text.includes('error')) expect(generated.left).toBe(vm.left);
    }
  }
}

test('rules of which a dispatch leaves some out answer as all of them', async () => {
  await fc.assert(fc.asyncProperty(policies, fc.array(inputs, { minLength: 1, maxLength: 4 }), expectAgreement), {
    numRuns: randomCases(200),
  });
});

test('calls that compare two parts are counted in each rule of the first part', async () => {
  const fits = guards.findIndex((guard) => guard('', 0)[0]?.[1]?.func === 'fits');
  const rule = (_: unknown, at: number): Rule => {
    return { guards: [[fits, at % 5]], constant: 0, otherwise: undefined, adds: true, isEarly: false };
  };
  const documents = constants.map((role) => ({ method: 'a', role }));
  await expectAgreement(policyOf(Array.from({ length: 25 }, rule)), documents);
});
