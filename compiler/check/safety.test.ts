import { describe, expect, test } from 'vitest';
import { compiledRule, compileTexts, complaintsOf, expectCompiled, expectComplaint } from '../../test/harness/complaints.js';
import { expectBoundedWork } from '../../test/harness/cpu-time.js';

const unsafe = 'rego_unsafe_var_error';

describe('unsafe variables are reported at the expression that needs them first', () => {
  test.each([
    ['a variable that no expression binds', 'p if { «x > 1» }', 'x'],
    ['a variable seen only under not', 'p if { «not q[y]» }\nq := {1}', 'y'],
    ['the right side of an assignment', 'p if { «x := y»; x = 7 }', 'y'],
    ['an index into a local that an assignment would only bind backwards', 'p if { «x := y»; input.a[x] }', 'y'],
    ['a variable of a head', 'p contains «x» if true', 'x'],
    ['a value of a head', 'p := «x» if true', 'x'],
    ['a value with a name like those of the stages', 'p := «__local0__» if { __local1__ = 1 }', '__local0__'],
    ['a part of a value of a head', 'p := [1, {"a": «x»}] if true', 'x'],
    ['a key of a general head', 'p.q[«x»].r := x if true', 'x'],
    ['a value of a function', 'p(x) := «y» if z > 1', 'y'],
    ['a value of with', 'p if { «input.a with input as x» }', 'x'],
    ['an operand of a call', 'p if { «count(x) == 1» }', 'x'],
    ['a variable of a comprehension', 'p := [1 | «y > 1»]', 'y'],
    ['a head of a comprehension', 'p if { «xs = [x | true]»; xs }', 'x'],
    ['a comprehension that closes over what it binds', 'p if { «x = [x | x = 1]» }', 'x'],
    ['a variable in the body of every', 'p if { every x in [1] { «x > y» } }', 'y'],
    ['the domain of every', 'p if { every x in «xs» { x } }', 'xs'],
    ['a wildcard that nothing binds', 'p if { «not input.a[_]» }', '_'],
    ['a ref inside of a ref', 'p if { «input.a[x[y]]» }', 'x'],
    ['a member of a set that is a key', 'p if { «x = input.a[{x, 1}]» }', 'x'],
    ['a key of an object that is a key', 'p if { «input.a[{x: 1}]» }', 'x'],
    ['a member of a set that is a key, bound by a later key', 'p if { «x = input.a[{y, 1}][y]» }', 'x'],
    ['a key of an object that is a key, bound by its value', 'p if { «input.a[{x: x}]» }', 'x'],
    ['a member of a set that is a key, bound by a later operand', 'p if { «input.a[{x, 1}] = input.b[x]» }', 'x'],
    ['a member of a set that is a key of an input, bound by the output', 'p if { «walk(input.a[{x, 1}], [x, _])» }', 'x'],
    ['the head of a ref in an operand, bound by the result', 'p := x if { «startswith(x[1], "a", x)» }', 'x'],
    ['a head further down in an operand, bound by the result', 'p := x if { «count([[x.a]], x)» }', 'x'],
    ['a member of a set in an operand, bound by the result', 'p := x if { «count({x}, x)» }', 'x'],
    ['a key of an object in an operand, bound by the result', 'p := x if { «count({x: 1}, x)» }', 'x'],
    ['the head of a ref in an operand of a function', 'p := x if { «f(x.a, x)» }\nf(y) := y', 'x'],
    ['the second element of a pattern', 'p if { «[x, y] = [1, z]»; x }', 'y'],
  ])('%s', (_title, marked, name) => {
    const start = marked.indexOf('«');
    const [first] = compileTexts([marked.replace(/[«»]/g, '')]).diagnostics;
    expect(first).toMatchObject({ code: unsafe, message: `var ${name} is unsafe`, location: { row: 2, col: start + 1 } });
  });

  test('the location is that of the expression, by code points', () => {
    expectComplaint('p if { "日本𝒳" == "x"; «x > 1» }', unsafe, 'var x is unsafe');
  });

  test('a variable is reported once, however often it is used', () => {
    expect(complaintsOf('p if { x > 1; x > 2; x > 3 }')).toHaveLength(1);
  });

  test.each<[string, string, string, 'v0'?]>([
    ['a word that is no keyword', 'p(x) foobar if {\n\tx == 2\n}', 'var x is unsafe in rule foobar'],
    ['a keyword that is not imported', 'p(x) if {\n\tx == 2\n}', 'var x is unsafe in rule if', 'v0'],
    ['the first of two rules', 'p if { x == 2 } q if { true }', 'var x is unsafe in rule p'],
    ['a rule with a longer name', 'a.b.c if { x == 2 } d if { true }', 'var x is unsafe in rule a.b.c'],
    ['a rule with a variable in its name', 'p[k].b := x if { k := 1 } d if { true }', 'var x is unsafe in rule p[k].b'],
    ['a head', 'p := x if { true } q if { true }', 'var x is unsafe in rule p'],
    ['a closure', 'q := 1 p := [1 | x == 1]', 'var x is unsafe in rule p'],
    ['an else branch', 'p if { false } else if { x == 2 }', 'var x is unsafe'],
    ['an else branch before another rule', 'p if { false } else if { x == 2 } q := 1', 'var x is unsafe in rule p'],
    ['an else branch that shares its line', 'p if { false\n} else if { x == 2 } q := 1', 'var x is unsafe in rule p'],
    ['an additional body', 'p if { true } { x == 2 }', 'var x is unsafe'],
    ['rules of one name', 'p if { x == 2 } p if { true }', 'var x is unsafe'],
    ['a rule on lines of its own', 'q if { true } r if { true }\np if { x == 2 }', 'var x is unsafe'],
  ])('the rule is named where a line has several: %s', (_title, rules, message, regoVersion = undefined) => {
    expect(complaintsOf(rules, { ...(regoVersion && { regoVersion }) })).toEqual([`${unsafe}: ${message}`]);
  });

  test('a name that is a keyword elsewhere comes with a hint', () => {
    expectComplaint(
      'p { «contains» }',
      unsafe,
      'var contains is unsafe (hint: `import future.keywords.contains` to import a future keyword)',
      {
        regoVersion: 'v0',
      },
    );
  });
});

describe('bodies are ordered as little as needed', () => {
  test.each([
    ['p if { y > x; x = 1; y = 2 }', 'p = true if { x = 1; y = 2; y > x }'],
    [
      'p if { z > 1; z = y + 1; y = x + 1; x = 1 }',
      'p = true if { x = 1; plus(x, 1, __local1__); y = __local1__; plus(y, 1, __local0__); z = __local0__; z > 1 }',
    ],
    ['p if { not x; x = input.a }', 'p = true if { x = input.a; not x }'],
    ['p if { xs = [y | y = x]; x = 1; xs }', 'p = true if { x = 1; xs = [y | y = x]; xs }'],
    ['p if { [x, 1] = [2, y]; x > y }', 'p = true if { [x, 1] = [2, y]; x > y }'],
    ['p if { {"a": x} = y; y = {"a": 1}; x }', 'p = true if { y = {"a": 1}; {"a": x} = y; x }'],
    ['p if { input.a[{1, x}][x]; x = input.b.c }', 'p = true if { x = input.b.c; input.a[{1, x}][x] }'],
    ['p if { input.a[[x, {1, x}]][{x: y}] }', 'p = true if { input.a[[x, {1, x}]][{x: y}] }'],
    ['p if { input.a with input as x; x = 1 }', 'p = true if { x = 1; input.a with input as x }'],
  ])('%s', (text, ordered) => {
    expect(compiledRule(text)).toBe(ordered);
  });

  test('refs on the right of := may iterate', () => {
    expectCompiled('p if { some k; v := input.xs[k]; v > 1 }');
    expectCompiled('p if { v := input.xs[k]; k == v }');
  });

  test('a long body that stands in reverse is ordered in linear time', async () => {
    const size = 4000;
    const lines = Array.from({ length: size }, (_, i) => `x${i} = x${i + 1} + 1`);
    await expectBoundedWork(() => expectCompiled(`p if {\n${lines.join('\n')}\nx${size} = 1\n}`));
  });
});

describe('operands of not, and, or', () => {
  const keywords = 'import future.keywords.not\nimport future.keywords.and\nimport future.keywords.or\n';
  test.each([
    ['an operand without braces binds nothing', 'p if { «a = 1 or true» }', 'a'],
    ['nor does what stands under not', 'p if { «not a = 1» }', 'a'],
  ])('%s', (_title, marked, name) => {
    const found = complaintsOf(keywords + marked.replace(/[«»]/g, ''));
    expect(found).toEqual([`${unsafe}: var ${name} is unsafe`]);
  });

  test.each([
    ['braces make a scope', 'p if { { a = 1; a > 0 } or { a = 2; a > 0 } }'],
    ['calls in operands', 'p if { x := 1; x + 1 == 2 and count([x]) > 0 or not x + 1 == 3 }'],
    ['what is bound outside is seen inside', 'p if { not { x == 2 }; x = 1 }'],
  ])('%s', (_title, text) => {
    expectCompiled(keywords + text);
  });
});
