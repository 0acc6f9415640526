import { expect, test } from 'vitest';
import { compileOrThrow } from '../pipeline.js';
import { parseModule } from '../syntax/parse.js';
import { findWarnings } from './find-warnings.js';

/** The findings of a policy as lines. */
function found(rules: string, isLint = true): string[] {
  const modules = new Map([['p.rego', parseModule('p.rego', `package p\n\n${rules}\n`)]]);
  return findWarnings(compileOrThrow({ modules }), { isLint, known: ['data.*'] }).map(
    ({ location: { row, col }, code, message }) => `${row}:${col} ${code} ${message}`,
  );
}

test.each([
  ['two constants', 'input.x == "a"; input.x == "b"', 'input.x == "b"', ' beside `input.x == "a"`'],
  ['bounds', 'input.x > 5; input.x < 3', 'input.x < 3', ' beside `input.x > 5`'],
  ['a bound that is open', 'input.x > 5; input.x <= 5', 'input.x <= 5', ' beside `input.x > 5`'],
  ['a constant outside of a bound', 'input.x < 3; input.x == 4', 'input.x == 4', ' beside `input.x < 3`'],
  ['a negation', 'x := input.x; x == "a"; not x == "a"', 'not x == "a"', ' beside `x == "a"`'],
  ['a list', 'input.x in ["a", "b"]; input.x == "c"', 'input.x == "c"', ' beside `input.x in ["a", "b"]`'],
  [
    'beginnings',
    'startswith(input.p, "/a"); startswith(input.p, "/b")',
    'startswith(input.p, "/b")',
    ' beside `startswith(input.p, "/a")`',
  ],
  ['types', 'is_string(input.x); is_number(input.x)', 'is_number(input.x)', ' beside `is_string(input.x)`'],
  ['a loop', 'some u in input.us; u.id == 1; u.id == 2', 'u.id == 2', ' beside `u.id == 1`'],
  ['two calls', 'lower(input.m) == "a"; lower(input.m) == "b"', 'lower(input.m) == "b"', ' beside `lower(input.m) == "a"`'],
  ['a closure', 'count([u | u := input.us[_]; u.a == 1; u.a == 2]) == 0', 'u.a == 2', ' beside `u.a == 1`'],
  ['every', 'every z in input.zs { z == 1; z == 2 }', 'z == 2', ' beside `z == 1`'],
  ['a count below zero', 'count(input.xs) < 0', 'count(input.xs) < 0', ': its value is a number from 0 on'],
  ['a count that is a text', 'count(input.xs) > "3"', 'count(input.xs) > "3"', ': its value is a number from 0 on'],
  ['capitals', 'lower(input.m) == "GET"', 'lower(input.m) == "GET"', ': its value has no capitals'],
  [
    'a type that there is not',
    'type_name(input.x) == "str"',
    'type_name(input.x) == "str"',
    ': its value is one of null, boolean, number, string, array, object, set',
  ],
  ['the type of a variable', 'x := input.x + 1; x > "a"', 'x > "a"', ': its value is of the type number'],
])('a condition that never holds is told: %s', (_title, body, condition, reason) => {
  const lines = found(`q if { ${body} }`);
  expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([`impossible-condition \`${condition}\` never holds${reason}`]);
});

test.each([
  ['several members', 'input.us[_].id == 1; input.us[_].id == 2'],
  ['other inputs', 'input.x == "a" with input as {"x": "a"}; input.x == "b" with input as {"x": "b"}'],
  ['two negations', 'not input.x == "a"; not input.x == "b"'],
  ['a negation of what may be undefined', 'not input.x; not input.x == 1'],
  ['values of any type', 'input.x > 5; is_string(input.x)'],
  ['members of two loops', 'some a in input.xs; some b in input.xs; a == 1; b == 2'],
  ['bounds around a value', 'input.x > 3; input.x < 5'],
  ['conditions that are no tests of one value', 'input.x == input.y; input.x != input.z'],
])('%s are not told', (_title, body) => expect(found(`q if { ${body} }`)).toEqual([]));

test.each([
  ['a variable with a constant', 'x := 5; x > 3', 'x > 3', ' beside `x := 5`'],
  ['another constant', 'input.x == "a"; input.x != "b"', 'input.x != "b"', ' beside `input.x == "a"`'],
  ['a wider bound', 'input.x > 5; input.x > 3', 'input.x > 3', ' beside `input.x > 5`'],
  [
    'a shorter beginning',
    'startswith(input.p, "/a/b"); startswith(input.p, "/a")',
    'startswith(input.p, "/a")',
    ' beside `startswith(input.p, "/a/b")`',
  ],
  ['a count from zero on', 'count(input.xs) >= 0', 'count(input.xs) >= 0', ': its value is a number from 0 on'],
  ['a negation of the impossible', 'input.x == 1; not input.x == 2', 'not input.x == 2', ' beside `input.x == 1`'],
])('the linter tells a condition that always holds: %s', (_title, body, condition, reason) => {
  const lines = found(`q if { ${body} }`);
  expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([`redundant-condition \`${condition}\` always holds${reason}`]);
  expect(found(`q if { ${body} }`, false)).toEqual([]);
});

test.each([
  [
    'a narrower bound',
    'q := 1 if input.x > 3\nelse := 2 if input.x > 5',
    '4:1 unreachable-else this `else` is never reached: whenever its conditions hold, those of line 3 do',
  ],
  [
    'a branch that always holds',
    'q := 1 if true\nelse := 2 if input.x',
    '4:1 unreachable-else this `else` is never reached: the branch on line 3 always holds',
  ],
  [
    'a member of the list',
    'q := 1 if input.x in ["a", "b"]\nelse := 2 if input.x == "a"',
    '4:1 unreachable-else this `else` is never reached: whenever its conditions hold, those of line 3 do',
  ],
  [
    'a type of a parameter',
    'f(x) := 1 if is_string(x)\nelse := 2 if startswith(x, "a")',
    '4:1 unreachable-else this `else` is never reached: whenever its conditions hold, those of line 3 do',
  ],
  [
    'a rule without conditions',
    'default q := false\n\nq := true',
    '3:1 unreachable-default the default of `q` is never reached: the rule on line 5 always holds',
  ],
  [
    'an else without conditions',
    'default q := 1\n\nq := 2 if input.x\nelse := 3',
    '3:1 redundant-default the default of `q` is never reached: with line 6 one branch holds in any case',
  ],
  [
    'a condition and its negation',
    'default q := 1\n\nq := 2 if input.x == 1\n\nq := 3 if not input.x == 1',
    '3:1 redundant-default the default of `q` is never reached: with line 5 one branch holds in any case',
  ],
])('a branch that is never reached is told: %s', (_title, rules, line) => expect(found(rules)).toEqual([line]));

test.each([
  ['a wider bound', 'q := 1 if input.x > 5\nelse := 2 if input.x > 3'],
  ['a value that may be undefined', 'q := input.a if true\nelse := 2'],
  ['a loop of another variable', 'q := 1 if { some u in input.us; u == 1 }\nelse := 2 if { some u in input.us; u == 1 }'],
  ['a default beside a value that may be undefined', 'default q := 1\n\nq := input.x'],
  ['a default beside a function with a pattern', 'default f(_) := 1\n\nf("a") := 2'],
])('a branch that may be reached is not told: %s', (_title, rules) => expect(found(rules)).toEqual([]));

test.each([
  ['one value', 'q := "a" if input.n >= 7\n\nq := "b" if input.n >= 9', '`q` is "a" on line 3 and "b" here for the input {"n":9}'],
  ['a parameter', 'f(x) := 1 if x > 3\n\nf(x) := 2 if x < 10', '`f` is 1 on line 3 and 2 here for the arguments (4)'],
  [
    'several values',
    'q := 1 if input.u.name == "root"\n\nq := 2 if not input.u.known',
    '`q` is 1 on line 3 and 2 here for the input {"u":{"name":"root"}}',
  ],
])('the linter tells rules that conflict: %s', (_title, rules, message) => {
  expect(found(rules)).toEqual([`5:1 conflicting-rules ${message}: the evaluation ends with an error`]);
});

test.each([
  ['exclude each other', 'q := 1 if input.x == "a"\n\nq := 2 if input.x == "b"'],
  ['exclude each other by negation', 'q := 1 if input.x == "a"\n\nq := 2 if not input.x == "a"'],
  ['have one value', 'q := 1 if input.x\n\nq := 1 if input.y'],
  ['are members of a set', 'q contains 1 if input.x\n\nq contains 2 if input.y'],
  ['are keys of an object', 'q[input.k] := 1 if input.x\n\nq[input.l] := 2 if input.y'],
  ['have conditions of other kinds', 'q := 1 if input.x == input.y\n\nq := 2 if input.x == input.z'],
  ['depend on documents', 'q := 1 if data.x\n\nq := 2 if data.y'],
  ['test a value and a part of it', 'q := 1 if input.x == "a"\n\nq := 2 if input.x.y == "b"'],
])('rules are not told to conflict that %s', (_title, rules) => expect(found(rules)).toEqual([]));
