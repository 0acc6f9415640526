/**
 * Properties that the evaluator shares with plans besides results: limits, errors, waiting, order.
 */
import { describe, expect, test } from 'vitest';
import { ArrayIndexes } from '../../runtime/evaluation/array-indexes.js';
import type { EvaluationError } from '../../runtime/evaluation/evaluation-errors.js';
import type { EvaluationOptions } from '../../runtime/evaluation/evaluation-options.js';
import { compileFor, queryFor } from '../../test/harness/plans.js';
import { prepareQueries } from '../../test/harness/queries.js';
import { arg, builtin } from '../../values/builtins/builtin.js';
import type { BuiltinContext } from '../../values/builtins/builtin-context.js';
import { CacheSet } from '../../values/builtins/cache.js';
import { nodeHost } from '../../values/builtins/host/node.js';
import { builtins } from '../../values/builtins/registry.js';
import { numberFromText } from '../../values/numbers/number.js';
import * as type from '../../values/type.js';
import type { Value } from '../../values/value.js';
import { evaluateAll, evaluateAsync } from '../evaluation/evaluate.js';

const wait = builtin('test.wait', [arg('x', type.any)], type.any, (x: Value, context: BuiltinContext) =>
  context.wait(`wait ${String(x)}`, async () => x),
);
const context = () => ({ host: nodeHost, caches: new CacheSet(), runtime: {}, dataIndexes: new ArrayIndexes() });

async function find(rules: string, query: string, options: EvaluationOptions = {}, input?: Value): Promise<readonly Value[]> {
  const compiled = compileFor(rules, { builtins: new Map([...builtins, [wait.name, wait]]) });
  const executable = await prepareQueries(compiled, [{ name: 'eval', query: queryFor(compiled, query) }]);
  return await evaluateAsync({ executable, plan: 0 }, { input, data: {} }, context(), options);
}

async function expectError(rules: string, query: string, wanted: Partial<EvaluationError>, options?: EvaluationOptions): Promise<void> {
  await expect(find(rules, query, options)).rejects.toMatchObject(wanted);
}

test.each([
  ['called', 'x := f()', ['a']],
  ['called with its value', 'f(x)', ['a']],
  ['iterated', 'some x in [f()]', ['a']],
  ['replaced', 'x := f() with data.t.f as "b"', ['b']],
])('a rule without parameters is %s with parentheses', async (_title, query, values) => {
  const solutions = await find('f() := input.x', query.replace('f(', 'data.t.f('), {}, { x: 'a' });
  expect(solutions).toEqual(values.map((x) => expect.objectContaining({ x })));
});

test('a conflict has the place of the second value and the rules that led there', () =>
  expectError('p := 1\np := 2\nq if p > 0', 'data.t.q', {
    code: 'eval_conflict_error',
    location: { file: '0.rego', row: 3, col: 1 },
    rules: [
      { name: 'data.t.p', file: '0.rego', row: 3, col: 1 },
      { name: 'data.t.q', file: '0.rego', row: 4, col: 6 },
      { name: '', file: '', row: 1, col: 1 },
    ],
  }));

test.each([
  ['of the input', 'true with input.cs[0].a as 1'],
  ['of data', 'true with data.cs[true] as 1'],
  ['known at run time', 'x := 1; true with input.cs[x] as 1'],
])('a with at a key %s that is no string is a conflict', (_title, body) =>
  expectError(`p if { ${body} }`, 'data.t.p', { code: 'eval_conflict_error', detail: 'bad document path', location: { row: 2 } as never }),
);

test.each([
  ['not', 'q if not p'],
  ['every', 'q if every x in [1] { p == x }'],
])('%s does not hide a conflict by stopping at the first solution', (_keyword, rule) =>
  expectError(`p := 1\np := 2\n${rule}`, 'data.t.q', { code: 'eval_conflict_error' }),
);

test('rules that can only have one value end with the first solution', async () => {
  const conflict = 'f(x) := true if x > 0\nf(x) := false if x > 1\n';
  expect(await find(`${conflict}p if { some x in [1, 2]; f(x) }\np if f(2)`, 'x = data.t.p')).toEqual([{ x: true }]);
});

test('built-in errors are undefined, or end the evaluation with a place', async () => {
  expect(await find('p := 1 / 0', 'x = data.t.p')).toEqual([]);
  await expectError(
    'p := 1 / 0',
    'x = data.t.p',
    { message: '0.rego:2: eval_builtin_error: div: divide by zero' },
    { strictBuiltinErrors: true },
  );
});

test('an evaluation that waits runs again with the answer', async () => {
  expect(await find('p := test.wait(5) + 1', 'x = data.t.p')).toEqual([{ x: 6 }]);
});

test('long chains of rules and long bodies need no stack', async () => {
  const chain = Array.from({ length: 3000 }, (_, i) => `p${i} := p${i + 1}`).join('\n');
  expect(await find(`${chain}\np3000 := 7`, 'x = data.t.p0')).toEqual([{ x: 7 }]);
  const body = Array.from({ length: 3000 }, (_, i) => `input != ${i}`).join('\n');
  expect(await find(`p if {\n${body}\n}`, 'x = data.t.p', {}, 'a')).toEqual([{ x: true }]);
});

test('limits end it: calls inside calls, instructions, a signal', async () => {
  const endless = 'p := count([1 | some x in numbers.range(1, 1000); some y in numbers.range(1, 1000); x == y])';
  await expectError('p := q\nq := r\nr := 1', 'data.t.p', { code: 'eval_cancel_error' }, { callDepth: 2 });
  await expectError(endless, 'data.t.p', { code: 'eval_cancel_error' }, { instructions: 10_000 });
  await expectError(endless, 'data.t.p', { code: 'eval_cancel_error' }, { signal: AbortSignal.abort() });
});

test('a path is answered as well as a query', async () => {
  const compiled = compileFor('p := input.x\nq contains 1');
  const executable = await prepareQueries(compiled, [
    { name: 'p', path: ['t', 'p'] },
    { name: 't', path: ['t'] },
  ]);
  const run = (name: string, input: Value) =>
    evaluateAll([{ executable, plan: executable.entrypoints.get(name)! }], { input, data: { t: { base: 1 } } }, context(), {})[0]!;
  expect(run('p', { x: 3 })).toEqual([{ result: 3 }]);
  expect(run('p', {})).toEqual([]);
  expect(JSON.stringify(Object.keys((run('t', {})[0] as { result: object }).result).sort())).toBe('["base","q"]');
});

describe('scans of arrays for a value inside their elements', () => {
  const input = {
    xs: Array.from({ length: 20 }, (_, i) => ({ id: i, group: { name: `g${i % 4}` } })),
    wanted: ['g1', 'g3', 'g1', 'none', 'g1'],
  };
  const scans = (rules: string) => find(rules, 'x = data.t.p', {}, input);

  test('find the elements in order', async () => {
    const rules = 'p := [[w, [x.id | some x in input.xs; x.group.name == w]] | some w in input.wanted]';
    const ids = (n: number) => [n, n + 4, n + 8, n + 12, n + 16];
    expect(await scans(rules)).toEqual([
      {
        x: [
          ['g1', ids(1)],
          ['g3', ids(3)],
          ['g1', ids(1)],
          ['none', []],
          ['g1', ids(1)],
        ],
      },
    ]);
  });

  test('with the index of the element, and in rules that others replace', async () => {
    const rules = [
      'xs := input.xs',
      'f(w) := [i | some i, x in xs; w == x.group.name]',
      'g(w) := is if is := f(w) with input.xs as [{"group": {"name": "g1"}}]',
      'p := [n | some w in input.wanted; n := count(f(w)) + count(g(w))]',
    ].join('\n');
    expect(await scans(rules)).toEqual([{ x: [6, 5, 6, 0, 6] }]);
  });

  test('a value that is undefined, and elements without the value', async () => {
    expect(await scans('p := [x.id | some w in input.wanted; some x in input.xs; x.group.name == input.nothing]')).toEqual([{ x: [] }]);
    expect(await scans('p := [x.id | some w in input.wanted; some x in input.xs; x.other == w]')).toEqual([{ x: [] }]);
    expect(await scans('p := [x | some w in input.wanted; some x in input.wanted; x.other == w]')).toEqual([{ x: [] }]);
  });
});

describe('many rules that compare the input with constants', () => {
  const rules = [
    ...Array.from({ length: 10 }, (_, i) => `p := ${i} if input.x == ${i}`),
    'p := "1.0" if input.x == 1',
    'p := "null" if input.x == null',
    'p := "a" if "a" == input.x',
    'p := "else" if input.x == "b" else := "other" if input.y',
    'p := "any" if input.z',
    'default p := "none"',
    ...Array.from({ length: 10 }, (_, i) => `s contains ${i} if input.x == ${i}`),
    's contains "y" if input.y',
  ].join('\n');

  test.each<[Value, Value]>([
    [{ x: 3 }, 3],
    [{ x: numberFromText('3.0') }, 3],
    [{ x: null }, 'null'],
    [{ x: 'a' }, 'a'],
    [{ x: 'b' }, 'else'],
    [{ x: [3] }, 'none'],
    [{ x: 'c', y: true }, 'other'],
    [{ z: true }, 'any'],
    [{}, 'none'],
    [[], 'none'],
  ])('for %j the value is %j', async (input, value) => expect(await find(rules, 'x = data.t.p', {}, input)).toEqual([{ x: value }]));

  test('conflicts among the others are found', async () => {
    await expect(find(rules, 'data.t.p', {}, { x: 1 })).rejects.toMatchObject({ code: 'eval_conflict_error' });
    await expect(find(rules, 'data.t.p', {}, { x: 3, z: true })).rejects.toMatchObject({ code: 'eval_conflict_error' });
  });

  test('a set has the members of all rules that hold', async () => {
    expect(await find(rules, 'x = sort(data.t.s)', {}, { x: 3, y: 1 })).toEqual([{ x: [3, 'y'] }]);
    expect(await find(rules, 'x = sort(data.t.s) with input.x as 4', {}, { x: 3 })).toEqual([{ x: [4] }]);
  });
});
