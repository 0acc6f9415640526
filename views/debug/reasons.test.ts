/** Expressions that fail, and what is told of them. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFiles } from '../../test/harness/command.js';
import { launchFiles } from '../../test/harness/dap/dap-launch.js';
import { parseJson } from '../../values/json/json.js';
import type { DebugSession } from './session.js';

const input = `{"x": 3, "y": 4, "arr": [1, 2], "obj": {"k": 2, "a": {"b": 1}}, "num": 5, "key": "zz", "flag": false}`;

/** Rules that some bodies call. */
const callees = `
f(x) := x + 1 if x < 2

f(x) := x if x == 100

sub.rule1 := 1

sub.rule2 if input.none
`;

async function withSession<T>(body: string, use: (session: DebugSession) => Promise<T>): Promise<T> {
  const policy = `package p\n\nrule if {\n\t${body}\n}\n${callees}`;
  return await withFiles({ 'p.rego': policy }, async (directory) => {
    const session = await launchFiles({ data: [join(directory, 'p.rego')], query: 'data.p.rule', input: parseJson(input) });
    const result = await use(session);
    session.dispose();
    return result;
  });
}

/** The failures in the rule `p.rule` and inside of it, in their order. */
async function failuresOf(body: string): Promise<readonly string[]> {
  return await withSession(body, async (session) => {
    session.setFilters([{ filter: 'fail' }]);
    const told: string[] = [];
    for (let stop = await session.start(); stop.reason === 'exception'; stop = await session.continue())
      if (stop.frame?.range?.file !== '<query>') told.push(stop.text!);
    return told;
  });
}

test.each([
  ['[1, input.x] == [1, 2]', ['input.x is 3, not 2']],
  ['{"a": input.x} == {"a": 2}', ['{"a": input.x} is {"a": 3}, not {"a": 2}']],
  ['{1, input.x} == {1, 2}', ['{1, input.x} is {1, 3}, not {1, 2}']],
  ['[1, y, z] = input.arr; y > 100', ['the size of input.arr is 2, not 3']],
  ['[2, y] = input.arr; y > 100', ['input.arr[0] is 1, not 2']],
  ['{"k": v} = input.obj', ['the size of input.obj is 2, not 1']],
  ['[a, b] = input.num; a == b', ['input.num is 5, no array']],
  ['input.x in {7, 8}', ['input.x in {7, 8} is false: input.x is 3']],
  ['not input.x', ['not input.x is false: input.x is 3']],
  ['x := input.x; not x == 3', ['not x == 3 is false: x is 3']],
  ['input.arr[_] == 17', ['input.arr[_] is 1, not 17', 'input.arr[_] is 2, not 17']],
  [
    'some i; input.arr[i] > input.x',
    [0, 1].map((i) => `input.arr[i] > input.x is false: i is ${i}, input.arr[i] is ${i + 1}, input.x is 3`),
  ],
  ['some v in input.num', ['input.num is 5, which has no elements']],
  ['input.x + 1 > input.y * 2', ['input.x + 1 > input.y * 2 is false: input.x is 3, input.y is 4']],
  ['input.x == input.y', ['input.x is 3, and input.y is 4']],
  ['input.obj.a.b.c', ['input.obj.a.b.c is undefined']],
  ['input.obj[input.key].z == null', ['input.obj[input.key] is undefined']],
  ['f(input.x) == 5', ['x < 2 is false: x is 3', 'x is 3, not 100', 'f(input.x) is undefined']],
  ['data.p.sub[input.key]', ['data.p.sub[input.key] is undefined']],
  ['walk(input.num, [["q"], _])', ['[] is not ["q"]']],
  ['s := {e | some e in input.arr; e > 1}; s[7]', ['e > 1 is false: e is 1', 's[7] is undefined']],
  ['y := [e | e := input.num.x]; y[0]', ['input.num.x is undefined', 'y[0] is undefined']],
  ['y := {e.b | some e in input.obj}; count(y) > 9', ['e.b is undefined', 'count(y) > 9 is false: y is {1}']],
])('%s', async (body, told) => {
  expect(await failuresOf(body)).toEqual(told);
});

test.each([
  ['every v in input.num { v > 1 }', ['input.num is 5, no collection']],
  ['every v in input.none { v > 1 }', ['input.none is undefined']],
  ['every v in input.arr { v > 1 }', ['v > 1 is false: v is 1', 'every v in input.arr { v > 1 } is false']],
  ['every k, v in input.obj { v; k != "k" }', ['k != "k" is false: k is "k"', 'every k, v in input.obj { v; k != "k" } is false']],
  ['every v in {1, 2} { v > 0 }', []],
  ['every _, v in input.obj { v }', []],
  ['x := {1, 2}; every v in x { every w in input.arr { w <= v + 1 } }', []],
])('%s: what it tries itself has not failed', async (body, told) => {
  expect(await failuresOf(body)).toEqual(told);
  await withSession(`${body}; true`, async (session) => {
    session.addBreakpoint({ place: { kind: 'line', file: 'p.rego', row: 4 } });
    for (let stop = await session.start(); stop.reason !== 'end'; stop = await session.into())
      for (const line of session.why()) expect(told).toContainEqual(line.replace(/^what failed last: .*?p\.rego:\d+: /, ''));
  });
});

test('an expression of several lines is told by its first one', async () => {
  const body = 'every v in input.arr {\n\t\tv > 1\n\t\tv < 9\n\t}';
  expect((await failuresOf(body)).at(-1)).toBe('every v in input.arr { … } is false');
  const body2 = 'input.x ==\n\t\tinput.y + 1';
  expect((await failuresOf(body2)).at(-1)).toBe('input.x is 3, and input.y + 1 is 5');
});

test('in a plan of others a local that is looked up in itself has its number', async () => {
  const stmts = [{ type: 'DotStmt', stmt: { source: { type: 'local', value: 2 }, key: { type: 'string_index', value: 0 }, target: 2 } }];
  const plan = { static: { strings: [{ value: 'a' }] }, plans: { plans: [{ name: 'p', blocks: [{ stmts }] }] }, funcs: { funcs: [] } };
  await withFiles({ 'plan.json': JSON.stringify(plan) }, async (directory) => {
    const session = await launchFiles({ plan: join(directory, 'plan.json') });
    await session.start();
    expect(session.why()).toEqual(['what failed last: l2 is undefined']);
    session.dispose();
  });
});
