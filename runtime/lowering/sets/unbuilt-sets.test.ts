import { expect, test } from 'vitest';
import { type Documents, differenceOf, noCounts, planOf } from '../../../test/generators/shaped/ways.js';
import { parseJson } from '../../../values/json/json.js';
import type { Value } from '../../../values/value.js';
import { assemble } from '../../bytecode/assemble.js';
import { innerBlocks, type LoweredBlock, outermostBlocks } from '../lowered.js';

/** Members of all kinds, equal ones among them, some of which built-ins refuse. */
const members: readonly string[] = [
  '["a", "b", "a", "k"]',
  '[{"a": 1, "b": "bx"}, {"b": "bx", "a": 1}, {"a": 2, "b": 3}, {"a": 1}, {"a": 1, "b": "bx", "c": 0}]',
  '[null, false, true, 0, -0, 1, 1.0, 1e400, 100000000000000000000, "1"]',
  '[[1, 2], [2, 1], [], {}, [{"a": [1]}], {"__proto__": 1, "a": 1, "b": "bx"}]',
  '{"x": "a", "y": {"a": 1, "b": "bx"}, "z": "a"}',
  '[]',
  '"text"',
  '[{"a": 2, "b": 1.0}, {"b": 1, "a": 1}, {"a": 1.0, "b": 1.00}, {"a": 1, "b": 1}]',
  '[{"a": 1e0, "b": "b"}, {"a": 1, "b": "b"}]',
];

const documents: readonly Documents[] = members.flatMap((xs, i) =>
  ['{"x": "a", "a": 1, "b": "bx"}', '{"x": null, "a": 2, "b": 3}'].map((input) => ({
    input: parseJson(input) as Value,
    data: parseJson(`{"xs": ${xs}, "ys": ${members[(i + 1) % members.length]}, "m": {"a": ${xs}, "b": ["b", "b"], "1": [1]}}`) as Value,
  })),
);

const xs = 's contains x if some x in data.xs';
const both = `${xs}\ns contains y if { some x in data.xs; some y in data.m[x] }`;
const built = 's contains {"a": x.a, "b": x.b} if some x in data.xs';
const failing = 's contains y if { some x in data.xs; y := upper(x) }';
const list = 's := [x | some x in data.xs]';
const comprehension = 's := {x | some x in data.xs}';

const uses: readonly (readonly [title: string, rules: string])[] = [
  ['is asked for a member', 'r if input.x in s'],
  ['is asked for a constant', 'r if "b" in s'],
  ['is asked for an object', 'r if {"a": input.a, "b": input.b} in s'],
  ['is asked for an object with an object', 'r if {"a": {"b": input.b}} in s'],
  ['must not have a member', 'r if not input.x in s'],
  ['is asked for a member, whose test is followed', 'r := x if { "a" in s; x := input.b }'],
  ['is searched', 'r if { some x in s; x.a == input.a; x.b == input.b }'],
  ['is searched with a built-in', 'r if { some x in s; startswith(x.b, "b") }'],
  ['is searched by its keys', 'r if { some x; s[x]; x != input.x }'],
  ['is searched for parts of its members', 'r if { some x in s; some k, v in x; v == input.a; k == "a" }'],
  ['is searched in a negation', 'r if not q\nq if { some x in s; x == input.x }'],
  ['is tested as a whole', 'r if every x in s { x != input.x }'],
  ['is tested as a whole with a built-in', 'r if every x in s { contains(x, "a") }'],
  ['decides one of several values', 'r := "a" if { some x in s; x == input.x } else := "b" if input.a == 1 else := "c"'],
  ['is used twice', 'r if "a" in s\nr if { some x in s; x.b == input.b }'],
  ['is used through another set', 'r if input.a in q\nq contains x.a if some x in s'],
];

/** These show which of 1 and 1.0 a set has, and which one comes first. */
const shown: readonly (readonly [title: string, rules: string])[] = [
  ['becomes another set', 'r contains y if { some x in s; y := x.a }'],
  ['becomes another set in a comprehension', 'r := {y | some x in s; y := [x, input.a]}'],
  ['becomes another set through a third one', 'r contains x if some x in q\nq contains x.b if some x in s'],
  ['gives text', 'r contains y if { some x in s; y := sprintf("%s:%v", [x.b, x]) }'],
  ['is compared as text', `r if { some x in s; sprintf("%v", [x]) == \`{"a": 1.0, "b": 1.00}\` }`],
  ['is cut at a number', 'r if { some x in s; substring("ab", x.a, 1) == x.b }'],
  ['is cut at a number of elements', 'r if { some x in s; array.slice(["a", "b"], x.a, 2) == [x.b] }'],
  ['is compared as text by a function', `r if { some x in s; f(x) }\nf(x) if sprintf("%v", [x]) == \`{"a": 1.0, "b": 1.00}\``],
];

const makers: readonly (readonly [title: string, rules: string])[] = [
  ['a set', xs],
  ['a set of two bodies', both],
  ['a set of new objects', built],
  ['a set that a built-in makes', failing],
  ['an array', list],
  ['a comprehension', comprehension],
];

const textOf = (rules: string) => ({ texts: [`package t\n${rules}`], queries: ['result = data.t.r'] });

/** Whether the rule `s` is called, in a function that the plan may come to. */
function isBuilt(rules: string): boolean {
  const { texts, queries } = textOf(rules);
  const lowered = assemble(planOf(texts, queries)!).lowered!;
  const called = new Set([lowered.findIndex(({ kind }) => kind === 'plan')]);
  const visit = (block: LoweredBlock): void => {
    for (const stmt of block) {
      if (stmt.kind === 'call') called.add(stmt.func);
      for (const inner of innerBlocks(stmt)) visit(inner);
    }
  };
  // A set grows while it is walked.
  for (const func of called) for (const block of outermostBlocks(lowered[func]!)) visit(block);
  return called.has(lowered.findIndex(({ name }) => name === 'g0.data.t.s'));
}

const same = { found: undefined, refused: 0, missedErrors: 0 };

const different = async (rules: string) => {
  const counts = noCounts();
  const found =
    (await differenceOf(textOf(rules), documents, false, counts)) ?? (await differenceOf(textOf(rules), documents, true, counts));
  return { found, refused: counts.refused, missedErrors: counts.missedErrors };
};

test.each(
  makers.flatMap(([maker, made]) => [...uses, ...shown].map(([use, used]) => [`${maker} that ${use}`, `${made}\n${used}`] as const)),
)('%s answers as the walk over the plan', async (_title, rules) => {
  expect(await different(rules)).toEqual(same);
});

test.each(uses)('a set that %s is not built', (_title, used) => {
  // Where errors are looked for, the rule runs as it was: it has the call then.
  const mayFail = /startswith|contains\(/.test(used);
  expect(isBuilt(`${both}\n${used}`)).toBe(mayFail);
});

const inOtherWays: readonly (readonly [title: string, rules: string])[] = [
  ['is the result', 'r := s'],
  ['is counted', 'r := count(s)'],
  ['is used three times', 'r if "a" in s\nr if "b" in s\nr if "c" in s'],
  ['is asked in a loop', 'r if { some y in data.ys; y in s }'],
  ['is asked by a function', 'r if { some y in data.ys; f(y) }\nf(y) if y in s'],
  ['is walked in order', 'r := [x | some x in s]'],
  ['has a long loop for each member', 'r contains [x, y] if { some x in s; some y in data.ys }'],
  ['may conflict', 'r[x.a] := x.b if some x in s'],
  ['is asked where the data is replaced', 'r if { "a" in s with data.xs as ["a"] }'],
  ['is asked for two members', 'r if { some x in s; x in s }'],
];

test.each([...shown, ...inOtherWays])('a set that %s is built', async (_title, used) => {
  expect(isBuilt(`${both}\n${used}`)).toBe(true);
  expect(await different(`${both}\n${used}`)).toEqual(same);
});

test.each([
  ['may have two values', 's contains x.a if { some x in data.xs; f(x) == 1 }\nf(x) := y if y := x.a\nf(x) := y if y := x.b'],
  ['calls a function that may have a value for each round', 's contains f(x) if some x in data.xs\nf(x) := y if some y in data.m[x]'],
  ['asks a rule with a value for each round', 's contains x if { some x in data.xs; q != x }\nq := y if some y in data.ys'],
  ['asks the time', 's contains x if { some x in data.xs; time.now_ns() > x }'],
])('a set whose body %s is built', async (_title, maker) => {
  const rules = `${maker}\nr if input.x in s`;
  expect(isBuilt(rules)).toBe(true);
  expect(await different(rules)).toEqual(same);
});

test('a search ends with its first member', async () => {
  const rules = 'r if "a" in s\ns contains x if some x in data.xs';
  const { texts, queries } = textOf(rules);
  const given = { input: {}, data: { xs: ['a', ...Array.from({ length: 300_000 }, (_, i) => `b${i}`)] } };
  const counts = noCounts();
  // A walk over the plan comes to the limit.
  await differenceOf({ texts, queries }, [given], false, counts);
  expect(counts).toMatchObject({ defined: 1, limits: 0 });
});
