import { expect, test } from 'vitest';
import { loadRegex } from '../../values/index.js';
import { compileOrThrow } from '../pipeline.js';
import { parseModule } from '../syntax/parse.js';
import { findWarnings } from './find-warnings.js';
import type { WarningScope } from './warning-scope.js';

/** The findings of a policy as lines. */
function found(rules: string, isLint = true, known = ['data.*']): string[] {
  const modules = new Map([['p.rego', parseModule('p.rego', `package p\n\n${rules}\n`)]]);
  return findWarnings(compileOrThrow({ modules }), { isLint, known }).map(
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

const isSet = (name: string) => `: \`${name}\` is a set, which is defined also when it is empty`;

test.each([
  ['a set', 'q if not deny', 'not deny'],
  ['a set of another body', 'q := [1 | not deny]', 'not deny'],
  ['a set by its path', 'q if not data.p.deny', 'not data.p.deny'],
  ['a set for an input', 'q if not deny with input as {"x": 1}', 'not deny with input as {"x": 1}'],
  ['a set beside a condition', 'q if {\n\tinput.x\n\tnot deny\n}', 'not deny'],
])('`not` of %s never holds', (_title, rule, text) => {
  const lines = found(`deny contains "x" if input.bad\n\n${rule}`);
  expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
    `impossible-not \`${text}\` never holds${isSet(/\S*deny/.exec(text)![0])}`,
  ]);
});

test('`not` of a set is told in braces too', () => {
  const [line] = found('import future.keywords.not\n\ndeny contains "x" if input.bad\n\nq if not { deny }');
  expect(line).toContain(`impossible-not \`not { deny }\` never holds${isSet('deny')}`);
});

test.each([
  ['a member', 'not deny[input.x]'],
  ['a count', 'not count(deny) > 0'],
  ['a set that `with` replaces', 'not deny with data.p.deny as false'],
  ['a rule', 'not closed'],
])('`not` of %s is not told', (_title, body) =>
  expect(found(`deny contains "x" if input.bad\n\nclosed if input.y\n\nq if ${body}`)).toEqual([]),
);

test.each([
  ['several members', 'input.us[_].id == 1; input.us[_].id == 2'],
  ['other inputs', 'input.x == "a" with input as {"x": "a"}; input.x == "b" with input as {"x": "b"}'],
  ['two negations', 'not input.x == "a"; not input.x == "b"'],
  ['a negation of what may be undefined', 'not input.x; not input.x == 1'],
  ['a negation of a member of a known type', 'x := input.x; not data.p.r[x] }\n\nr contains 5\n\ns if { true'],
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

/** The findings of some files as lines; conditions of these are not looked at. */
function foundIn(files: Readonly<Record<string, string>>, scope: WarningScope = {}): string[] {
  const modules = new Map(Object.entries(files).map(([name, text]) => [name, parseModule(name, text)]));
  return findWarnings(compileOrThrow({ modules }), { isLint: true, known: ['data.*'], ...scope }).map(
    ({ location: { file, row, col }, code, message }) => `${file}:${row}:${col} ${code} ${message}`,
  );
}

const policy = 'package p\n\ndefault allow := false\n\nallow if input.a\n\ndeny contains "x" if input.b\n\nb if input.b\n';

test.each([
  ['an assignment of a default', '{ r := data.p.allow }'],
  ['an assignment with an input', '{ r := data.p.allow with input as {"a": 1}; print(r) }'],
  ['a set', 'data.p.deny with input as {}'],
  ['a count', 'count(data.p.deny) >= 0 with input as {}'],
  ['nothing', 'true'],
])('a test that asserts nothing is told: %s', (_title, body) => {
  expect(foundIn({ 'p.rego': policy, 'p_test.rego': `package p_test\n\ntest_a if ${body}\n` })).toEqual([
    'p_test.rego:3:1 vacuous-test `test_a` asserts nothing: it passes whatever the rules say',
  ]);
});

test.each([
  ['a rule', 'data.p.allow'],
  ['a comparison', '{ r := data.p.allow; r == true }'],
  ['an assignment of what may be undefined', '{ r := data.p.b with input as {} }'],
  ['a member of a set', 'data.p.deny["x"] with input as {"b": 1}'],
  ['a count above zero', 'count(data.p.deny) > 0'],
  ['a negation', 'not data.p.allow'],
])('a test that asserts %s is not told', (_title, body) => {
  expect(foundIn({ 'p.rego': policy, 'p_test.rego': `package p_test\n\ntest_a if ${body}\n` })).toEqual([]);
});

test('a test below a ref that asserts nothing is told', () => {
  expect(foundIn({ 'p.rego': policy, 'p_test.rego': 'package p_test\n\nusers.test_a if data.p.deny\n' })).toEqual([
    'p_test.rego:3:1 vacuous-test `users.test_a` asserts nothing: it passes whatever the rules say',
  ]);
  expect(foundIn({ 'p.rego': policy, 'p_test.rego': 'package p_test\n\ntodo_test_a if data.p.deny\n' })).toEqual([]);
});

test('the linter tells a test that reads no rule', () => {
  expect(foundIn({ 'p_test.rego': 'package p_test\n\ntest_a if 1 + 1 == 2\n' })).toEqual([
    'p_test.rego:3:1 constant-test `test_a` reads no rule and no document: its outcome never changes',
  ]);
});

const typed = `package p

default allow := false

allow if input.a

deny contains "cat" if input.cat

deny contains msg if {
	input.dog
	msg := "a dog"
}

size := count(input.xs)

limit := cfg.most

cfg := {"most": 3}

name(x) := lower(x)
`;

test.each([
  ['a set and a list', 'data.p.deny == []', 'never', 'set[string] and array are never equal'],
  ['a set and a list under not', 'not data.p.deny == []', 'always', 'set[string] and array are never equal'],
  ['a boolean and a text', 'not data.p.allow == "false"', 'always', 'boolean and string are never equal'],
  ['a count and a text', 'data.p.size == "3"', 'never', 'number and string are never equal'],
  [
    'an operand',
    'startswith(data.p.size, "a")',
    'never',
    'startswith: invalid argument(s), have: (number, string), want: (search: string, base: string, result: boolean)',
  ],
])('a comparison for an input of its own that the types of rules rule out is told: %s', (_title, condition, outcome, why) => {
  const line = `${condition} with input as {"a": 1}`;
  const [told, ...others] = foundIn(
    { 'p.rego': typed, 'p_test.rego': `package p_test\n\ntest_a if ${line}\n` },
    { isLint: false, known: [] },
  );
  expect(others).toEqual([]);
  expect(told).toContain('impossible-condition');
  expect(told).toContain(` ${outcome} holds: ${why}`);
});

test('a variable of an expression with an input of its own has the type of the rule', () => {
  const body = '{\n\tr := data.p.deny with input as {"cat": 1}\n\tnot r == []\n}';
  expect(foundIn({ 'p.rego': typed, 'p_test.rego': `package p_test\n\ntest_a if ${body}\n` }, { isLint: false, known: [] })).toEqual([
    'p_test.rego:5:2 impossible-condition `not r == []` always holds: set[string] and array are never equal',
  ]);
});

test.each([
  ['a rule that is replaced', 'data.p.allow == "x" with data.p.allow as "x"'],
  ['a rule that reads one that is replaced', 'data.p.limit == "x" with data.p.cfg as {"most": "x"}'],
  ['a function that is replaced', 'data.p.name("A") == 1 with data.p.name as 1'],
  ['a built-in that is replaced', 'data.p.size == "many" with count as "many"'],
  ['a document', 'data.p.doc == "x" with data.p.doc as "x"'],
  ['the input', 'input.a == "x" with input.a as "x"'],
])('the types of %s are not known', (_title, condition) => {
  expect(foundIn({ 'p.rego': typed, 'p_test.rego': `package p_test\n\ntest_a if ${condition}\n` }, { isLint: false, known: [] })).toEqual(
    [],
  );
});

test.each([
  ['a key under not', 'not data.p.deny["lat"]', '"lat"; did you mean "cat"?'],
  ['in under not', 'not "a dgo" in data.p.deny', '"a dgo"; did you mean "a dog"?'],
  ['a message that is like no other', 'not data.p.deny["a large bird"]', '"a large bird"'],
  ['a variable', '{ k := "a large bird"; not k in data.p.deny with input as {} }', '"a large bird"'],
])('a member that no rule makes is told in a test: %s', (_title, condition, member) => {
  const line = condition.startsWith('{') ? condition : `${condition} with input as {"a": 1}`;
  const [told, ...others] = foundIn(
    { 'p.rego': typed, 'p_test.rego': `package p_test\n\ntest_a if ${line}\n` },
    { isLint: false, known: [] },
  );
  expect(others).toEqual([]);
  expect(told).toMatch(/^p_test.rego:3:\d+ unresolved-reference no rule of `.*deny` makes /);
  expect(told?.endsWith(`makes ${member}`)).toBe(true);
});

const reader = 'package p\n\nallow if input.user.role == "admin"\n\nq if input.items[_].name == "x"\n';

test.each([
  ['a part', 'data.p.allow with input.usr as {"role": "x"}', '`input.usr`: no rule reads this part of the input; did you mean `user`?'],
  [
    'a part of a part',
    'data.p.allow with input.user.rol as "x"',
    '`input.user.rol`: no rule reads this part of the input; did you mean `role`?',
  ],
  ['a key', 'data.p.allow with input as {"usr": {"role": "x"}}', '`input.usr`: no rule reads this part of the input; did you mean `user`?'],
  [
    'a key of a key',
    'not data.p.allow with input as {"user": {"roel": "x"}}',
    '`input.user.roel`: no rule reads this part of the input; did you mean `role`?',
  ],
])('a misspelt part of an input that a with gives is told: %s', (_title, condition, message) => {
  const files = { 'p.rego': reader, 'p_test.rego': `package p_test\n\ntest_a if ${condition}\n` };
  const [line, ...others] = foundIn(files, { isLint: false, known: [] });
  expect(others).toEqual([]);
  expect(line).toMatch(/^p_test.rego:3:\d+ unresolved-reference /);
  expect(line).toContain(message);
});

test.each([
  ['beside the one that is read', 'data.p.allow with input as {"user": {"role": "x"}, "users": []}', ''],
  ['like no other', 'data.p.allow with input as {"account": {"role": "x"}}', ''],
  ['beside a with of the one that is read', 'data.p.allow with input.user.role as "x" with input.users as []', ''],
  ['below a list', 'data.p.q with input as {"items": [{"nam": "x"}]}', ''],
  ['of an input that is read whole', 'data.p.allow with input as {"usr": 1}', '\nr := object.get(input, "x", 1)\n'],
  ['of an input with keys that are not known', 'data.p.allow with input as {"usr": 1}', '\nr if input[data.p.k]\n\nk := "usr"\n'],
])('a part of an input is not told %s', (_title, condition, more) => {
  const files = { 'p.rego': reader + more, 'p_test.rego': `package p_test\n\ntest_a if ${condition}\n` };
  expect(foundIn(files, { isLint: false, known: [] })).toEqual([]);
});

test('a misspelt member of a constant set is told', () => {
  const rules = 'kinds := {"Deployment", "Pod"}\n\nq if "Deploymnet" in kinds\n\nr if kinds["Service"]';
  expect(found(rules, false, [])).toEqual(['5:6 unresolved-reference no rule of `kinds` makes "Deploymnet"; did you mean "Deployment"?']);
});

test.each([
  ['one that is made', 'not data.p.deny["a dog"] with input as {}'],
  ['one of a set that is replaced', 'not data.p.deny["x"] with data.p.deny as {"y"}'],
  ['a name that is like no other', 'not data.p.deny.whatever with input as {"a": 1}'],
  ['a name that is like no other, with in', 'not "unknown_role" in data.p.deny with input as {"a": 1}'],
  ['one of a set in the test', 'not "x" in {"a", "b"} with input as {"a": 1}'],
  ['one that is like no other, outside of tests', '"whatever" in data.p.deny', 'q'],
  ['one of a set of other members', 'not data.p.warn["x"] with input as {}'],
])('a member is not told: %s', (_title, condition, name = 'test_a') => {
  const files = {
    'p.rego': `${typed}\nwarn contains x if some x in input.xs\n`,
    'p_test.rego': `package p_test\n\n${name} if ${condition}\n`,
  };
  expect(foundIn(files, { isLint: false, known: [] })).toEqual([]);
});

test.each([
  ['characters behind the end', 'regex.match("$a", input.x)', '"$a" matches no text'],
  ['a start behind characters', 'regex.match("a^b", input.x)', '"a^b" matches no text'],
  ['each of several ways', 'regex.match("(?:a^|$b)+", input.x)', '"(?:a^|$b)+" matches no text'],
  ['capitals in small letters', 'regex.match("^[A-Z]+$", lower(input.x))', '"^[A-Z]+$" matches no text in small letters'],
  ['a glob with capitals', 'glob.match("*.Example.com", [], lower(input.x))', '"*.Example.com" matches no text in small letters'],
])('a pattern that matches nothing is told: %s', (_title, condition, message) => {
  expect(found(`q if ${condition}`).map((line) => line.replace(/^\S+ /, ''))).toEqual([`impossible-pattern ${message}`]);
});

const denied = 'deny contains "x" if input.a\n\n';

test.each([
  ['alone', 'q if deny', '5:6', 'deny'],
  ['by its full path', 'q if {\n\tinput.b\n\tdata.p.deny\n}', '7:2', 'data.p.deny'],
  ['with another input', 'q if deny with input as {}', '5:6', 'deny'],
  ['in a comprehension', 'q := [1 | deny]', '5:11', 'deny'],
  ['in a test with more conditions', 'test_q if {\n\tdata.p.deny\n\tinput.b == 1\n}', '6:2', 'data.p.deny'],
])('a set as a condition is told: %s', (_title, rule, place, set) => {
  const lines = found(denied + rule, false, []);
  expect(lines).toEqual([expect.stringMatching(`^${place} set-as-condition .* always holds: \`${set}\` is a set`)]);
});

test.each([
  'q if deny["x"]',
  'q if deny[_]',
  'q if count(deny) > 0',
  'q if deny with data.p.deny as {}',
  'q := deny',
  'q if m\n\nm[x] := 1 if some x in input.xs',
])('what may fail is not told as a set: %s', (rule) => expect(found(denied + rule, false, [])).toEqual([]));

test.each([
  ['a regular expression', 'q if regex.match("[", input.x)', '3:18 invalid-regexp "[" is no regular expression: missing closing ]: `[`'],
  ['under not', 'q if not regex.match("a)", input.x)', '3:22 invalid-regexp "a)" is no regular expression: unexpected ): `a)`'],
  [
    'look-around',
    'q := regex.split(`(?=x)`, input.x)',
    '3:18 invalid-regexp `(?=x)` is no regular expression: invalid or unsupported Perl syntax: `(?=`',
  ],
  [
    'in a replacement',
    'q := regex.replace(input.x, "*", "")',
    '3:29 invalid-regexp "*" is no regular expression: missing argument to repetition operator: `*`',
  ],
  [
    'of a variable',
    'q if {\n\tp := "("\n\tregex.match(p, input.x)\n}',
    '4:7 invalid-regexp "(" is no regular expression: missing closing ): `(`',
  ],
  ['of a rule', 'q if regex.match(k, input.x)\n\nk := "("', '5:6 invalid-regexp "(" is no regular expression: missing closing ): `(`'],
  [
    'of a list',
    'q if {\n\tsome p in ["a", "("]\n\tregex.match(p, input.x)\n}',
    '4:18 invalid-regexp "(" is no regular expression: missing closing ): `(`',
  ],
  [
    'of a rule that is a set',
    'q if regex.match(k[_], input.x)\n\nk := {"a", "("}',
    '5:12 invalid-regexp "(" is no regular expression: missing closing ): `(`',
  ],
  [
    'in a comprehension',
    'q := [1 | regex.match("(", input.x)]',
    '3:23 invalid-regexp "(" is no regular expression: missing closing ): `(`',
  ],
  ['a glob', 'q if glob.match("[a", ["."], input.x)', '3:17 invalid-glob "[a" is no glob: unexpected end of input'],
  [
    'a glob of a variable',
    'q if {\n\tsome g in ["[b-a]"]\n\tglob.match(g, [], input.x)\n}',
    "4:13 invalid-glob \"[b-a]\" is no glob: hi character 'a' should be greater than lo 'b'",
  ],
])('a pattern that is none is told: %s', async (_title, rules, line) => {
  await loadRegex();
  expect(found(rules, false, [])).toEqual([line]);
});

test.each([
  'q if regex.match("a", input.x)',
  'q if regex.match(input.p, input.x)',
  'q if regex.match(`\\p{Greek}{1,300}`, input.x)',
  'q if regex.is_valid("[")',
  'q if {\n\tsome p in ["[", "a"]\n\tregex.is_valid(p)\n\tregex.match(p, input.x)\n}',
  'q if regex.match(k, input.x)\n\nk := "(" if input.y\n\nk := "a" if not input.y',
  'q if {\n\tsome p in ["[", "a"]\n\tvalid(p)\n\tregex.match(p, input.x)\n}\n\nvalid(p) if regex.is_valid(p)',
  'q if {\n\tok\n\tregex.match(k, input.x)\n}\n\nok if regex.is_valid(k)\n\nk := "["',
  'q if {\n\tregex.is_valid(k)\n\tr\n}\n\nr if regex.match(k, input.x)\n\nk := "["',
  'q if glob.match("{a,b}*", [], input.x)',
  'q if "[" in input.x',
])('a text that is a pattern, or that no call takes for one, is not told: %s', async (rules) => {
  await loadRegex();
  expect(found(rules, false, [])).toEqual([]);
});

test.each([
  'regex.match("^a|b$", input.x)',
  'regex.match("^(?:^a)$", input.x)',
  'regex.match("a*^b", input.x)',
  'regex.match("(?i)^GET$", lower(input.x))',
  'regex.match("^[A-Za-z]+$", lower(input.x))',
  'glob.match("**.example.com", ["."], lower(input.x))',
])('a pattern that matches something is not told: %s', (condition) => expect(found(`q if ${condition}`)).toEqual([]));

test.each([
  ['a part of the input and a document', 'input.token == data.secrets.token'],
  ['a variable', '{ password := data.users[input.u].password; input.password == password }'],
  ['a result of HMAC', 'crypto.hmac.sha256(input.body, data.k) == input.s'],
  ['a variable with a result of HMAC', '{ m := crypto.hmac.sha256(input.body, data.k); m == input.s }'],
  ['a constant', 'input.api_key == "c2VjcmV0LWtleQ"'],
  ['what differs', 'input.client_secret != data.secret'],
])('the linter tells a comparison of secrets: %s', (_title, body) => {
  expect(found(`q if ${body}`)).toEqual([expect.stringContaining('timing-unsafe-comparison')]);
});

test.each([
  ['two parts of the input', 'input.password == input.password_confirmation'],
  ['a short constant', 'input.token == ""'],
  ['a key of what is secret', 'input.token.role == "administrator"'],
  ['an address', 'input.mac == data.mac'],
  ['a length', 'count(input.password) == data.length'],
  ['in constant time', 'crypto.hmac.equal(input.token, data.token)'],
])('comparisons of secrets are not told: %s', (_title, body) => expect(found(`q if ${body}`)).toEqual([]));

test.each([
  ['a part of the input', 'allow if not input.user.blocked'],
  ['a comparison', 'allow if not input.role == "guest"'],
  ['a rule', 'allow if not b\n\nb if input.x == 1'],
  ['a rule with a default', 'default b := false\n\nallow if not b\n\nb if input.x == 1'],
])('the linter tells a permission of an empty input: %s', (_title, rules) => {
  expect(found(rules)).toEqual([expect.stringContaining('open-on-undefined `allow` is true for an input that has nothing')]);
});

test.each([
  ['asks for a value', 'allow if { input.user; not input.user.blocked }'],
  ['calls a function', 'allow if not f(input.user)\n\nf(x) if x == 1'],
  ['needs a key for a look-up', 'allow if not data.blocked[input.user]'],
  ['asks a document', 'allow if { data.open; not input.user.blocked }'],
  ['is no permission', 'ready if not input.busy'],
  ['reads a rule with a default that holds', 'default b := true\n\nallow if not b\n\nb := false if input.x == 1'],
])('a permission is not told that %s', (_title, rules) => expect(found(rules)).toEqual([]));

const entrypoint = 'package p\n\n# METADATA\n# entrypoint: true\nallow if a\n\na if input.a\n';

test.each<[string, Readonly<Record<string, string>>, string[]]>([
  [
    'a rule beside an entrypoint',
    { 'p.rego': `${entrypoint}\nb if input.b\n` },
    ['p.rego:9:1 unused-rule no entrypoint and no test reaches `b`'],
  ],
  [
    'a function of another package',
    { 'p.rego': entrypoint, 'q.rego': 'package q\n\nf(x) := x\n' },
    ['q.rego:3:1 unused-rule no entrypoint and no test reaches `f`'],
  ],
  [
    'a rule with a variable in its name',
    { 'p.rego': `${entrypoint}\nb[user].count := 1 if some user in input.users\n` },
    ['p.rego:9:1 unused-rule no entrypoint and no test reaches `b[user].count`'],
  ],
  ['a private rule', { 'q.rego': 'package q\n\n_x if input.x\n' }, ['q.rego:3:1 unused-rule nothing reads `_x`']],
])('the linter tells what nothing reaches: %s', (_title, files, lines) => expect(foundIn(files)).toEqual(lines));

test.each<[string, Readonly<Record<string, string>>, WarningScope]>([
  ['without entrypoints', { 'p.rego': 'package p\n\na if input.a\n' }, {}],
  ['of other packages', { 'p.rego': entrypoint, 'q.rego': 'package q\n\na if input.a\n' }, {}],
  ['that tests read', { 'p.rego': `${entrypoint}\nb if input.b\n`, 't.rego': 'package t\n\ntest_b if data.p.b\n' }, {}],
  ['that hosts read', { 'p.rego': `${entrypoint}\n__x__ := 1\n` }, {}],
  ['that other files name', { 'p.rego': `${entrypoint}\nb if input.b\n` }, { isMentioned: (name) => name === 'b' }],
])('rules %s are not told as unused', (_title, files, scope) => expect(foundIn(files, scope)).toEqual([]));

const grants = (count: number) => ({ documents: { grants: Array.from({ length: count }, () => ({ user: 'ann' })) }, known: [] });

test.each<[string, string, WarningScope, string]>([
  [
    'a built-in',
    '{ some g in data.grants; startswith(g.user, input.user) }',
    {},
    '`startswith(g.user, input.user)`: the elements of `data.grants` are looked at in turn',
  ],
  [
    'a call',
    '{ some g in data.grants; lower(g.user) == input.user }',
    grants(1000),
    '`lower(g.user) == input.user`: all 1000 elements of `data.grants` are looked at in turn',
  ],
  [
    'a loop in a loop',
    '{ some a in data.numbers; some b in data.numbers; a + b == 1998 }',
    {},
    '`a + b == 1998`: the elements of `data.numbers` are looked at in turn, again for each element of `data.numbers`',
  ],
])('the linter tells a search without an index: %s', (_title, body, scope, message) => {
  expect(foundIn({ 'p.rego': `package p\n\nq if ${body}\n` }, scope)).toEqual([
    expect.stringContaining(`unindexed-loop no index serves ${message}`),
  ]);
});

test.each<[string, string, WarningScope]>([
  ['an index serves', '{ some g in data.grants; g.user == input.user }', {}],
  ['an index serves before', '{ some g in data.grants; g.user == input.user; startswith(input.path, g.path) }', {}],
  ['collects elements', '{ input.q }\n\nr contains g.user if { some g in data.grants; startswith(g.user, "a") }', {}],
  ['gives a variable its value', '{ some g in data.grants; x = g.a + 1; x }', {}],
  ['is short', '{ some g in data.grants; startswith(g.user, input.user) }', grants(5)],
  ['goes through the input', '{ some g in input.grants; startswith(g.user, input.user) }', {}],
  ['goes through a rule', '{ some g in s; startswith(g, input.user) }\n\ns contains input.x', {}],
  ['makes texts', '{ some g in data.grants; m := sprintf("%s", [g.user]); m }', {}],
])('a search is not told that %s', (_title, body, scope) => {
  expect(foundIn({ 'p.rego': `package p\n\nq if ${body}\n` }, scope)).toEqual([]);
});

test.each([
  ['metadata', '# METADATA\n# custom:\n#   cache: 60s\nallow if time.now_ns() < 5'],
  ['a header', 'd := {"headers": {"Cache-Control": "max-age=60"}, "ok": ok}\n\nok if time.now_ns() < 5'],
])('the linter tells what changes in a cached decision: %s', (_title, rules) => {
  expect(found(rules)).toEqual([expect.stringMatching(/changing-cached-decision `time.now_ns` answers otherwise next time/)]);
});

test.each([
  ['is not kept', 'd := {"headers": {"cache-control": "no-store"}, "ok": ok}\n\nok if time.now_ns() < 5'],
  ['depends on the input', '# METADATA\n# custom:\n#   cache: 60s\nallow if input.a'],
])('a decision is not told that %s', (_title, rules) => expect(found(rules)).toEqual([]));

const described = {
  type: 'object',
  properties: {
    user: { type: 'object', properties: { name: { type: 'string' }, role: { enum: ['admin', 'guest'] } } },
    age: { type: 'integer', minimum: 18 },
  },
};

/** The findings of a policy whose input has a schema. */
function foundWith(schema: object, rules: string): string[] {
  const modules = new Map([['p.rego', parseModule('p.rego', `package p\n\n${rules}\n`)]]);
  const options = { schemas: new Map([['schema', schema]]), schemaAnnotations: true };
  return findWarnings(compileOrThrow({ modules, options }), { isLint: true }).map(({ code, message }) => `${code} ${message}`);
}

test.each([
  [
    'a field',
    'object.get(input, "usr", "") == ""',
    'unknown-input-field the schema of the input has no field `usr` here; did you mean `user`?',
  ],
  [
    'a field of a field',
    'object.get(input.user, "nam", "") == ""',
    'unknown-input-field the schema of the input has no field `nam` here; did you mean `name`?',
  ],
  ['a path', 'object.get(input, ["user", "address"], "") == ""', 'unknown-input-field the schema of the input has no field `address` here'],
  ['a type', 'input.age > "18"', 'impossible-condition `input.age > "18"` never holds: its value is at least 18 by its schema'],
  ['a bound', 'input.age < 18', 'impossible-condition `input.age < 18` never holds: its value is at least 18 by its schema'],
  [
    'a list',
    'input.user.role == "owner"',
    'impossible-condition `input.user.role == "owner"` never holds: its value is one of "admin", "guest" by its schema',
  ],
  ['a type alone', 'input.user.name > 3', 'redundant-condition `input.user.name > 3` always holds: its value is of the type string'],
])('what a schema rules out is told: %s', (_title, condition, line) => {
  expect(foundWith(described, `q if ${condition}`)).toEqual([line]);
});

test.each([
  ['a field that is there', 'object.get(input, ["user", "name"], "") == ""'],
  ['a value of the list', 'input.user.role == "admin"'],
  ['a value in the bounds', 'input.age > 20'],
])('what a schema admits is not told: %s', (_title, condition) => expect(foundWith(described, `q if ${condition}`)).toEqual([]));

test('a schema without properties admits all', () => {
  expect(foundWith({ type: 'object' }, 'q if object.get(input, "a", "") == ""')).toEqual([]);
});
