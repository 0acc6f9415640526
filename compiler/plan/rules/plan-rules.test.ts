import { describe, test } from 'vitest';
import { expectDecision, expectError, type Given, type Texts } from '../../../test/harness/plans.js';

type Row = readonly [title: string, texts: Texts, wanted: unknown, given?: Given];

/** The value of `data.t.p`. */
function rows(list: readonly Row[]): void {
  for (const [title, texts, wanted, given] of list) test(title, () => expectDecision(texts, 'data.t.p', wanted as never, given));
}

/** `data.t.p` is a conflict. */
function conflicts(list: readonly (readonly [title: string, texts: Texts, given?: Given])[]): void {
  for (const [title, texts, given] of list) test(title, () => expectError(texts, 'data.t.p', 'eval_conflict_error', given));
}

describe('complete rules', () => {
  rows([
    ['a body that fails leaves them undefined', 'p if 1 == 2', undefined],
    ['several bodies may say the same', 'p := 1 if input.a\np := 1 if input.b', 1, { input: { a: true, b: true } }],
    ['several solutions may say the same', 'p := 1 if input[_] > 0', 1, { input: [1, 2] }],
    ['a default stands in', 'default p := 3\np := 1 if input.a', 3],
    ['a default does not stand in for false', 'default p := true\np := false if true', false],
    ['a default may be a comprehension', 'default p := [x | some x in [1, 2]]\np := 1 if false', [1, 2]],
    ['else is tried in order', 'p := 1 if input.a\nelse := 2 if input.b\nelse := 3', 2, { input: { b: true } }],
    ['else is not tried after a solution', 'p := 1 if input.a\nelse := 2', 1, { input: { a: 1 } }],
    ['else after false is not tried', 'p := false if true\nelse := true', false],
    ['else beside another rule', 'p := 1 if input.a\nelse := 2\np := 2 if true', 2],
    ['else beside a default', 'default p := 4\np := 1 if input.a\nelse := 2 if input.b', 4],
    ['a variable of head and body', 'p := x if { some x in [1]; x > 0 }', 1],
    ['a value that is a collection of variables', 'p := {"a": [x, y], "b": {x}} if { x := 1; y := 2 }', { a: [1, 2], b: [1] }],
    ['a value that is a call', 'p := count([1, 2])', 2],
    ['a value that is undefined', 'p := input.a', undefined, { input: {} }],
    ['a ref head', 'p.a.b := 1\np.a.c := 2', { a: { b: 1, c: 2 } }],
    ['a ref head with a default', 'default p.a := 1\np.b := 2', { a: 1, b: 2 }],
  ]);
  conflicts([
    ['two values', 'p := 1\np := 2 if true'],
    ['two solutions', 'p := x if some x in [1, 2]'],
    ['an else that says something else than another rule', 'p := 1 if false\nelse := 2\np := 3 if true'],
  ]);
});

describe('a head whose key is no variable, with else', () => {
  const text = 'p[[input.k]].x := 1 if input.a > 1\nelse := 2 if input.a > 0\nelse := 3\n';
  rows([
    ['the first body holds', text, { '["k"]': { x: 1 } }, { input: { k: 'k', a: 2 } }],
    ['the second holds', text, { '["k"]': { x: 2 } }, { input: { k: 'k', a: 1 } }],
    ['the last has no body', text, { '["k"]': { x: 3 } }, { input: { k: 'k', a: 0 } }],
    ['no link has the key', text, {}, { input: { a: 0 } }],
    ['a constant', 'p[{}] := 1 if input.a\nelse := 2 if input.b', { '{}': 2 }, { input: { b: true } }],
    ['beside others', 'p[{1}] := 1 if input.a\nelse := 2\np.b := 3', { '[1]': 2, b: 3 }],
  ]);
});

describe('partial rules', () => {
  rows([
    ['an empty set', 'p contains 1 if false', []],
    ['a set of several rules', 'p contains 1\np contains x if some x in [2, 1]', [1, 2]],
    ['a set of composites', 'p contains [x, {"y": x}] if some x in [1]', [[1, { y: 1 }]]],
    ['an empty object', 'p[x] := 1 if some x in []', {}],
    ['an object of several rules', 'p[x] := 1 if some x in ["a"]\np.b := 2\np["c"] := 3', { a: 1, b: 2, c: 3 }],
    ['the same key and value twice', 'p[x] := 1 if some x in ["a", "a"]', { a: 1 }],
    ['keys that are numbers', 'p[x] := 1 if some x in [1, 2]', { 1: 1, 2: 1 }],
    ['general ref heads', 'p[x].b[y] := 1 if { some x in ["a", "c"]; some y in ["d"] }', { a: { b: { d: 1 } }, c: { b: { d: 1 } } }],
    ['sets inside of objects', 'p[x] contains y if { some x in ["a", "b"]; some y in [1, 2] }', { a: [1, 2], b: [1, 2] }],
    ['sets at the end of a constant path', 'p.a.b contains 1\np.a.c contains 2', { a: { b: [1], c: [2] } }],
    ['several depths', 'p.a.b := 1\np[x].c := 2 if some x in ["a", "d"]', { a: { b: 1, c: 2 }, d: { c: 2 } }],
    ['several depths beside sets', 'p[x] contains 1 if some x in ["a", "d"]\np.b.c contains 2', { a: [1], b: { c: [2] }, d: [1] }],
    ['values beside sets', 'p[x].b := 1 if some x in ["a", "c"]\np.d.b contains 3', { a: { b: 1 }, c: { b: 1 }, d: { b: [3] } }],
    ['sets of several rules', 'p[x].b contains 1 if some x in ["a", "c"]\np.c.b contains 3', { a: { b: [1] }, c: { b: [1, 3] } }],
    ['a default where another rule has no value', 'p[x].c := 2 if some x in ["a"]\ndefault p.b.c := 1', { a: { c: 2 }, b: { c: 1 } }],
    ['a default before the rule that has a value', 'default p.b.c := 1\np[x].c := 2 if some x in ["b"]', { b: { c: 2 } }],
    ['a member of a partial object is found', 'q[x] := y if { some y, x in ["a", "b"] }\np := q.b', 1],
    ['a member of a general ref head is found', 'q[x].y := x if some x in ["a", "b"]\np := q.b.y', 'b'],
    ['refs into sets', 'q contains x if some x in [1, 2]\np if q[2]', true],
    ['not in a set', 'q contains x if some x in [1, 2]\np if not q[3]', true],
  ]);
  conflicts([
    ['two values of a key', 'p[x] := y if { some x in ["a"]; some y in [1, 2] }'],
    ['a set where another rule goes deeper', 'p[x] contains 1 if some x in ["b", "c"]\np.b.c contains 3'],
    ['a set where another rule has a value', 'p[x].b := 1 if some x in ["x"]\np.x.b contains 3'],
    ['a set where another rule has a set for a value', 'p[x].b := {3} if some x in ["x"]\np.x.b contains 3'],
    ['a value where another rule goes deeper', 'p[x] := 1 if some x in ["a"]\np[x].b := 1 if some x in ["a"]'],
  ]);
});

describe('objects and sets at constant keys are there without entries', () => {
  const keys = ['1', '1.5', '-1', 'true', 'null'];
  rows([
    ...keys.map(
      (key) => [`beside the key ${key}`, `p.open contains 1 if input.x\np[${key}].note := 2 if input.x`, { open: [], [key]: {} }] as const,
    ),
    ['below a key that is no string', 'p[1].a contains 2 if input.x\np[1].b.c := 3 if input.x', { 1: { a: [], b: {} } }],
    ['above a composite key', 'p[1] := 2\np["__proto__"][[1]].x := 3 if input.x', JSON.parse('{"1": 2, "__proto__": {}}')],
    ['above a variable', 'p[1] := 2\np.a[x] := 3 if some x in input.x', { 1: 2, a: {} }],
    ['a value has none', 'p[1] := 2 if input.x\np.a := 3 if input.x', {}],
    ['not below a variable', 'p[x].a contains 2 if some x in input.x\np.b contains 3 if input.x\np[1].c contains 4 if input.x', {}],
    ['beside entries', 'p[1].a contains 2\np[1].b contains 3 if input.x\np[2].c := 4', { 1: { a: [2], b: [] }, 2: { c: 4 } }],
    ['with a default', 'p[1].a contains 2 if input.x\ndefault p[true].b := 3', { 1: { a: [] }, true: { b: 3 } }],
    ['asked for by a key', 'q[1].a contains 2 if input.x\nq.b contains 3 if input.x\np := [q[1].a, q.b, q[1]]', [[], [], { a: [] }]],
    [
      'asked for by a key of the input',
      'q[1].a contains 2 if input.x\nq.b contains 3 if input.x\np := q[input.k]',
      [],
      { input: { k: 'b' } },
    ],
    ['so not finds them', 'q.open contains 2 if input.x\nq[null].b := 3 if input.x\np if not q.open', undefined],
    ['functions have no part', 'q[1].f(x) := x\nq[2].g := 3 if input.x\np := q', { 2: {} }],
  ]);
});

describe('functions', () => {
  rows([
    ['several bodies', 'f(x) := 1 if x > 1\nf(x) := 2 if x < 1\np := [f(0), f(2)]', [2, 1]],
    ['undefined where no body holds', 'f(x) := 1 if x > 1\np := f(0)', undefined],
    ['constant arguments', 'f(1) := "a"\nf("x") := "b"\nf(null) := "c"\np := [f(1), f("x"), f(null)]', ['a', 'b', 'c']],
    ['patterns', 'f([x, {"k": y}]) := x + y\np := f([1, {"k": 2}])', 3],
    ['a pattern that does not match', 'f([x, y]) := x + y\np := f(input)', undefined, { input: [1] }],
    ['a pattern with a variable twice', 'f([x, x]) := x\np := [y | some z in [[1, 1], [1, 2]]; y := f(z)]', [1]],
    ['a variable twice among the arguments', 'f(x, [x, y]) := y\np := [f(1, [1, 2]), [z | z := f(2, [1, 2])]]', [2, []]],
    ['wildcards', 'f(_, [_, x]) := x\np := f(1, [2, 3])', 3],
    ['false is a value', 'f(x) := false\np := f(1)', false],
    ['false fails as an expression', 'f(x) := false\np if f(1)', undefined],
    ['defaults', 'default f(_) := 3\nf(x) := 1 if x == 1\np := [f(1), f(2)]', [1, 3]],
    ['defaults of several arguments', 'default f(_, _) := 3\nf(x, y) := 1 if x == y\np := [f(1, 1), f(1, 2)]', [1, 3]],
    ['else', 'f(x) := 1 if x > 1\nelse := x if x > 0\nelse := "none"\np := [f(2), f(1), f(0)]', [1, 1, 'none']],
    ['else with a pattern', 'f([x]) := 1 if x > 1\nelse := x\np := [f([2]), f([1])]', [1, 1]],
    ['calls of calls', 'f(x) := x + 1\ng(x) := f(f(x))\np := g(f(1))', 4],
    ['the output is matched', 'f(x) := [x, 2]\np := y if [1, y] = f(1)', 2],
    ['the output as one more argument', 'f(x) := x + 1\np := y if f(1, y)', 2],
    ['an argument that is undefined', 'f(_) := 1\np := f(input.nope)', undefined],
    ['functions in a package with a path', ['package a.b\nf(x) := x', 'p := data.a.b.f(1)'], 1],
    ['functions with a ref', 'l.f(x) := x\np := l.f(1)', 1],
    ['keys with dots in them', 'l["a.b"](x) := 1\nl.a.b(x) := 2\np := [l["a.b"](0), l.a.b(0)]', [1, 2]],
    ['rules with such keys', 'l["a.b"] := 1\nl.a.b := 2\np := [l["a.b"], l.a.b, data.t.l]', [1, 2, { 'a.b': 1, a: { b: 2 } }]],
    [
      'packages with such keys',
      [
        'package a["b.c"]\nf(x) := 1\nq := 1',
        'package a.b.c\nf(x) := 2\nq := 2',
        'import data.a\np := [a["b.c"].f(0), a["b.c"].q, a.b.c.f(0), a.b.c.q]',
      ],
      [1, 1, 2, 2],
    ],
    ['such keys replaced', 'l["a.b"](x) := 1\nl.a.b(x) := 2\np := v if v := [l["a.b"](0), l.a.b(0)] with data.t.l.a.b as 3', [1, 3]],
    ['a function beside a number', 'l[1] := 5\nl.f.g(x) := x\np := [l.f.g(3), l]', [3, { 1: 5 }]],
    ['a replaced function beside a number', 'l[1] := 5\nl.f(x) := input\nq := l.f(0)\np := v if v := q with input as 7', 7],
    ['a function that no call names', 'l.a[k](x) := x if k := "b"\nl[1].f(x) := x\np := data.t.l', { a: {} }],
    ['a function beside one that no call names', 'l[1][2](x) := x\nl.f.g(x) := x\np := l.f.g(3)', 3],
  ]);
  conflicts([['two values', 'f(x) := x\nf(_) := 2\np := f(1)']]);
});
