import { expect, test } from 'vitest';
import { equalModules } from '../../test/harness/equal-modules.js';
import { parseModule } from '../syntax/parse.js';
import { parseQuery, parseTerm } from '../syntax/query.js';
import { equalTerms } from './equal.js';
import type { Term } from './nodes.js';
import { printBody, printTerm } from './print.js';
import { varsOf } from './vars.js';
import { type Mapper, mapExprChildren, mapTermChildren } from './walk.js';

const body = parseQuery('x = f(y.a[i]); [c | c := d[_]; e]; {k: v} = o with input.w as w');

test('variables are found everywhere, or where asked for', () => {
  expect([...varsOf(body)].filter((name) => !name.startsWith('$')).sort()).toEqual(
    ['assign', 'c', 'd', 'e', 'eq', 'f', 'i', 'input', 'k', 'o', 'v', 'w', 'x', 'y'].sort(),
  );
  const some = varsOf(body, { skipClosures: true, skipOperators: true, skipRefHead: true, skipObjectKeys: true });
  expect([...some]).toEqual(['x', 'i', 'v', 'o', 'w']);
});

const rename: Mapper = {
  term: (term: Term): Term => (term.type === 'var' && term.name === 'x' ? { ...term, name: 'renamed' } : mapTermChildren(term, rename)),
  body: (exprs) => exprs.map((expr) => mapExprChildren(expr, rename)),
};

test('mapping builds a new tree and shares what stays', () => {
  const [changed, same] = parseQuery('a[x] == [x | every y in x { y == {x: $"{x}"} }]; b == [c | d]');
  expect(printBody([mapExprChildren(changed!, rename)])).toBe(
    'a[renamed] == [renamed | every y in renamed { y == {renamed: $"{renamed}"} }]',
  );
  const identity: Mapper = { term: (term) => mapTermChildren(term, identity), body: (exprs) => exprs };
  expect(mapExprChildren(same!, identity)).toBe(same);
});

test.each([
  ['{3, 1, 2, 1}', '{1, 2, 3}', true],
  ['{"b": 1, "a": 2, "b": 3}', '{"a": 2, "b": 3}', true],
  ['1.0', '1', true],
  ['[1, 2]', '[2, 1]', false],
  ['{x | x := 1}', '{x | x := 2}', false],
  ['f(x)', 'f(y)', false],
])('%s and %s are equal: %s', (a, b, expected) => expect(equalTerms(parseTerm(a), parseTerm(b))).toBe(expected));

test('sets and objects print in the order of the language', () => {
  expect(printTerm(parseTerm('{[1], "s", null, 2, {"z": 1, "a": x}, x, true}'))).toBe('{null, true, 2, "s", x, [1], {"a": x, "z": 1}}');
});

test('a module equals itself in another layout', () => {
  const a = parseModule('a.rego', 'package p\np := 1 if { x; y }\nelse := 2');
  const b = parseModule('b.rego', 'package p\n\np := 1 if {\n\tx\n\ty\n} else := 2');
  expect(equalModules(a, b)).toBe(true);
  expect(equalModules(a, parseModule('c.rego', 'package p\np := 1 if { x; y }'))).toBe(false);
});
