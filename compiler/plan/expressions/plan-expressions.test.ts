import { describe, test } from 'vitest';
import { expectDecision, expectError, expectSolutions, type Given, type Texts } from '../../../test/harness/plans.js';

type Row = readonly [title: string, texts: Texts, wanted: unknown, given?: Given];

/** The value of `data.t.p`. */
function rows(list: readonly Row[]): void {
  for (const [title, texts, wanted, given] of list) test(title, () => expectDecision(texts, 'data.t.p', wanted as never, given));
}

describe('some … in', () => {
  rows([
    [
      'arrays',
      'p := [[i, x] | some i, x in ["a", "b"]]',
      [
        [0, 'a'],
        [1, 'b'],
      ],
    ],
    [
      'objects',
      'p := [[k, v] | some k, v in {"b": 1, "a": 2}]',
      [
        ['a', 2],
        ['b', 1],
      ],
    ],
    [
      'sets',
      'p := [[k, v] | some k, v in {2, 1}]',
      [
        [1, 1],
        [2, 2],
      ],
    ],
    ['patterns', 'p := [y | some [1, y] in [[1, 2], [2, 3], [1, 4]]]', [2, 4]],
    ['patterns with keys', 'p := [y | some 1, {"a": y} in [{"a": 5}, {"a": 6}]]', [6]],
    ['nothing of a scalar', 'p := [x | some x in input]', [], { input: 'abc' }],
    ['a variable that shadows', 'p := [x, y] if { x := 1; y := [x | some x in [2]] }', [1, [2]]],
    [
      'declared variables',
      'p := [[i, j] | some i, j; input[i][j] == 1]',
      [
        [0, 1],
        [1, 0],
      ],
      {
        input: [
          [0, 1],
          [1, 0],
        ],
      },
    ],
    ['membership', 'p := [x | some x in [1, 2, 3]; x in {1, 3}]', [1, 3]],
    ['membership with a key', 'p if { "a", 1 in {"a": 1} }', true],
  ]);
});

describe('every', () => {
  rows([
    ['all', 'p if every x in [1, 2] { x > 0 }', true],
    ['not all', 'p if every x in [1, 2] { x > 1 }', undefined],
    ['key and value', 'p if every k, v in {"a": "a"} { k == v }', true],
    ['of an array, the key is the index', 'p if every i, x in [0, 1] { i == x }', true],
    ['an empty domain', 'p if every x in [] { x > 1 }', true],
    ['an empty object', 'p if every _, x in {} { x > 1 }', true],
    ['a domain that is no collection', 'p if every x in input { x }', undefined, { input: 5 }],
    ['a domain that is undefined', 'p if every x in input.a { x }', undefined, { input: {} }],
    ['nested', 'p if every x in [1, 2] { every y in [3, 4] { x < y } }', true],
    ['nested, failing inside', 'p if every x in [1, 2] { every y in [2, 4] { x < y } }', undefined],
    ['loops in the body', 'p if every x in [1, 2] { some y in [0, 1]; x == y + 1 }', true],
    ['variables from outside', 'p := [y | some y in [1, 3]; every x in [1, 2] { x < y }]', [3]],
    ['under not', 'p if not every_one\nevery_one if every x in [1] { x > 1 }', true],
  ]);
});

describe('rules without parameters that are called', () => {
  const names = 'names() := input.names\nnames() := "none" if not input.names';
  rows([
    ['the value', `${names}\np := [names(), upper(names())]`, ['none', 'NONE'], { input: {} }],
    ['compared', `${names}\np if names() == "none"`, undefined, { input: { names: 'a' } }],
    ['by itself', `${names}\np if names()`, true, { input: {} }],
    ['negated', 'f() := input.x\np if not f()', true, { input: { x: false } }],
    ['with its value as an operand', `${names}\np if names("none")`, true, { input: {} }],
    ['iterated', `${names}\np := [x | some x in names()]`, ['a', 'b'], { input: { names: ['a', 'b'] } }],
    ['undefined', 'f() := input.x\np if not f()', true, { input: {} }],
    ['replaced', `${names}\nq := names()\np := x if x := q with names as "x"`, 'x', { input: {} }],
  ]);
});

describe('not', () => {
  rows([
    ['of what is undefined', 'p if not input.a', true, { input: {} }],
    ['of false', 'p if not input.a', true, { input: { a: false } }],
    ['of null', 'p if not input.a', undefined, { input: { a: null } }],
    ['of a loop that finds nothing', 'q if input[_] == 3\np if not q', true, { input: [1, 2] }],
    ['of a loop that finds something', 'q if input[_] == 2\np if not q', undefined, { input: [1, 2] }],
    ['of a comprehension', 'p if not [x | some x in input] == [1]', true, { input: [2] }],
    ['of a closure over a variable', 'p := [x | some x in [1, 2, 3]; not input[x]]', [1, 2, 3], { input: [0, false] }],
    ['of a call with a false result', 'f(x) := x == 1\np if not f(2)', true],
    ['of a rule', 'q if input.a\np if not q', true],
  ]);
});

describe('comprehensions', () => {
  rows([
    [
      'nested with a shared variable',
      'p := [[x, y] | some x in [1, 2]; y := [z | some z in [1, 2]; z != x]]',
      [
        [1, [2]],
        [2, [1]],
      ],
    ],
    ['objects', 'p := {k: v | some v, k in ["a", "b"]}', { a: 0, b: 1 }],
    ['sets in arrays', 'p := [{y | some y in x} | some x in [[1, 1], [2]]]', [[1], [2]]],
    ['empty where the body is undefined', 'p := [1 | input.nope]', [], { input: {} }],
    ['all solutions, the same ones too', 'p := [1 | input[_]]', [1, 1], { input: [1, 2] }],
    ['in arguments', 'p := sum([y | some x in [1, 2]; y := x * 2])', 6],
    ['in refs', 'p := [x | some x in [5, 6]][1]', 6],
    ['in comparisons', 'p if {x | some x in [1, 1]} == {1}', true],
    ['a variable of outside stays', 'p := [x, y] if { x := 1; y := [x | true] }', [1, [1]]],
    ['template strings', 'p := $"a {x} {input.nope} {[y | some y in [1]]}" if { x := 1 }', 'a 1 <undefined> [1]'],
  ]);
  test('two values of a key are a conflict', () => expectError('p := {1: v | some v in [1, 2]}', 'data.t.p', 'eval_conflict_error'));
});

describe('object literals', () => {
  rows([
    ['of equal keys the last', 'p := {"a": 1, "b": 2, "a": 3}', { a: 3, b: 2 }],
    ['what an equal key had before is not looked at', 'p := {"a": input.missing, "a": 1}', { a: 1 }],
    ['equal keys inside of a parameter', 'f([{"a": 1, "a": x}]) := x\np := f([{"a": 7}])', 7],
    ['keys that are the same rule', 'k := "a"\np := {k: input.missing, data.t.k: 2}', { a: 2 }],
    ['variables come after strings', 'p := {k: 1, "b": 2} if k := "b"', { b: 1 }],
    ['collections come after variables', 'p := {["b"]: 1, k: 2} if k := ["b"]', { '["b"]': 1 }],
  ]);
});

describe('unification', () => {
  rows([
    ['arrays one way', 'p := [x, y] if [x, [2, y]] = [1, [2, 3]]', [1, 3]],
    ['arrays both ways', 'p := [x, y, z] if [x, [2, y], z] = [1, [z, 3], 2]', [1, 3, 2]],
    ['what one pair binds another needs', 'p := [x, y] if { [x, y] = [y, 1] }', [1, 1]],
    ['objects', 'p := [x, y] if {"a": x, "b": {"c": y}} = {"a": 1, "b": {"c": 2}}', [1, 2]],
    ['objects both ways', 'p := [x, y] if {"a": x, "b": 2} = {"a": 1, "b": y}', [1, 2]],
    ['objects in another order', 'p := x if {"b": 2, "a": x} = {"a": 1, "b": 2}', 1],
    ['objects with more keys', 'p := x if {"a": x} = input', undefined, { input: { a: 1, b: 2 } }],
    ['objects with a key that is known', 'p := x if { k := "a"; {k: x} = input }', 1, { input: { a: 1 } }],
    ['objects both ways with a key that is known', 'p := x if { k := "a"; x := 2; {k: x} = {"a": 2} }', 2],
    ['arrays of another length', 'p := x if [x] = input', undefined, { input: [1, 2] }],
    ['a set of what is known', 'p := x if { x := 1; {x, 2} = {1, 2} }', 1],
    ['a variable twice', 'p := x if [x, x] = input', undefined, { input: [1, 2] }],
    [
      'a ref with a variable',
      'p := [[i, x] | [1, x] = input[i]]',
      [
        [0, 2],
        [2, 3],
      ],
      {
        input: [
          [1, 2],
          [2, 2],
          [1, 3],
        ],
      },
    ],
    ['refs on both sides', 'p := [i | input.a[i] = input.b[_]]', [1], { input: { a: [1, 2], b: [2, 3] } }],
    ['literals alone', 'p if [1, {"a": 2}] = [1, {"a": 2}]', true],
    ['literals that differ', 'p if [1, {"a": 2}] = [1, {"a": 3}]', undefined],
    ['a comprehension', 'p := x if [x, 2] = [y | some y in [1, 2]]', 1],
    ['a wildcard', 'p := x if [_, x, _] = [1, 2, 3]', 2],
    ['null and false', 'p := [x, y] if [x, y] = [null, false]', [null, false]],
  ]);
});

describe('queries', () => {
  test('bind what their author named', () => expectSolutions('p := 1', 'x = data.t.p; [y, _] = [2, 3]', [{ x: 1, y: 2 }]));
  test('have each solution once', () => expectSolutions('', '[1, 1][_] = x', [{ x: 1 }]));
  test('without variables have an empty solution', () => expectSolutions('p := 1', 'data.t.p == 1', [{}]));
  test('that fail have none', () => expectSolutions('p := 1', 'data.t.p == 2', []));
});
