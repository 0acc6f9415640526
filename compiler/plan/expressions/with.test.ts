import { describe, test } from 'vitest';
import { expectDecision, expectError, type Given, type Texts } from '../../../test/harness/plans.js';

type Row = readonly [title: string, texts: Texts, wanted: unknown, given?: Given];

/** The value of `data.t.p`. */
function rows(list: readonly Row[]): void {
  for (const [title, texts, wanted, given] of list) test(title, () => expectDecision(texts, 'data.t.p', wanted as never, given));
}

describe('with on input', () => {
  rows([
    ['replaces the whole', 'p := w if w := input with input as 3', 3, { input: 1 }],
    ['gives an input where there is none', 'p := w if w := input.a with input.a as 3', 3],
    [
      'leaves the rest of the input',
      'p := w if w := input with input.a.b as 3',
      { a: { b: 3, c: 4 }, d: 5 },
      { input: { a: { b: 1, c: 4 }, d: 5 } },
    ],
    ['makes objects of what is on the way', 'p := w if w := input with input.a.b as 3', { a: { b: 3 } }, { input: { a: [1] } }],
    ['reaches rules', 'q := input.x\np := w if w := q with input.x as 2', 2, { input: { x: 1 } }],
    ['reaches rules of rules', 'q := r\nr := input.x\np := [q, v] if v := q with input.x as 2', [1, 2], { input: { x: 1 } }],
    [
      'later modifiers build on earlier ones',
      'p := w if w := input with input.a as {"b": 1} with input.a.c as 2 with input.a.b as 3',
      { a: { b: 3, c: 2 } },
    ],
    ['a later modifier of what is above wins', 'p := w if w := input with input.a.b as 1 with input.a as 2', { a: 2 }],
    ['values are found outside of it', 'p := w if w := input with input as [input.a, input.b]', [1, 2], { input: { a: 1, b: 2 } }],
    ['a value that is undefined makes it undefined', 'p := w if w := 1 with input.x as input.nope', undefined, { input: {} }],
    ['values may be comprehensions', 'p := w if w := input with input as {x | some x in [1, 2, 1]}', [1, 2]],
    ['values may be rules', 'q := 5\np := w if w := input with input as q', 5],
    ['values may be calls', 'f(x) := x + 1\np := w if w := input with input as f(1) with input as f(2)', 3],
    ['nested in a rule, the inner one counts', 'q := w if w := input with input as 2\np := w if w := [input, q] with input as 1', [1, 2]],
    [
      'what a variable holds of the input stays',
      'p := [y, z] if { y := input; z := [y, input] with input as 3 }',
      [1, [1, 3]],
      { input: 1 },
    ],
    [
      'an argument that is the input stays',
      'f(x) := [x, input]\np := r if { y := input; r := f(y) with input as 3 }',
      [1, 3],
      { input: 1 },
    ],
    ['what is bound to the replaced input stays', 'p := [y, input] if { y := input with input as 3 }', [3, 1], { input: 1 }],
    ['holds for its expression alone', 'p := [x, y] if { x := input.a with input.a as 2; y := input.a }', [2, 1], { input: { a: 1 } }],
    [
      'runs over what it enumerates',
      'p := [[x, y] | x := input.a[i] with input.a as [i | some i in [7, 8]]; y := input.a[0]]',
      [
        [7, 1],
        [8, 1],
      ],
      { input: { a: [1] } },
    ],
    ['holds for what is negated', 'p if { not input.a with input.a as false }', true, { input: { a: true } }],
    ['a comprehension under it sees it', 'p := w if w := [x | some x in input] with input as [1, 2]', [1, 2]],
    [
      'a rule remembered under one input is asked again under another',
      'q := input.x\np := [a, b, c] if { a := q; b := q with input.x as 2; c := q }',
      [1, 2, 1],
      { input: { x: 1 } },
    ],
    ['every under it sees it', 'p if { every x in input.a { x < input.b } with input.a as [1, 2] with input.b as 3 }', true],
  ]);
});

describe('with on data', () => {
  rows([
    ['replaces base documents', 'p := w if w := data.x.y with data.x.y as 2', 2, { data: { x: { y: 1 } } }],
    ['leaves what is beside them', 'p := w if w := data.x with data.x.y as 2', { y: 2, z: 3 }, { data: { x: { y: 1, z: 3 } } }],
    ['makes paths', 'p := w if w := data.x with data.x.y.z as 2', { y: { z: 2 } }],
    ['replaces a rule', 'q := 1\np := w if w := q with data.t.q as 2', 2],
    ['replaces a rule that a rule reads', 'q := 1\nr := q\np := [r, v] if v := r with data.t.q as 2', [1, 2]],
    ['replaces a set', 'q contains 1\np := w if w := q with data.t.q as {2}', [2]],
    ['replaces a whole package', ['package a\nx := 1\ny := 2', 'p := w if w := data.a with data.a as {"z": 3}'], { z: 3 }],
    ['replaces one rule of a package', ['package a\nx := 1\ny := 2', 'p := w if w := data.a with data.a.x as 3'], { x: 3, y: 2 }],
    ['adds to a package', ['package a\nx := 1', 'p := w if w := data.a with data.a.z as 3'], { x: 1, z: 3 }],
    ['above a rule makes it undefined', ['package a.b\nx := 1', 'p := w if w := data.a.b.x with data.a as {}'], undefined],
    ['above a rule answers for it', ['package a.b\nx := 1', 'p := w if w := data.a.b.x with data.a as {"b": {"x": 2}}'], 2],
    ['functions below what is replaced are still there', ['package a\nf(x) := x', 'p := w if w := data.a.f(1) with data.a as {}'], 1],
    [
      'a key known only at run time finds what is replaced',
      [
        'package a.b\nx := 1',
        'package a.c\nx := 2',
        'p := [z, [v | some k in ["b", "c"]; v := data.a[k].x with data.a.b.x as 5]]\nz := data.a.b.x',
      ],
      [1, [5, 2]],
    ],
    [
      'enumeration finds what is replaced',
      ['package a.b\nx := 1', 'package a.c\nx := 2', 'p := {k: v | v := data.a[k].x with data.a.b.x as 5 with data.a.d.x as 6}'],
      { b: 5, c: 2, d: 6 },
    ],
    ['two modifiers on one package', 'q := 1\nr := 2\np := w if w := [q, r] with data.t.q as 3 with data.t.r as 4', [3, 4]],
    ['a value is found before anything is replaced', 'q := 1\nr := 2\np := w if w := [q, r] with data.t.q as r with data.t.r as q', [2, 1]],
    [
      'nested in a rule, both hold',
      'q := 1\nr := 2\ns := w if w := [q, r] with data.t.q as 3\np := w if w := s with data.t.r as 4',
      [3, 4],
    ],
    [
      'adds members to an enumerated package',
      ['package a.b\nx contains 1', 'p := w if w := [y | some k; data.a[k].x[y]] with data.a.b.x as {7}'],
      [7],
    ],
    ['nested, the inner one counts', 'q := 1\ns := w if w := q with data.t.q as 3\np := w if w := s with data.t.q as 4', 3],
  ]);
});

describe('with on functions', () => {
  rows([
    ['a built-in by a constant', 'p := w if w := count([1]) with count as 7', 7],
    ['a built-in by a built-in', 'p := w if w := count([1, 4]) with count as sum', 5],
    ['a built-in by a function', 'm(x) := [x]\np := w if w := count([1]) with count as m', [[1]]],
    ['a function by a constant', 'f(x) := x\np := w if w := f(1) with f as "c"', 'c'],
    ['a function by a function', 'f(x) := x\ng(x) := x + 1\np := w if w := f(1) with f as g', 2],
    ['a function by a function of another package', ['package a\ng(x) := x + 1', 'f(x) := x\np := w if w := f(1) with f as data.a.g'], 2],
    ['by a variable', 'p := [y | some x in [1, 2]; y := count([]) with count as x]', [1, 2]],
    ['by a rule', 'q := 5\np := w if w := count([]) with count as q', 5],
    [
      'by a variable, under enumeration',
      [
        'package a.b\nx := count([])',
        'package a.c\nx := 5',
        'p := w if { some v in [8]; w := [[k, y] | y := data.a[k].x with count as v] }',
      ],
      [
        ['b', 8],
        ['c', 5],
      ],
    ],
    [
      'by a variable, by keys known at run time',
      [
        'package a.b\nx := count([])',
        'package a.c\nx := count([1])',
        'q := w if { some v in [8]; w := [y | some k in ["c", "b"]; y := data.a[k].x with count as v] }\np := [q, [y | some k in ["c", "b"]; y := data.a[k].x]]',
      ],
      [
        [8, 8],
        [1, 0],
      ],
    ],
    ['by a partial set', 'q contains 5\np := w if w := count([]) with count as q', [5]],
    [
      'by a rule that is looked at where the call is',
      'q := input.x\np := w if w := count([]) with count as q with input.x as 2',
      2,
      { input: { x: 1 } },
    ],
    ['by a rule that is undefined, of no account where nothing is called', 'q := 1 if false\np := w if w := 5 with count as q', 5],
    [
      'by a set of rules, looked at there',
      'q contains input.x\np := w if w := count([]) with count as q with input.x as 2',
      [2],
      { input: { x: 1 } },
    ],
    ['by a comprehension', 'p := w if w := count([]) with count as [x | some x in [1]]', [1]],
    ['reaches rules and functions', 'f(x) := count(x)\nq := f([1])\np := [q, v] if v := q with count as 9', [1, 9]],
    [
      'reaches them with a variable',
      'f(x) := count(x)\nq := f([1])\np := [q, v] if { w := input.w; v := q with count as w }',
      [1, 4],
      { input: { w: 4 } },
    ],
    ['a mock calls what it replaces', 'm(x) := count(x) + 10\np := w if w := count([1]) with count as m', 11],
    [
      'what a mock calls is not replaced',
      'm(x) := sum(x)\np := w if w := [count([1]), sum([1])] with count as m with sum as 100',
      [1, 100],
    ],
    ['a mock sees the input of the place', 'm(_) := input.v\nq := count([1])\np := w if w := q with count as m with input.v as 3', 3],
    [
      'a mock sees rules as they are replaced',
      'x := 1\nm(_) := x\nq := count([1])\np := w if w := q with count as m with data.t.x as 7',
      7,
    ],
    ['nested, the inner one counts', 'q := w if w := count([]) with count as 1\np := w if w := [q, count([])] with count as 2', [1, 2]],
    [
      'nested, variables',
      'q := v if { w := input.a; v := count([]) with count as w }\np := [q, count([])] if { w := input.b; q with count as w }',
      [1, 0],
      { input: { a: 1, b: 2 } },
    ],
    ['in a comprehension', 'p := w if w := [y | some x in [[1], [2]]; y := count(x)] with count as 3', [3, 3]],
    ['in every', 'p if { every x in [1, 2] { count([x]) == 3 } with count as 3 }', true],
    ['under not', 'p if { not count([]) with count as false }', true],
    ['a false mock makes a call undefined', 'p if { startswith("a", "a") with startswith as false }', undefined],
    ['a mock that is undefined makes the call undefined', 'm(_) := 1 if false\np := w if w := count([]) with count as m', undefined],
    ['holds for its expression alone', 'p := [x, y] if { x := count([]) with count as 9; y := count([]) }', [9, 0]],
    ['with input beside it', 'p := w if w := [count([]), input] with count as 9 with input as 1', [9, 1]],
  ]);

  test('the whole of data', () => expectDecision('p := 1', 'data with data as {"z": 1}', { z: 1 }));
  test('the whole of data by what is no object', () => expectDecision('p := 1', 'data with data as 5', 5));

  test('a rule inside of an object that has no value is looked at where the call is', () =>
    expectDecision(
      [
        'package e\nr[v] contains 1 if walk([], [v, _])\nr.k contains 1 if false',
        'default p := "a"\np := 0 if { v := 1 with sum as data.e.r["k"] }',
      ],
      'data.t.p',
      0,
    ));

  test('a mock that makes two values is a conflict', () =>
    expectError('m(_) := 1\nm(_) := 2\np := w if w := count([]) with count as m', 'data.t.p', 'eval_conflict_error'));
});

describe('a key that is no string is no place for a value', () => {
  const given = { input: { cs: [{ a: true }], n: 0 }, data: { cs: [1] } };
  test.each([
    ['an index', 'p if { true with input.cs[0].a as false }'],
    ['an index of data', 'p := x if x := data.cs with data.cs[0] as 2'],
    ['a number that is no index', 'p if { true with input.cs[1.5] as 2 }'],
    ['a boolean and a composite key', 'p if { true with input[true][{1}] as 2 }'],
    ['a key that is known at run time', 'p if { x := input.n; true with input.cs[x] as 2 }'],
    ['beside a good one', 'p if { true with input.a as 1 with data.cs[0] as 2 with input.a.b as 3 }'],
    ['below not', 'p if { not data.t.q with input.cs[0].a as 2 }\nq if input.cs[0].a == 3'],
    ['in a comprehension', 'p := [x | some x in [1, 2]; x > 1 with input[0] as x]'],
    ['in a function', 'f(x) := y if y := x + 1 with input[0] as x\np := f(2)'],
    ['in a loop that has found its value', 'p if { some x in [1, 2]; q[x] }\nq contains x if { x := 2; true with input[0] as 1 }'],
  ])('%s', (_title, rules) => expectError(rules, 'x = data.t.p', 'eval_conflict_error', given));

  rows([
    ['values come first, and one is undefined', 'p := 1 if true with input.cs[0] as input.nope', undefined, given],
    ['nothing gets there', 'p := [x | some x in [1, 2]; x > 2; true with input.cs[0] as x]', [], given],
  ]);
});
