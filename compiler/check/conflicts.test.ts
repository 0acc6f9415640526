import { describe, expect, test } from 'vitest';
import { compileTexts, complaintsOf, expectCompiled } from '../../test/harness/complaints.js';

describe('rules that conflict', () => {
  test.each([
    ['a value and a set', 'p := 1\np contains 2', 'conflicting rules data.t.p found'],
    ['a value and a function', 'p := 1\np(x) := 2', 'conflicting rules data.t.p found'],
    ['functions of different arity', 'f(x) := 1\nf(x, y) := 2', 'conflicting rules data.t.f found'],
    ['a set and an object of sets', 'p contains 1\np[x] contains 2 if x := input.x', 'conflicting rules data.t.p[x] found'],
    [
      'a set without members and an object of sets',
      'p[x] contains 1 if x := "k"\np contains 2 if false',
      'conflicting rules data.t.p found',
    ],
    ['the same further inside', 'p.b[x] contains 1 if x := "k"\np.b contains 2', 'conflicting rules data.t.p.b found'],
    ['a value and an object of keys', 'p := {}\np[x] := 1 if x := input.x', 'conflicting rules data.t.p[x] found'],
    ['two defaults', 'default p := 1\ndefault p := 2', 'multiple default rules data.t.p found at 0.rego:2, 0.rego:3'],
    [
      'a rule in the extent of another',
      'p.q := 1\np.q.r := 2\np.q.s.t := 3',
      'rule data.t.p.q conflicts with:\n  rule data.t.p.q.r at 0.rego:3\n  rule data.t.p.q.s.t at 0.rego:4',
    ],
    [
      'a rule with a term in its ref that is bound before',
      'p := 1\np.q[input.x] := 2',
      'rule data.t.p conflicts with:\n  rule data.t.p.q[input.x] at 0.rego:3',
    ],
    [
      'a function under a general ref',
      'p.q[x] := 1 if x := input.x\np.q.f(y) := y',
      'rule data.t.p.q[x] conflicts with:\n  rule data.t.p.q.f at 0.rego:3',
    ],
    ['a name of a variable is the written one', 'p[x].q := 1 if x := input.x\np contains 1', 'conflicting rules data.t.p found'],
  ])('%s', (_title, text, message) => {
    expect(complaintsOf(text)).toEqual([`rego_type_error: ${message}`]);
  });

  test.each([
    ['keys with variables beside others', 'p.q[r] := 1 if r := input.r\np.q.s := 2'],
    ['a set under a general ref', 'p[x].q contains 1 if x := input.x\np.a.r := 2'],
    ['several bodies, a default, an else', 'default p := 1\np := 2 if input.a\np := 3 if input.b\nelse := 4'],
  ])('no conflict: %s', (_title, text) => {
    expectCompiled(text);
  });

  test('a package where another has a rule', () => {
    const found = complaintsOf(['package a\n\nb := 1', 'package a.b']);
    expect(found).toEqual(['rego_type_error: package a.b conflicts with rule b defined at 0.rego:3']);
  });

  test('a rule where there is data', () => {
    const dataExists = (path: readonly string[]): boolean => ['t', 't/p'].includes(path.join('/'));
    expect(complaintsOf('p := 1\nq := 2', { dataExists })).toEqual(['rego_compile_error: conflicting rule for data path t/p found']);
    expect(complaintsOf('p := 1', { dataExists, dataRoots: ['x'] })).toEqual([]);
    expect(complaintsOf('p := 1', { dataExists, dataRoots: ['t'] })).toHaveLength(1);
  });
});

describe('recursion', () => {
  test.each([
    ['p if p', ['data.t.p -> data.t.p']],
    ['p if q\nq if p', ['data.t.p -> data.t.q -> data.t.p', 'data.t.q -> data.t.p -> data.t.q']],
    ['f(x) := f(x)', ['data.t.f -> data.t.f']],
    ['p := 1 if false else := p', ['data.t.p -> data.t.p']],
    ['p := [x | x := p[_]]', ['data.t.p -> data.t.p']],
    ['p if input.a with input.a as p', ['data.t.p -> data.t.p']],
  ])('%s', (text, ways) => {
    const name = (way: string): string => way.slice(0, way.indexOf(' '));
    expect(complaintsOf(text)).toEqual(ways.map((way) => `rego_recursion_error: rule ${name(way)} is recursive: ${way}`));
  });

  test('a dynamic ref reads every rule that it may reach', () => {
    expect(complaintsOf('p := data.t[input.x]')).toHaveLength(1);
    expectCompiled(['package a.b\n\np := data.a[input.x].q', 'package a.c\n\nq := 1']);
  });

  test('a long chain of rules is no problem', () => {
    const rules = Array.from({ length: 3000 }, (_, i) => `p${i} if p${i + 1}`);
    expectCompiled([...rules, 'p3000 := true'].join('\n'));
    expect(complaintsOf([...rules, 'p3000 if p0'].join('\n'), { errorLimit: 1 })).toHaveLength(2);
  });
});

test('after ten complaints comes one more that says so', () => {
  const many = Array.from({ length: 12 }, (_, i) => `p${i} if x${i}`).join('\n');
  expect(complaintsOf(many)).toHaveLength(11);
  expect(complaintsOf(many).at(-1)).toBe('rego_compile_error: error limit reached');
  expect(complaintsOf(many, { errorLimit: 0 })).toHaveLength(12);
});

test('the rule tree has hidden and empty packages', () => {
  const { ruleTree } = compileTexts(['package system.x\n\np := 1', 'package a.b']);
  expect(ruleTree.children.get('"system')!.hidden).toBe(true);
  expect(ruleTree.children.get('"a')!.children.has('"b')).toBe(true);
});

test('a circle names a rule as its author wrote it, also where a variable was made for a part of its ref', () => {
  const text = 'package t\nuser := input.user\nnames[user.id] contains n if n := data.t.names[user.id][_]';
  expect(complaintsOf(text)).toEqual([
    'rego_recursion_error: rule data.t.names[user.id] is recursive: data.t.names[user.id] -> data.t.names[user.id]',
  ]);
});
