import { describe, expect, test } from 'vitest';
import { compiledQuery, compiledRule, complaintsOf, expectCompiled, expectComplaint } from '../../test/harness/complaints.js';

const error = 'rego_compile_error';

describe('declarations that cannot be', () => {
  test.each([
    ['p if { x := 1; «x» := 2 }', 'var x assigned above'],
    ['p if { some x; x = 1; «x» := 2 }', 'var x declared above'],
    ['p if { x = 1; «x» := 2 }', 'var x referenced above'],
    ['import future.keywords\n\np if { x or true; «x» := 1 }', 'var x referenced above'],
    ['import future.keywords\n\np if { true and (false or x == 1); «x» := 1 }', 'var x referenced above'],
    ['f(x) if { «x» := 1 }', 'arg x redeclared'],
    ['p if { x := 1; «some x»; x = 2 }', 'var x assigned above'],
    ['p if { «not x := 1» }', 'cannot assign vars inside negated expression'],
    ['p if { «{x}» := {1} }', 'cannot assign to set'],
    ['p if { «"a"» := 1 }', 'cannot assign to string'],
    ['p if { «some x, y»; x = 1 }', 'declared var y unused'],
    ['p if { [1 | «some x»; true] }', 'declared var x unused'],
    ['p if { «f(x)» := 1 }\nf(x) := x', 'cannot assign to call'],
    ['p if { f := 1; g := «f(1)» + f }\nf(x) := x', 'called function f shadowed'],
    ['«f(input) := 1»', 'args must not shadow input (use a different variable name)'],
  ])('%s', (marked, message) => {
    expectComplaint(marked, error, message);
  });
});

test.each([
  ['another body', 'p if { { x := 1; x == 1 } or false; x := 2; x == 2 }'],
  ['a comprehension', 'p if { [x | x := 1] == [1] or false; x := 2; x == 2 }'],
])('a variable of %s in an operand is not that of the body', (_title, rule) => {
  expectCompiled(`import future.keywords\n\n${rule}`);
});

test.each(['or', 'and'])('a template string has no `%s` in it', (word) => {
  expectComplaint(
    `import future.keywords\n\np := $"{«true ${word} false»}"`,
    error,
    `unexpected \`${word}\` expression in template-string`,
  );
});

describe('strict mode', () => {
  test.each([
    ['«import data.foo»\np := 1', 'import data.foo unused'],
    ['«import input.a as b»\np := 1', 'import input.a as b unused'],
    ['p if { «x := 1»; true }', 'assigned var x unused'],
    ['«f(x)» := 1', 'unused argument x. (hint: use _ (wildcard variable) instead)'],
  ])('%s', (marked, message) => {
    expectComplaint(marked, error, message, { strict: true });
  });

  test.each([
    'import data.foo\np := foo.x',
    'f(x, _) := x',
    'f(x) := 1 if x > 1\nelse := 2',
    'p if { x := 1; x == input.a }',
    'f(x) := [y | y := x]',
  ])('nothing is wrong with %s', (text) => {
    expectCompiled(text, { strict: true });
  });

  test('in version 0 what version 1 forbids anyway is an error', () => {
    const v0 = { regoVersion: 'v0', strict: true } as const;
    expect(complaintsOf('import data.foo\nimport input.foo\np { foo }', v0)).toEqual([`${error}: import must not shadow import data.foo`]);
    expect(complaintsOf('input = 1', v0)).toEqual([`${error}: rules must not shadow input (use a different rule name)`]);
    expect(complaintsOf('p { re_match("a", "b") }', v0)).toEqual([
      'rego_type_error: deprecated built-in function calls in expression: re_match',
    ]);
    expectCompiled('import input.foo\nimport data.foo\np { foo; re_match("a", "b"); input := 1; input == 1 }', { regoVersion: 'v0' });
  });
});

describe('variables get names of their own', () => {
  test.each([
    ['p if { x := 1; x > 0 }', 'p = true if { __local0__ = 1; __local0__ > 0 }'],
    ['f(x) := y if { y := x }', 'f(__local0__) := __local1__ if { __local1__ = __local0__ }'],
    ['p if { x := 1; y := [x | x := 2]; y[0] > x }', undefined],
    ['p if { some x in input.xs; x > 1 }', 'p = true if { __local2__ = input.xs[__local1__]; __local2__ > 1 }'],
    ['p if { some k, v in input.o; k > v }', 'p = true if { __local1__ = input.o[__local0__]; __local0__ > __local1__ }'],
    ['p if { [x, {"k": y}] := input.a; x > y }', 'p = true if { [__local0__, {"k": __local1__}] = input.a; __local0__ > __local1__ }'],
    [
      'p if { every k, v in input.a { k != v } }',
      'p = true if { __local2__ = input.a; every __local0__, __local1__ in __local2__ { __local0__ != __local1__ } }',
    ],
    ['p if { __local0__ := 1; __local0__ > 0 }', 'p = true if { __local1__ = 1; __local1__ > 0 }'],
  ])('%s', (text, want) => {
    if (want !== undefined) expect(compiledRule(text)).toBe(want);
    else expectCompiled(text);
  });

  test('a local hides a rule, an import and a built-in', () => {
    expect(compiledRule('p if { q := 1; q > 0 }\nq := 2')).toContain('__local0__ > 0');
    expect(compiledRule('import data.q\np if { q := 1; q > 0 }')).toContain('__local0__ > 0');
  });

  test('in a query, too', () => {
    expect(compiledQuery('x := 1; y = x; y == data.t.p', 'p := 1')).toBe(
      '__localq0__ = 1; y = __localq0__; __localq1__ = data.t.p; y == __localq1__',
    );
  });
});
