import { describe, expect, test } from 'vitest';
import { compiledRule, complaintsOf, expectCompiled, expectComplaint } from '../../test/harness/complaints.js';

describe('what rules become', () => {
  test.each([
    [
      'calls move out of terms',
      'p if count(input.x) > 1 + 2',
      'p = true if { __local2__ = input.x; count(__local2__, __local0__); plus(1, 2, __local1__); __local0__ > __local1__ }',
    ],
    ['names become paths', 'p if q.r[s]\nq := input\ns := 2', 'p = true if { __local1__ = data.t.s; data.t.q.r[__local1__] }'],
    ['imports become paths', 'import data.a.b as c\np := c.d', 'p := __local0__ if { __local0__ = data.a.b.d }'],
    ['an import hides a rule', 'import data.a.q\np := q\nq := 1', 'p := __local0__ if { __local0__ = data.a.q }'],
    [
      'refs into literals',
      'p := [1, 2][i] if i := 0',
      'p := __local2__ if { __local0__ = 0; __local1__ = [1, 2]; __local2__ = __local1__[__local0__] }',
    ],
    ['heads of comprehensions', 'p := [input.a | true]', 'p := __local1__ if { __local1__ = [__local0__ | __local0__ = input.a] }'],
    ['keys of heads', 'p[input.x] := 1', 'p[__local0__] := 1 if { __local0__ = input.x }'],
    ['equality', 'p if { x = input.a; x == 1 }', 'p = true if { x = input.a; x = 1 }'],
    [
      'values of with',
      'p if input.a with input as {"a": data.b}',
      'p = true if { __local1__ = data.b; __local0__ = {"a": __local1__}; input.a with input as __local0__ }',
    ],
    ['a default with a comprehension', 'default p := [1 | true]', 'default p := __local0__'],
    ['print goes', 'p if { print(1); input.a }', 'p = true if { input.a }'],
    ['print alone leaves true', 'p if { print(1) }', 'p = true if { true }'],
    [
      'template strings',
      'p := $"a {input.x}"',
      'p := __local1__ if { __local2__ = {__local0__ | __local0__ = input.x}; internal.template_string(["a ", __local2__], __local1__) }',
    ],
  ])('%s', (_title, text, want) => {
    expect(compiledRule(text)).toBe(want);
  });

  test('print takes its operands as sets when it is wanted', () => {
    expect(compiledRule('p if { x := 1; print("x", x) }', { print: true })).toBe(
      'p = true if { __local0__ = 1; __local3__ = {__local1__ | __local1__ = "x"}; __local4__ = {__local2__ | __local2__ = __local0__}; internal.print([__local3__, __local4__]) }',
    );
  });

  test('what tests compare is bound first when that is wanted', () => {
    const text = 'test_a if { data.x.p == [1 | input.y]; not data.x.q == 1 }';
    expect(compiledRule(text)).toBe('test_a = true if { data.x.p = [1 | input.y]; not data.x.q = 1 }');
    expect(compiledRule(text, { captureTestValues: true })).toBe(
      'test_a = true if { __local0__ = data.x.p; __local1__ = [1 | input.y]; __local0__ = __local1__; not data.x.q = 1 }',
    );
  });

  test('metadata are constants', () => {
    const text = '# METADATA\n# title: a rule\n# custom:\n#   n: 1.5\n# compile:\n#   unknowns: [input.x]\np := rego.metadata.rule()';
    expect(compiledRule(text)).toContain('{"custom": {"n": 1.5}, "scope": "rule", "title": "a rule"}');
    const chain = compiledRule('# METADATA\n# scope: package\n# title: a package\npackage t\n\np := rego.metadata.chain()');
    expect(chain).toContain('[{"path": ["t", "p"]}, {"annotations": {"scope": "package", "title": "a package"}, "path": ["t"]}]');
  });
});

describe('complaints about with', () => {
  test.each([
    [
      'a part of a rule',
      'p if q with «data.t.q.r» as 1\nq := 1',
      'rego_compile_error',
      'with keyword cannot partially replace virtual document(s)',
    ],
    [
      'what is no document',
      'p if true with «foo» as 1',
      'rego_type_error',
      'with keyword target must reference existing input, data, or a function',
    ],
    [
      'unification',
      'p if true with «eq» as 1',
      'rego_compile_error',
      'with keyword replacing built-in function: replacement of "eq" invalid',
    ],
    [
      'a relation',
      'p if true with «walk» as 1',
      'rego_compile_error',
      'with keyword replacing built-in function: target must not be a relation',
    ],
    [
      'an internal function',
      'p if true with «internal.print» as 1',
      'rego_compile_error',
      'with keyword replacing built-in function: replacement of internal function "internal.print" invalid',
    ],
    [
      'a function without result',
      'p if true with «print» as 1',
      'rego_compile_error',
      'with keyword replacing built-in function: target must not be a void function',
    ],
  ] as const)('%s', (_title, marked, code, message) => {
    expectComplaint(marked, code, message);
  });

  test('functions replace functions, values too', () => {
    expectCompiled('p if { f(1) with f as g; count([]) with count as g; f(1) with f as 2 }\nf(x) := x\ng(x) := x');
  });
});

describe('complaints about calls', () => {
  test.each([
    ['an unknown function', 'p := «nope(1)»', 'undefined function nope'],
    ['one of another package', 'p if «data.x.f(1)»', 'undefined function data.x.f'],
    ['one that a variable names', 'p if { y := "f"; «data.x[[y]](1)» }', 'undefined function data.x[[y]]'],
    ['too few for a value', 'f(x) := x\np := «f()»', 'function data.t.f has arity 1, got 0 arguments'],
    ['too many operands', 'f(x) := x\np := «f(1, 2)»', 'function data.t.f has arity 1, got 2 arguments'],
    ['too few', 'f(x, y) := x\np if «f(1)»', 'function data.t.f has arity 2, got 1 argument'],
    ['those of a built-in', 'p := «count(1, 2)»', 'count: arity mismatch'],
    ['print as a value', 'p := «print(1)»', 'print(1) used as value'],
    ['a deprecated built-in', 'p if «re_match("a", "b")»', 'deprecated built-in function calls in expression: re_match'],
  ])('%s', (_title, marked, message) => {
    expectComplaint(marked, 'rego_type_error', message);
  });

  test('built-ins that are forbidden, or that the capabilities do not have', () => {
    const unsafeBuiltins = new Set(['http.send']);
    expect(complaintsOf('p := http.send({})', { unsafeBuiltins })).toEqual([
      'rego_type_error: unsafe built-in function calls in expression: http.send',
    ]);
    expect(complaintsOf('p if true with http.send as 1', { unsafeBuiltins })).toEqual([
      'rego_compile_error: with keyword replacing built-in function: target must not be unsafe: "http.send"',
    ]);
    const capabilities = { builtins: [{ name: 'eq' }, { name: 'plus' }] };
    expect(complaintsOf('p := count([1 + 1])', { capabilities })).toEqual(['rego_type_error: undefined function count']);
  });

  test('a host may have built-ins of its own', () => {
    const capabilities = { builtins: [{ name: 'eq' }, { name: 'my.fn', decl: { args: [{ type: 'string' }], result: { type: 'any' } } }] };
    expectCompiled('p := my.fn("a")', { capabilities });
    expectCompiled('p := our.fn("a")', { allowUndefinedFunctions: true });
  });
});

test('undeclared variables in prints and template strings', () => {
  expectComplaint('p if { print(«x») }', 'rego_compile_error', 'var x is undeclared', { print: true });
  expectComplaint('p := $"a {«input[x]»}"', 'rego_compile_error', 'var x is undeclared');
  expectComplaint('p := «$"a {x}"»', 'rego_unsafe_var_error', 'var x is unsafe');
});

describe('a template string may use what is bound over closures', () => {
  test.each([
    'p if { n := sum([m | some m in [1]]); x := $"{n + 1}"; x == "2" }',
    'f(s) := $"{n + 1}" if { n := count({m | some m in s}) }',
    'p contains $"{n[0]}" if { some k, v in input; n := [x | some x in v; x > k] }',
    'p := [$"{n + 1}" | n := count({m | some m in input})]',
    'p if every x in input.xs { n := sum([m | some m in x]); $"{n + 1}" != "" }',
    'p if { a := {b | some b in [1]}[_]; $"{a + 1}" == "2" }',
    'p if { [a, b] := f([c | some c in [1]])[_]; $"{a[0]}{b[0]}" == "2" }\nf(x) := x',
    'p if { {"a": a} := {"a": sum([1 | some c in [1]])}; $"{a + 1}" == "1" }',
    'r contains $"{v}" if some v in [1, $"{1 + 1}"]',
  ])('%s', (text) => {
    expectCompiled(text);
  });
});
