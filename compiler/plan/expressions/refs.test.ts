import { describe, test } from 'vitest';
import { expectDecision, expectSolutions, type Given, type Texts } from '../../../test/harness/plans.js';
import { numberFromText } from '../../../values/numbers/number.js';

type Row = readonly [title: string, texts: Texts, query: string, wanted: unknown, given?: Given];

function rows(list: readonly Row[]): void {
  for (const [title, texts, query, wanted, given] of list) test(title, () => expectDecision(texts, query, wanted as never, given));
}

const packages = ['package a.b\nx := 1\ndeny contains "b"', 'package a.c\nx := 2\ndeny contains "c"', 'package a.d\ny := 3'];

describe('refs into input and values', () => {
  rows([
    ['an input that is not there is undefined', 'p := 1', 'input', undefined],
    ['null is an input', 'p := 1', 'input', null, { input: null }],
    ['not input holds without one', 'p if not input', 'data.t.p', true],
    ['not input.x holds without input', 'p if not input.x', 'data.t.p', true],
    ['false is a value', 'p := input.x', 'data.t.p', false, { input: { x: false } }],
    [
      'a wildcard and a name',
      'p := [x | x := input[_][i]; i > 0]',
      'data.t.p',
      [2, 4],
      {
        input: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'a variable twice in a ref',
      'p := [x | x := input[i][i]]',
      'data.t.p',
      [1, 4],
      {
        input: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'wildcards are not the same variable',
      'p := [x | x := input[_][_]]',
      'data.t.p',
      [1, 2, 3, 4],
      {
        input: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    ['composite keys of sets', 'q := {[1, 2], [1, 3]}\np := {y | q[[1, y]]}', 'data.t.p', [2, 3]],
    ['composite keys that are known', 'q := {[1, 2]}\np := q[[1, 2]]', 'data.t.p', [1, 2]],
    ['composite keys of objects', 'q := {{"a": 1}: 2, {"a": 3}: 4}\np := {y: v | v := q[{"a": y}]}', 'data.t.p[3]', 4],
    ['refs into a set of composites', 'q contains [x, y] if { some x in [1, 2]; y := x * 2 }\np := {y | q[[_, y]]}', 'data.t.p', [2, 4]],
    ['calls are heads of refs', 'f(x) := {"k": x}\np := f(1).k', 'data.t.p', 1],
    ['keys that are rules', 'k := "a"\np := input[k]', 'data.t.p', 1, { input: { a: 1 } }],
    ['keys that are refs', 'p := input.o[input.k]', 'data.t.p', 1, { input: { o: { a: 1 }, k: 'a' } }],
    ['a scalar has no elements', 'p := [x | x := input.a[_]]', 'data.t.p', [], { input: { a: 3 } }],
    ['elements of literals', 'p := [[1, 2], [3]][1][0]', 'data.t.p', 3],
  ]);
});

describe('a variable that stands in several places has one value', () => {
  const over = (body: string, input: unknown, wanted: unknown): Row => [
    body,
    `p contains x if { ${body} }`,
    'data.t.p',
    wanted,
    { input: input as never },
  ];
  const ns = { ns: [2, 1, 0] };
  const oo = { oo: [{ a: 'b', c: 'c' }, { d: 'd' }] };
  rows([
    over('x = input.ns[x]', ns, [1]),
    over('input.ns[x] = x', ns, [1]),
    over('x == input.oo[_][x]', oo, ['c', 'd']),
    over('some x; input.ns[x] == x', ns, [1]),
    over('some x, x in input.ns', ns, [1]),
    over(
      '[x, x] = input.ns[x]',
      {
        ns: [
          [0, 1],
          [1, 1],
          [2, 3],
        ],
      },
      [1],
    ),
    over(
      '{"k": x, "l": x} = input.ns[_]',
      {
        ns: [
          { k: 1, l: 2 },
          { k: 3, l: 3 },
        ],
      },
      [3],
    ),
    over('[x, [y, x]] = [input.ns[y], [x, y]]', ns, [1]),
    over('[x, y] = [input.ns[y], input.ns[x]]; x != y', ns, [0, 2]),
    over('{"k": {x: x}} = {"k": input.oo[x]}', { oo: { a: { a: 'a' }, b: { b: 'a' } } }, ['a']),
    over('some {"k": x}, x in {{"k": 1}: 1, {"k": 2}: 1}', {}, [1]),
    over('some x, [x, y] in {1: [1, 2], 2: [1, 1]}; y', {}, [1]),
    over('x = {[1, 1], [1, 2], [1, [1, 1]]}[[1, x]]', {}, []),
    over('s := {[1, 2], [3, 3]}; s[[x, x]]', {}, [3]),
    over('walk(input.ns, [[x], x])', ns, [1]),
    [
      'keys and values of packages',
      ['p contains x if { x = data.q[_][x] }', 'package q.r\na := "a"\nb := "a"', 'package q.s\nb := "b"'],
      'data.t.p',
      ['a', 'b'],
    ],
    [
      'keys of packages twice',
      ['p contains x if { data.q[x][x] }', 'package q.r\nr := 1\ns := 1', 'package q.s\nb := 1'],
      'data.t.p',
      ['r'],
    ],
    [
      'documents beside packages',
      ['p contains x if { x = data.q[_][x] }', 'package q.r\na := "b"'],
      'data.t.p',
      ['c'],
      { data: { q: { s: { c: 'c' } } } },
    ],
    ['a name declared before', 'p if { some foo; input.foos[foo] == foo }', 'data.t.p', undefined, { input: { foos: ['foo'] } }],
    ['inside a comprehension', 'p := [x | x = input.ns[x]]', 'data.t.p', [1], { input: ns }],
    ['under not', 'p if not x_found\nx_found if { input.ns[x] = x }', 'data.t.p', true, { input: { ns: [1, 2] } }],
    ['inside every', 'p if every n in input.ns { m := n; n == m; some x; x = input.ns[x] }', 'data.t.p', true, { input: ns }],
    ['under with', 'p contains x if { x = input.ns[x] with input.ns as [1, 1] }', 'data.t.p', [1], { input: ns }],
    [
      'in parameters',
      'f(x, x) := x\ng([x, {"k": x}]) := x\np := [y | some a, b in input.ns; y := f(a, b)]\nq := [g([1, {"k": 1}])]\nr if g([1, {"k": 2}])',
      'data.t',
      { p: [1], q: [1] },
      { input: ns },
    ],
  ]);
});

describe('refs into data', () => {
  rows([
    ['base documents', 'p := data.x.y[1]', 'data.t.p', 2, { data: { x: { y: [1, 2] } } }],
    ['the whole of data', 'p := 1', 'data', { t: { p: 1 }, x: 2 }, { data: { x: 2 } }],
    ['a package and base documents beside its rules', 'p := 1', 'data.t', { p: 1, q: 2 }, { data: { t: { q: 2 } } }],
    ['packages below packages', packages, 'data.a', { b: { x: 1, deny: ['b'] }, c: { x: 2, deny: ['c'] }, d: { y: 3 } }],
    ['a package without values is empty', 'p if false', 'data.t', {}],
    ['functions do not show', 'f(x) := x\np := 1', 'data.t', { p: 1 }],
    ['data.system does not show', ['package system.x\ny := 1', 'p := 1'], 'data', { t: { p: 1 } }],
    ['nor do base documents below it', ['p := 1'], 'data', { t: { p: 1 }, x: 1 }, { data: { system: { y: 2 }, x: 1 } }],
    ['nor do its keys, where there are no rules', [], '{k | data[k]}', ['x'], { data: { system: { y: 2 }, x: 1 } }],
    ['base documents below data.system are there for who asks', [], 'data.system.y', 2, { data: { system: { y: 2 } } }],
    ['data.system is there for who asks', ['package system.x\ny := 1'], 'data.system.x.y', 1],
    ['odd package names', ['package a["b-c"]["d.e"]\nx := 1', 'p := data.a["b-c"]["d.e"].x'], 'data.t.p', 1],
    ['rules named like keywords', 'p := data.x["default"]["with"]', 'data.t.p', 1, { data: { x: { default: { with: 1 } } } }],
    ['a key known at run time finds rules', [...packages, 'p := [v | some k in ["c", "b", "d"]; v := data.a[k].x]'], 'data.t.p', [2, 1]],
    [
      'a key known at run time finds base documents',
      [...packages, 'p := [v | some k in ["z", "b"]; v := data.a[k].x]'],
      'data.t.p',
      [9, 1],
      { data: { a: { z: { x: 9 } } } },
    ],
    [
      'a key known at run time finds no functions',
      [
        'package a.b\nf(x) := x',
        'package a.c\nf := {"y": 2}',
        'p := [v | some k in ["c", "b", "d"]; v := data.a[k].f.y]\nq := data.a[input].f',
      ],
      'data.t',
      { p: [2] },
      { input: 'b' },
    ],
    ['nor do keys that are run over', ['package a.b\nf(x) := x', 'package a.c\nf := 2', 'p := [v | v := data.a[_].f]'], 'data.t.p', [2]],
    ['a key known at run time finds packages', [...packages, 'p := data.a[input]'], 'data.t.p', { x: 2, deny: ['c'] }, { input: 'c' }],
    ['a key that is no string', [...packages, 'p := data.a[input]'], 'data.t.p', undefined, { input: 1 }],
    ['two keys known at run time', [...packages, 'p := data.a[input[0]][input[1]]'], 'data.t.p', 2, { input: ['c', 'x'] }],
    ['the first key known at run time', [...packages, 'p := data[input].b.x'], 'data.t.p', 1, { input: 'a' }],
    [
      'base documents come before packages and rules',
      [...packages, 'p := [k | data.a[k].x]\nq := [[k, l] | data.a[k][l] = _; l != "deny"]'],
      'data.t',
      {
        p: ['a', 'z', 'b', 'c'],
        q: [
          ['a', 'x'],
          ['z', 'x'],
          ['b', 'w'],
          ['b', 'x'],
          ['c', 'x'],
          ['d', 'y'],
        ],
      },
      { data: { a: { z: { x: 1 }, a: { x: 2 }, b: { w: 3 } } } },
    ],
    ['enumeration of packages', [...packages, 'p := {k: v | v := data.a[k].x}'], 'data.t.p', { b: 1, c: 2 }],
    [
      'enumeration of packages and base documents',
      [...packages, 'p := {k: v | v := data.a[k].x}'],
      'data.t.p',
      { b: 1, c: 2, z: 9 },
      { data: { a: { z: { x: 9 } } } },
    ],
    [
      'base documents beside rules of an enumerated package',
      [...packages, 'p := {k: v | v := data.a[k].w}'],
      'data.t.p',
      { d: 9 },
      { data: { a: { d: { w: 9 } } } },
    ],
    ['enumeration of members below', [...packages, 'p contains v if data.a[_].deny[v]'], 'data.t.p', ['b', 'c']],
    [
      'enumeration of all that packages have',
      [...packages, 'p := {[k, l] | data.a[k][l]}'],
      'data.t.p',
      [
        ['b', 'deny'],
        ['b', 'x'],
        ['c', 'deny'],
        ['c', 'x'],
        ['d', 'y'],
      ],
    ],
    ['a variable twice over packages', ['package a.b\nb := 1', 'package a.c\nb := 2', 'p := [v | v := data.a[k][k]]'], 'data.t.p', [1]],
    [
      'a variable twice over base documents',
      'p := {i | data.x[i][i]}',
      'data.t.p',
      [0, 1],
      {
        data: {
          x: [
            [1, 2],
            [3, 4],
          ],
        },
      },
    ],
    ['base documents under the name of a rule do not count', 'q := 1\np := data.t.q', 'data.t.p', 1, { data: { t: { q: 2 } } }],
  ]);

  test('solutions of a query over packages', () =>
    expectSolutions(packages, 'data.a[k].x = v', [
      { k: 'b', v: 1 },
      { k: 'c', v: 2 },
    ]));

  const deep = [
    'package pol.a.b\ndeny contains "x"\nother if count(data.t.p) > 100',
    'package pol.c.d\ndeny contains "y"',
    'package pol.e\ndeny := {"z"}',
  ];

  rows([
    [
      'over packages of packages, only what is asked for is evaluated',
      [...deep, 'p contains x if { some i, j; data.pol[i][j].deny[x] }'],
      'data.t.p',
      ['x', 'y'],
    ],
    [
      'the same where the first key is known at run time',
      [...deep, 'p contains x if { some j; data.pol[input][j].deny[x] }'],
      'data.t.p',
      ['x'],
      { input: 'a' },
    ],
    [
      'the same where a key between is known at run time',
      [
        ...deep,
        'package top.pol.a.b\ndeny contains "x"\nother if count(data.t.p) > 100',
        'p contains x if { some i; data.top[i][input].b.deny[x] }',
      ],
      'data.t.p',
      ['x'],
      { input: 'a' },
    ],
    [
      'base documents below packages of packages',
      [...deep, 'p contains [i, j] if { some i, j; data.pol[i][j].deny.q }'],
      'data.t.p',
      [
        ['a', 'n'],
        ['m', 'n'],
      ],
      { data: { pol: { m: { n: { deny: { q: 1 } } }, a: { n: { deny: { q: 2 } } } } } },
    ],
    [
      'base arrays below',
      [...deep, 'p contains [i, j] if { some i, j; data.pol[i][j].deny.q }'],
      'data.t.p',
      [['m', 1]],
      { data: { pol: { m: [1, { deny: { q: 1 } }] } } },
    ],
    [
      'a rule in the place of a package',
      ['package pol.a.b\nx := 1', 'package pol\nr := {"k": {"x": 2}}', 'p := {[i, j, v] | v := data.pol[i][j].x}'],
      'data.t.p',
      [
        ['a', 'b', 1],
        ['r', 'k', 2],
      ],
    ],
    [
      'three levels',
      [
        'package q.a.b.c\nx := 1',
        'package q.a.b.d\nx := 2',
        'package q.e.f\ng := {"x": 3}',
        'p := {[i, j, k, v] | v := data.q[i][j][k].x}',
      ],
      'data.t.p',
      [
        ['a', 'b', 'c', 1],
        ['a', 'b', 'd', 2],
        ['e', 'f', 'g', 3],
      ],
    ],
    [
      'a pattern evaluates no rule, since names are strings',
      ['package q.a\nx := 1\nx := 2 if input.a', 'p := {v | v := data.q[_][[_]]}'],
      'data.t.p',
      [],
      { input: { a: 1 } },
    ],
  ]);
});

describe('keys of base documents are texts', () => {
  const data = { data: { rows: ['a', 'b'], obj: { '1': 'x', '1.0': 'y' }, deep: { rows: [[1, 2]] } } };
  rows([
    ['a text finds the element that it is the index of', 'p := data.rows["1"]', 'data.t.p', 'b', data],
    ['on every level', 'p := data.deep.rows["0"]["1"]', 'data.t.p', 2, data],
    ['in each form of a whole number', 'p := [data.rows[k] | some k in ["01", "+1", "1.0", "-0"]]', 'data.t.p', ['b', 'b', 'b', 'a'], data],
    ['as a literal', 'p := [data.rows["01"], data.rows["+1"], data.rows["1.0"], data.rows["-0"]]', 'data.t.p', ['b', 'b', 'b', 'a'], data],
    ['but not with an exponent or a sign', 'p := [data.rows[k] | some k in ["1e0", "-1", "1.", "1.5", "1 ", ""]]', 'data.t.p', [], data],
    ['a number finds an element', 'p := data.rows[1]', 'data.t.p', 'b', data],
    ['by its value', 'p := [data.rows[1.0], data.rows[1e0], data.rows[-0]]', 'data.t.p', ['b', 'b', 'a'], data],
    ['a number that is no whole one finds none', 'p := data.rows[1.5]', 'data.t.p', undefined, data],
    ['a number finds the key that is its literal', 'p := [data.obj[1], data.obj[1.0]]', 'data.t.p', ['x', 'y'], data],
    ['values are no documents', 'p := input.rows["1"]', 'data.t.p', undefined, { input: data.data }],
    [
      'an object that a with puts there has keys of any type',
      'q := data.o[1.5]\np := x if x := q with data.o as {1.5: "z"}',
      'data.t.p',
      'z',
      data,
    ],
  ]);

  const given = { ...data, input: { text: '1', number: 1, float: numberFromText('1.0'), other: true } };
  rows([
    ['a text known at run time finds the element', 'p := data.rows[input.text]', 'data.t.p', 'b', given],
    ['so not finds it', 'p if not data.rows[input.text]', 'data.t.p', undefined, given],
    ['a number finds the key that is its literal', 'p := [data.obj[input.number], data.obj[input.float]]', 'data.t.p', ['x', 'y'], given],
    ['a number finds an element by its value', 'p := data.rows[input.float]', 'data.t.p', 'b', given],
    ['so not finds it', 'p if not data.rows[input.float]', 'data.t.p', undefined, given],
    ['a number that a variable holds', 'p := data.rows[i] if i := 1.0', 'data.t.p', 'b', given],
    ['in an array that a with puts there', 'q := data.rows[input.float]\np := x if x := q with data.rows as [3, 4]', 'data.t.p', 4, given],
    ['a key of another type finds nothing', 'p if not data.obj[input.other]', 'data.t.p', true, given],
    ['on every level', 'p := data.deep.rows[input.zero][input.text]', 'data.t.p', 2, { ...given, input: { zero: '0', text: '1' } }],
    ['below a loop', 'p := [x | x := data.deep.rows[_][input.text]]', 'data.t.p', [2], given],
    ['below a loop over keys', 'p := [x | some i; x := data.deep[i]["0"][input.text]]', 'data.t.p', [2], given],
    ['a key that a variable holds', 'p := x if { some k in ["1"]; x := data.rows[k] }', 'data.t.p', 'b', given],
    ['a key that is an argument', 'f(k) := data.rows[k]\np := f("1")', 'data.t.p', 'b', given],
    ['what a variable holds is a value', 'p := x if { r := data.rows; x := r[input.text] }', 'data.t.p', undefined, given],
    [
      'so is what it holds of a part',
      'p := x if { d := data.deep; x := d.rows[input.zero] }',
      'data.t.p',
      undefined,
      { ...given, input: { zero: '0' } },
    ],
    ['so is an argument', 'f(r) := r[input.text]\np := f(data.rows)', 'data.t.p', undefined, given],
    ['so is an element', 'p := x if { some r in data.deep.rows; x := r[input.text] }', 'data.t.p', undefined, given],
    ['a pattern has keys of values', 'p if { {1: _, "1.0": _} = data.obj }', 'data.t.p', undefined, given],
    [
      'a variable and a ref each look up in their own way',
      'p := [x | r := data.rows; data.rows[input.text] == "b"; x := r[input.text]]',
      'data.t.p',
      [],
      given,
    ],
    ['rules are values', 'q := data.rows\np := data.t.q[input.text]', 'data.t.p', undefined, given],
  ]);

  // Packages beside the documents: a key known at run time may find either.
  const mixed: Given = {
    data: { pkg: { base: ['b0', 'b1'], obj: { '1': 'o1' }, sub: { deep: ['d0', 'd1'] } } },
    input: { base: 'base', obj: 'obj', sub: 'sub', rule: 'rule', text: '1', number: 1 },
  };
  const pkg = 'package pkg\nrule := ["r0", "r1"]';
  const beside = (rules: string): Texts => [`package t\n${rules}`, pkg];
  rows([
    ['beside rules, a text finds the element', beside('p := data.pkg[input.base][input.text]'), 'data.t.p', 'b1', mixed],
    ['a number finds the key', beside('p := data.pkg[input.obj][input.number]'), 'data.t.p', 'o1', mixed],
    ['a literal finds the element', beside('p := data.pkg[input.base]["1"]'), 'data.t.p', 'b1', mixed],
    ['so not finds it beside rules', beside('p if not data.pkg[input.base][input.text]'), 'data.t.p', undefined, mixed],
    ['further down', beside('p := data.pkg[input.sub].deep[input.text]'), 'data.t.p', 'd1', mixed],
    ['values of rules have no texts for indexes', beside('p := data.pkg[input.rule][input.text]'), 'data.t.p', undefined, mixed],
    ['they have indexes', beside('p := data.pkg[input.rule][input.number]'), 'data.t.p', 'r1', mixed],
    ['in a loop over both', beside('p := [x | some k; x := data.pkg[k][input.text]]'), 'data.t.p', ['b1', 'o1'], mixed],
    ['in two loops', beside('p := [x | x := data.pkg[_][_][input.text]]'), 'data.t.p', ['d1'], mixed],
    ['in a loop behind it', beside('p := [x | x := data.pkg[input.sub][_][input.text]]'), 'data.t.p', ['d1'], mixed],
    ['in a loop over names behind it', beside('p := [[i, x] | x := data.pkg[input.sub][i]["0"]]'), 'data.t.p', [['deep', 'd0']], mixed],
    ['in a loop with a literal', beside('p := [x | x := data.pkg[_]["1"]]'), 'data.t.p', ['b1', 'o1'], mixed],
  ]);
});
