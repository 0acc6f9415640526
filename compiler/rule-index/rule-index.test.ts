import { describe, expect, test } from 'vitest';
import { answerOf, expectDecision, expectError, type Given, planFor, statementsOf, type Texts } from '../../test/harness/plans.js';

/** A rule that ends an evaluation that comes to it. */
const clash = 'clash := 1\nclash := 2';
const given: Given = {
  input: { method: 'POST', role: 'user', path: ['a', 'b'], roles: ['x', 'y'], off: false },
  data: { base: { on: 'yes' } },
};

function texts(rules: string): Texts {
  return [`import future.keywords\n\n${rules}\n${clash}\nsame(x) := x\nanything(_) if clash`];
}

describe('a body that the input rules out is not looked at', () => {
  test.each([
    ['p if { clash == 1; input.method == "GET" }'],
    ['p if { clash == 1; "GET" == input.method }'],
    ['p if { clash == 1; input.method = "GET" }'],
    ['p if { clash == 1; input.missing }'],
    ['p if { clash == 1; input.missing != 2 }'],
    ['p if { clash == 1; count(input.missing) > 2 }'],
    ['p if { clash == 1; x := input.missing; x > 2 }'],
    ['p if { clash == 1; x := input.method; x == "GET" }'],
    ['p if { x := input.role; clash == 1; x == "admin" }'],
    ['p if { x := input.role; y := input.path; clash == 1; y == [x, "b"]; x in {"admin"} }'],
    ['p if { clash == 1; x := input.missing.deep; y := 1; x > y }'],
    ['p if { y := same("b"); clash == 1; y == input.missing }'],
    ['p if { clash == 1; input.path == ["a", "c"] }'],
    ['p if { clash == 1; ["b", y] = input.path; y }'],
    ['p if { y := same("b"); clash == 1; ["b", y] = input.path }'],
    ['p if { clash == 1; input.path = [_] }'],
    ['p if { clash == 1; input.role in {"admin", "root"} }'],
    ['p if { clash == 1; input.role in ["admin", "root"] }'],
    ['p if { clash == 1; "z" in input.roles }'],
    ['p if { clash == 1; glob.match("ad*", [":"], input.role) }'],
    ['p if { clash == 1; data.base.off }'],
    ['p if { clash == 1; data.base.on == "no" }'],
    ['p if { clash == 1; data.nothing.at.all == "no" }'],
    ['p if { every x in [clash] { x }; input.method == "GET" }'],
    ['p if { not anything(1); input.method == "GET" }'],
    ['p if { clash == 1; input.missing } else if { clash == 1; input.method == "GET" }'],
    ['p if { clash == 1; input.method == "GET" and input.role == "user" }'],
    ['p if { clash == 1; input.role == "user" and input.missing }'],
    ['p if { clash == 1 and input.method == "GET" }'],
    ['p if { clash == 1; input.method == "GET" or input.method == "PUT" }'],
    ['p if { clash == 1; input.method == "GET" or input.method in {"PUT", "PATCH"} }'],
    ['p if { clash == 1 or input.missing; input.method == "GET" }'],
    ['p if { clash == 1; { input.method == "GET"; clash } or { input.method == "PUT"; input.role } }'],
    ['p if { clash == 1; (input.method == "GET" or input.method == "PUT") and input.role == "user" }'],
    ['p if { clash == 1; input.missing == 1 or input.missing == 2 or input.missing == 3 }'],
    ['p if { clash == 1; input.missing == 1 or startswith(input.missing, "a") }'],
    ['p if { x := input.method; clash == 1; x == "GET" or x == "PUT" }'],
    ['p if { clash == 1; startswith(input.method, "GE") or startswith(input.method, "PU") }'],
    ['p if { clash == 1; startswith(input.method, "GE") }'],
    ['p if { clash == 1; endswith(input.method, "GE") }'],
    ['p if { clash == 1; strings.any_prefix_match(input.method, ["GE", "PU"]) }'],
    ['p if { clash == 1; strings.any_suffix_match(input.method, {"GE", "PU"}) }'],
    ['p if { clash == 1; strings.any_suffix_match(input.missing, "GE") }'],
    ['p := f("b")\nf(x) if { clash == 1; x == "a" or x == "c" }'],
    ['p := f("b")\nf(x) if { clash == 1; x == "a" }'],
    ['p := f("b")\nf("a") if { clash == 1 }'],
    ['p := f("b")\nf(x) if { clash == 1; x in {"a", "c"} }'],
  ])('%s', (rules) => expectDecision(texts(rules), 'data.t.p', undefined, given));

  test.each([
    ['sets', 'p contains 1 if { clash == 1; input.method == "GET" }\np contains 2', [2]],
    ['objects', 'p.a := 1 if { clash == 1; input.method == "GET" }\np[k] := 2 if { k := "b" }', { b: 2 }],
    [
      'objects with else',
      'p[k] := 2 if { clash == 1; input.method == "GET"; k := "a" } else := 3 if { k := "b" }'
        .replace('; k := "a"', '')
        .replace(' if { k := "b" }', '')
        .replace('p[k]', 'p["a"].b'),
      { a: { b: 3 } },
    ],
    ['a default', 'default p := "no"\np := "yes" if { clash; input.go }', 'no'],
    ['a variable in several places', 'p := [x, y] if { x := same("a"); [x, y] = input.path }', ['a', 'b']],
    ['a variable that is compared later', 'p := x if { some x in ["c", "b"]; input.path = [_, x] }', 'b'],
    ['a copy that is not the expression', 'p := x if { same(1); x := input.off; not input.off }', false],
  ])('%s', (_title, rules, wanted) => expectDecision(texts(rules), 'data.t.p', wanted as never, given));
});

describe('a body is looked at where the input does not rule it out', () => {
  test.each([
    ['p if { clash == 1; input.off }'],
    ['p if { clash == 1; not input.method == "GET" }'],
    ['p if { clash == 1; input.method == "GET" with input.method as "GET" }'],
    ['p if { clash == 1; input.method != "POST" }'],
    ['p if { clash == 1; input.path[_] == "c" }'],
    ['p if { clash == 1; input.path[input.role] == "c" }'],
    ['p if { clash == 1; input.method == data.t.none }\nnone := "GET"'],
    ['p if { clash == 1; glob.match("a**", [":"], input.role) }'],
    ['p if { clash == 1; input.role == same("admin") }'],
    ['p if { clash == 1; 1 == 2 }'],
    ['p if { clash == 1; input.method == "GET" or input.role == "admin" }'],
    ['p if { clash == 1; input.method == "GET" or input.method == "POST" }'],
    ['p if { clash == 1; input.method == "GET" or not input.method == "PUT" }'],
    ['p if { clash == 1; input.method == "GET" or startswith(input.method, "x") }'],
    ['p if { clash == 1; (input.method == "GET" or input.method == "PUT") with input.method as "PUT" }'],
    ['p if { clash == 1; startswith(input.method, input.role) }'],
    ['p if { clash == 1; startswith(input.method, "PO") or endswith(input.method, "GE") }'],
    ['p if { clash == 1; not startswith(input.method, "GE") }'],
    ['p if { clash == 1; strings.any_prefix_match(input.method, ["P"]); strings.any_suffix_match(input.role, ["x"]) }'],
    ['p := f("b")\nf(x) if { clash == 1; x == "a" or x == "b" }'],
  ])('%s', (rules) => expectError(texts(rules), 'data.t.p', 'eval_conflict_error', given));

  test('where it prints', () => {
    const policy = planFor(texts('p if { print("here", clash); input.method == "GET" }'), 'data.t.p', { print: true });
    const { blocks } = policy.funcs!.funcs!.find(({ name }) => name.endsWith('.p'))!;
    expect(JSON.stringify(blocks).indexOf('internal.print')).toBeLessThan(JSON.stringify(blocks).indexOf('DotStmt'));
  });

  test.each([
    ['every', 'every x in [1] { print("here", clash); x == 2 }'],
    ['not', 'not same(clash) == [x | x := 1; print("here", x)]'],
    ['a comprehension', 'count([x | x := 1; print("here", clash, x)]) == 2'],
    ['an operand', '{ print("here", clash); same(1) == 2 } or input.off'],
  ])('where it prints inside of %s', async (_title, body) => {
    const rules = `p if { ${body}; input.method == "GET" }`;
    const policy = planFor(texts(rules), 'data.t.p', { print: true });
    expect(await answerOf(policy, given.input, given.data)).toBe('eval_conflict_error');
  });

  test('where the index is turned off', () => {
    const policy = planFor(texts('p if { clash == 1; input.method == "GET" }'), 'data.t.p', { ruleIndex: false });
    expect(statementsOf(policy).find(({ type }) => type === 'CallStmt' || type === 'DotStmt')?.type).toBe('CallStmt');
  });
});

describe('a rule is looked at no further once its value is settled', () => {
  test.each([
    ['rules of one value', 'p := 1\np := 1 if clash', 1],
    ['rules of one value after one that fails', 'p if same(false)\np if same(2)\np if clash', true],
    ['rules of other values between them that do not apply', 'p := 1\np := 2 if input.missing\np := 1 if clash', 1],
    ['collections', 'p := [1, {"a": 2}] if same(1)\np := [1, {"a": 2}] if clash', [1, { a: 2 }]],
    ['branches of one value', 'p if same(1)\nelse if input.off\np if clash\nelse if true', true],
    ['elements', 'p if { some x in [1, 2]; same(x) == 1 }\np if { some x in [1]; clash == x }', true],
    ['functions', 'p := f(1)\nf(x) := 1 if same(x)\nf(x) := 1 if x == clash', 1],
  ])('%s', (_title, rules, wanted) => expectDecision(texts(rules), 'data.t.p', wanted as never, given));

  test.each([
    ['rules of other values', 'p := 1\np := 2 if clash'],
    ['values that are no constants', 'p := same(1)\np := same(1) if clash'],
    ['branches of other values', 'p := 1\np := 1 if clash\nelse := 2'],
    ['rules that come first in the index', 'p if input.role\np if clash'],
  ])('but where there are %s', (_title, rules) => expectError(texts(rules), 'data.t.p', 'eval_conflict_error', given));
});

describe('rules are looked at in the order of the index', () => {
  const file = (rules: string) => `package t\n${rules}`;
  test.each([
    ['those that ask nothing come first', 'p := 1 if input.role\np := 2', 2],
    ['those that ask the place of another rule later', 'p := 1 if input.role\np := 2 if input.method', 2],
    ['those that ask the same in the order of the text', 'p := 1 if input.role\np := 2 if input.role', 3],
    ['places with several values last', 'p := 1 if input.role in {"user", "a"}\np := 2 if input.method == "POST"', 3],
    ['a value after a text that it begins with', 'p := 1 if input.role == "user"\np := 2 if startswith(input.role, "u")', 2],
    ['a value after any', 'p := 1 if input.role == "user"\np := 2 if input.role', 2],
  ])('%s', (_title, rules, row) => {
    const policy = planFor(file(rules), 'data.t.p');
    const once = statementsOf(policy).filter(({ type }) => type === 'AssignVarOnceStmt');
    expect(once.at(-1)!.stmt.row).toBe(row);
  });
});

describe('a set or an object that is asked for one key is looked at for that', () => {
  test.each([
    ['a key that the input says', 'o[input.role] := v if some v in [1, 2]\np if not o.a', true],
    ['a key that a variable says', 'o[k] := v if { some v in [1, 2]; k := input.role }\np if not o.a', true],
    ['a key of base documents', 'o[data.base.on] := v if some v in [1, 2]\np if not o.a', true],
    ['a key below it', 'o[input.role].x := 1\no.a.x := clash\np := o.user.x', 1],
    ['all that is below it', 'o[input.role].x := 1\no.user.y contains 2\no.a.z := clash\np := o.user', { x: 1, y: [2] }],
    ['a default below it', 'default o.a.b := 1\no[input.role].c := clash\np := o.a.b', 1],
    ['constant keys', 'o.a := 1 if clash\no[k] := 2 if k := "b"\np := o.b', 2],
    ['a key known at run time', 'o.a := 1 if clash\no[k] := 2 if k := "user"\np := o[input.role]', 2],
    ['each key of several', 'o.a := 1\no.c := clash\no[k] := 2 if k := "b"\np := [x | some k in ["b", "a"]; x := o[k]]', [2, 1]],
    ['members', 's contains "a" if clash\ns contains "b"\np := s.b', 'b'],
    ['members that the input says', 's contains input.role if clash\ns contains "b"\np if s.b', true],
    ['members of more kinds', 's contains 1\ns contains [1, input.role]\np := [s[1], s[[1, "user"]]]', [1, [1, 'user']]],
    ['not a member', 's contains "a" if clash\ns contains "b"\np if not s.c', true],
    ['a member under with', 's contains input.role\np if { s.z with input.role as "z"; not s.z }', true],
  ])('%s', (_title, rules, wanted) => expectDecision(texts(rules), 'data.t.p', wanted as never, given));

  test.each([
    ['a conflict at the key itself', 'o[input.role] := v if some v in [1, 2]\np := o.user'],
    ['the whole', 'o[input.role] := v if some v in [1, 2]\np := o'],
    ['a key without a value yet', 'o[input.role] := v if some v in [1, 2]\np := [k | o[k]]'],
  ])('but a conflict shows with %s', (_title, rules) => expectError(texts(rules), 'data.t.p', 'eval_conflict_error', given));

  test('others are asked for no more than the key', () => {
    const policy = planFor('o[k] := http.send({"url": k}) if some k in input.urls\np := o.a', 'data.t.p');
    expect(policy.funcs!.funcs!.map(({ name }) => name)).toEqual(['g0.data.t.o[_]', 'g0.data.t.p']);
  });

  test.each([
    ['in a loop', 'p := [v | some k in input.ks; v := o[k]]'],
    ['in a function', 'f(k) := o[k]\np := f("a")'],
    ['in a comprehension of a loop', 'p := [n | some k in input.ks; n := count([1 | o[k]])]'],
  ])('rules that search for their keys are evaluated once for all keys %s', (_title, rules) => {
    const policy = planFor(`o[k] := v if some k, v in input.xs\n${rules}`, 'data.t.p');
    expect(policy.funcs!.funcs!.map(({ name }) => name)).toContain('g0.data.t.o');
  });
});

describe('rules that search for their keys answer one key, whatever others have', () => {
  const xs = [
    { k: 'a', j: 'b', v: 1 },
    { k: 'c', j: 'd', v: 2 },
    { k: 'c', j: 'd', v: 3 },
    { k: 'a', j: 'd', v: 4 },
    { k: 'a', j: 'd', v: 5 },
  ];
  const input = {
    xs: xs.slice(0, 3),
    all: xs,
    pairs: [
      ['a', 1],
      ['c', 2],
      ['c', 3],
    ],
    key: 'a',
    ks: ['a'],
    nested: [{ a: 1 }, { c: 2 }, { c: 3 }],
  };
  test.each([
    ['a path in a variable', 'o[x.k] := x.v if some x in input.xs\np := o.a', 1],
    ['a value of a function', 'f(v) := v if v < 2\nf(2) := clash\no[x.k] := f(x.v) if some x in input.xs\np := o.a', 1],
    ['a pattern', 'o[k] := v if some [k, v] in input.pairs\np := o.a', 1],
    ['keys of objects', 'o[k] := v if { some x in input.nested; some k, v in x }\np := o.a', 1],
    ['a variable of the old kind', 'o[k] := v if { k := input.xs[i].k; v := input.xs[i].v }\np := o.a', 1],
    ['a key that a path says', 'o[x.k] := x.v if some x in input.xs\np := o[input.key]', 1],
    ['a key that a variable says', 'o[x.k] := x.v if some x in input.xs\np := v if { k := input.key; v := o[k] }', 1],
    ['a constant key in a loop', 'o[x.k] := x.v if some x in input.xs\np := [o.a | some _ in [1, 2]]', [1, 1]],
    ['a constant key in a function', 'o[x.k] := x.v if some x in input.xs\nf(n) := n + o.a\np := f(1)', 2],
    ['a key under not', 'o[x.k] := x.v if some x in input.xs\np if not o.b', true],
    ['a key that is not there', 'o[x.k] := x.v if some x in input.xs\np := o.b', undefined],
    ['several rules', 'o[x.k] := x.v if some x in input.xs\no[y] := 7 if some y in ["b", "c"]\np := [o.a, o.b]', [1, 7]],
    ['two keys', 'o[x.k][x.j] := x.v if some x in input.all\np := o.a.b', 1],
    ['the second key', 'o[x.k][x.j] := x.v if { some x in input.all; x.k != "a" }\no.a.b := 1\no.a.d := clash\np := o.a.b', 1],
    ['one variable for two keys', 'o[x][x] := 1 if some x in ["a", "b"]\no[x].b := clash if x := "a"\np := o.a.a', 1],
    ['a key of two', 'o[x.k][x.j] := x.v if some x in input.xs\np := o.a', { b: 1 }],
    ['a key below a set', 'o[x.k] contains x.j if some x in input.all\np := o.a.b', 'b'],
    ['a default below', 'default o.a.b := 9\no[x.k][x.j] := x.v if { some x in input.all; x.v > 1 }\np := o.a.b', 9],
    ['a key of a member', 's contains f(x.v) if some x in input.xs\nf(v) := v if v < 2\nf(2) := clash\np := s[1]', 1],
    ['an input that with replaces', 'o[x.k] := x.v if some x in input.xs\np if o.e == 6 with input.xs as [{"k": "e", "v": 6}]', true],
  ])('%s', (_title, rules, wanted) => expectDecision(texts(rules), 'data.t.p', wanted as never, { input }));

  test.each([
    ['the key itself', 'o[x.k] := x.v if some x in input.xs\np := o.c'],
    ['two keys', 'o[x.k][x.j] := x.v if some x in input.all\np := o.a.d'],
    ['the keys above', 'o[x.k][x.j] := x.v if some x in input.all\np := o.a'],
    ['a set where others make a value', 'o[x.k] := x.v if some x in input.xs\no.a contains 2\np := o.a'],
    ['a key that varies in a loop', 'o[x.k] := x.v if some x in input.xs\np := [o[k] | some k in input.ks]'],
  ])('but a conflict shows at %s', (_title, rules) => expectError(texts(rules), 'data.t.p', 'eval_conflict_error', { input }));
});

test('a guard that needs a variable gets its value, whatever other comparisons name the variable', () => {
  const rules = 'r[k] if { x := input.path; [y, z] := x; same(y); k = [true, x, z] }\np := data.t.r[[true, input.path, "b"]]';
  return expectDecision(texts(rules), 'data.t.p', true, given);
});

describe('a guard that needs a variable of a comparison that stays behind', () => {
  const data = { data: { d: { b: [1, 2] } } };
  test.each([
    ['which something before has bound', 'p := v4 if { some v in [[1, 2]]; data.d.b = v; true with data.t.r as v; [v4, _] = v }', 1],
    ['which is another then', 'p := v4 if { some v in [[1, 3]]; data.d.b = v; true with data.t.r as v; [v4, _] = v }', undefined],
    ['which it binds', 'p := v4 if { data.d.b = v; true with data.t.r as v; [v4, _] = v }', 1],
  ])('%s', (_title, rule, wanted) => expectDecision(`${rule}\nr := 1 if true`, 'data.t.p', wanted as never, data));
});
