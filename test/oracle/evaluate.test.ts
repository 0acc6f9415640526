/** Results of the evaluator where names, order or negation make a difference. */
import { describe, expect, test } from 'vitest';
import { parseModule } from '../../compiler/syntax/parse.js';
import { parseQuery } from '../../compiler/syntax/query.js';
import { builtins } from '../../values/builtins/registry.js';
import { compare } from '../../values/compare.js';
import { toJson } from '../../values/json/json.js';
import { testContext } from '../harness/builtins.js';
import { evaluateQuery, type QueryAnswer } from './evaluate.js';

function find(rules: string, query: string, steps?: number): QueryAnswer {
  const module = parseModule('t.rego', `package t\n${rules}`);
  const given = { input: { xs: [1, 2], o: { a: 1 } }, data: { d: { a: [1] } }, builtins, context: testContext() };
  return evaluateQuery([module], parseQuery(query), { ...given, ...(steps !== undefined && { steps }) });
}

function expectFound(rules: string, query: string, wanted: string): void {
  const answer = find(rules, query);
  const solutions = answer.kind === 'solutions' ? [...answer.solutions].sort(compare) : [];
  expect(answer.kind === 'solutions' ? toJson(solutions) : answer).toEqual(wanted);
}

describe('names', () => {
  test.each([
    ['a variable shadows a rule in all of its body', 'q := 1\np := x if { x := 2; q := x; q == 2 }', '[{"x":2}]'],
    ['a comprehension shadows outer variables', 'p := [x, y] if { x := 1; y := [x | x := 2] }', '[{"x":[1,[2]]}]'],
    ['but shares undeclared variables', 'p := y if { x = 1; y := [x | true] }', '[{"x":[1]}]'],
    ['siblings share nothing', 'p := [a, b] if { a := [i | input.xs[i]]; b := [i | i = 5] }', '[{"x":[[0,1],[5]]}]'],
    ['parameters shadow rules', 'q := 1\nf(q) := q\np := f(2)', '[{"x":2}]'],
  ])('%s', (_title, rules, wanted) => expectFound(rules, 'x = data.t.p', wanted));
});

describe('order', () => {
  test.each([
    ['an expression waits for its variables', 'p := y if { y = x + 1; x = 1 }', '[{"x":2}]'],
    ['a comprehension waits for its shared variables', 'p := y if { y = [x | true]; x = 1 }', '[{"x":[1]}]'],
    ['an operand waits for another', 'p contains i if { [i, input.xs[i]] == [1, 2] }', '[{"x":[1]}]'],
    ['keys and values of one name are equal', 'p contains x if { x = input.xs[x] }', '[{"x":[]}]'],
  ])('%s', (_title, rules, wanted) => expectFound(rules, 'x = data.t.p', wanted));

  test.each([
    ['one loop at a time has one order', 'p := [[a, b] | a := input.xs[_]; b := input.xs[_]]', true],
    ['two in an expression have not', 'p := [[a, b] | [a, b] = [input.xs[_], input.xs[_]]]', false],
  ])('%s', (_title, rules, isOrdered) => {
    expect(find(rules, 'x = data.t.p')).toMatchObject({ kind: 'solutions', isOrdered });
  });
});

describe('negation', () => {
  const newer = 'import future.keywords.not\n';
  test.each([
    ['a ref may be undefined', 'p if not input.no', '[{"x":true}]'],
    ['so may a side of an equation', 'p if not input.no == 1', '[{"x":true}]'],
    ['an operand may not', 'p if not count(input.no) > 0', '[]'],
    ['nor a part of an object', 'p if not {"a": input.no} == 1', '[]'],
    ['under the newer keyword all may', `${newer}p if not count(input.no) > 0`, '[{"x":true}]'],
    ['and braces make a scope', `${newer}p if not { some i; input.xs[i] == 3 }`, '[{"x":true}]'],
  ])('%s', (_title, rules, wanted) => expectFound(rules, 'x = data.t.p', wanted));
});

describe('rules', () => {
  test.each([
    ['sets and objects under one ref', 'p[k] contains 1 if some k in ["a"]\np.b contains 2', '[{"x":{"a":[1],"b":[2]}}]'],
    ['an else is evaluated if the body has no value', 'p := input.no if true\nelse := 2', '[{"x":2}]'],
    ['an else of a key', 'p["a"] := 1 if false\nelse := 2', '[{"x":{"a":2}}]'],
    ['a default applies to functions too', 'default f(_) := 0\nf(1) := 1\np := [f(1), f(2)]', '[{"x":[1,0]}]'],
    [
      'with replaces rules and functions',
      'q := 1\nf(_) := 1\ng(x) := x\np := x if { x := [q, f(3)] with q as 2 with f as g }',
      '[{"x":[2,3]}]',
    ],
    ['eq of one operand has its value', 'p := [y, z] if { y = eq(1); z := eq([y]) }', '[{"x":[1,[1]]}]'],
    ['base documents exist beside packages', 'p := x if { x := data.d.a[0] }', '[{"x":1}]'],
  ])('%s', (_title, rules, wanted) => expectFound(rules, 'x = data.t.p', wanted));

  test('conflicting rules end the evaluation, and so does too much work', () => {
    expect(find('p := 1\np := 2', 'x = data.t.p')).toMatchObject({ kind: 'error' });
    expect(find('p := [1 | numbers.range(1, 1000)[_]]', 'x = data.t.p', 100)).toEqual({ kind: 'unknown' });
  });
});

describe('with', () => {
  test.each([
    ['the input', 'p if { true with input.xs[0] as 1 }'],
    ['data', 'p if { true with data.d[1].a as 1 }'],
  ])('a key that is no string is no place in %s', (_title, rules) => expect(find(rules, 'x = data.t.p').kind).toBe('error'));
});
