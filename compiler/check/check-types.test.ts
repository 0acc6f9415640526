import { describe, expect, test } from 'vitest';
import { expectBoundedWork } from '../../test/harness/cpu-time.js';
import { renderDiagnostics } from '../diagnostics/render.js';
import { compileModules, compileQuery } from '../pipeline.js';
import { recompile } from '../recompile.js';
import type { CompileOptions } from '../resolve/compile-options.js';
import type { Compiled } from '../resolve/compiled.js';
import { parseModule } from '../syntax/parse.js';
import { parseQuery } from '../syntax/query.js';
import type { Types } from './rule-types.js';

function check(rules: string, options: CompileOptions = {}) {
  const text = `package m\n${rules}\n`;
  return compileModules({ modules: new Map([['m.rego', parseModule('m.rego', text)]]), options });
}

/** `«` and nothing else marks where the error is. */
function expectTypeError(marked: string, message: string, lines: readonly string[] = [], options?: CompileOptions): void {
  const at = marked.indexOf('«');
  const before = `package m\n${marked.slice(0, at)}`.split('\n');
  const { diagnostics } = check(marked.replace('«', ''), options);
  expect(diagnostics.map(({ code, message }) => ({ code, message }))).toEqual([{ code: 'rego_type_error', message }]);
  expect(diagnostics[0]!.location).toEqual({ file: 'm.rego', row: before.length, col: before.at(-1)!.length + 1 });
  const shown = (diagnostics[0]!.details as { lines(): readonly string[] }).lines().map((line) => line.trim());
  for (const line of lines) expect(shown).toContain(line);
}

function typeErrors(rules: string, options?: CompileOptions) {
  return check(rules, options).diagnostics.filter(({ code }) => code === 'rego_type_error');
}

function expectTypes(rules: string, expected: Record<string, string>): void {
  const compiled = check(rules);
  expect(renderDiagnostics(compiled.diagnostics)).toBe('no error(s)');
  const found = Object.keys(expected).map((name) => {
    const query = compileQuery(compiled, parseQuery(`x := data.m.${name}`));
    const [local] = query.names.keys();
    return [name, (query.types as { textOf(name: string): string | undefined }).textOf(local!)];
  });
  expect(Object.fromEntries(found)).toEqual(expected);
}

describe('rules have types', () => {
  test.each<[string, string, Record<string, string>]>([
    ['values', 'p := 1\nq := {"a": [1, "x"]}\nr := []', { p: 'number', q: 'object<a: array<number, string>>', r: 'array' }],
    ['several values', 'p := 1 if input.x\np := "a" if input.y', { p: 'any<number, string>' }],
    ['a default and an else', 'default p := null\np := 1 if input.x else := "a"', { p: 'any<null, number, string>' }],
    ['partial sets', 'p contains 1\np contains "a"', { p: 'set[any<number, string>]' }],
    ['partial objects', 'p[k] := v if some k, v in ["a"]', { p: 'object[number: string]' }],
    ['refs with variables', 'p[k].b := 1 if some k in ["a"]', { p: 'object[string: object[string: number]]' }],
    ['sets under refs with variables', 'p[k].b contains 1 if some k in [2]', { p: 'object[any: object[any: set[number]]]' }],
    ['empty literals', 'p := {}\nq := []\nr := set()', { p: 'object', q: 'array', r: 'set' }],
    [
      'empty literals beside other values',
      'default p := {}\np := {k: 1 | some k in ["a"]}\ndefault q := set()\nq := {x | x := 1}\nf(x) := [] if x == 1\nf(x) := ["a"] if x == 2\nr := f(1)',
      { p: 'object[string: number]', q: 'set[number]', r: 'any<array, array<string>>' },
    ],
    ['comprehensions', 'p := [x | some x in [1]]\nq := {k: 1 | some k in ["a"]}', { p: 'array[number]', q: 'object[string: number]' }],
    ['packages', 'p.q := 1', { p: 'object<q: number>[string: any]' }],
    ['what a function answers', 'f(x) := y if y := x + 1\np := f(1)', { p: 'number' }],
  ])('%s', (_title, rules, expected) => expectTypes(rules, expected));
});

describe('an error is shown for', () => {
  test.each<[string, string, string, string[]]>([
    ['an operand', 'p if «startswith(1, "a")', 'startswith: invalid argument(s)', ['have: (number, string)']],
    ['an operand of an operator', 'p := «1 + "a"', 'plus: invalid argument(s)', ['have: (number, string, ???)']],
    ['the operand of a function', 'f(x) := 1 if x + 1 == 2\np if «f("a")', 'data.m.f: invalid argument(s)', ['have: (string)']],
    ['a comparison', 'p if «1 == "a"', 'match error', ['left  : number', 'right : string']],
    ['objects of different known keys', 'p if «{"a": 1} == {"b": 1}', 'match error', ['left  : object<a: number>']],
    ['a known key of another type', 'q["a"] := 1\np if «q == {"a": "x"}', 'match error', ['right : object<a: string>']],
    ['values of another type', 'q := {k: 1 | some k in input}\np if «q == {"a": "x"}', 'match error', ['left  : object[any: number]']],
    ['a unification with a rule', 'q := {"a": 1}\np if «q.a = "a"', 'match error', ['left  : number', 'right : string']],
    ['a key that is not there', 'q := {"a": 1, "b": 2}\np if «q.c', 'undefined ref: data.m.q.c', ['have: "c"', 'want (one of): ["a" "b"]']],
    ['a key of the wrong type', 'q contains 1\np if «q.a', 'undefined ref: data.m.q.a', ['have: "a"', 'want (type): number']],
    ['a part of a scalar', 'q := 1\np if «q.a', 'undefined ref: data.m.q.a', ['^^^^^^^^', 'have: number']],
    ['a function as a value', 'f(_) := 1\np := «f', 'function data.m.f used as reference, not called', ['have: (any) => number']],
    ['a package by number', 'q.r := 1\np if { q.r; «data[1] }', 'undefined ref: data[1]', ['have (type): number', 'want (one of): ["m"]']],
    ['a comprehension', 'q := {"a": 1}\np := [x | x := «q.b]', 'undefined ref: data.m.q.b', []],
    [
      'a key that is a ref',
      'q := {"a": 1}\nr := 1\np if «q[r]',
      'undefined ref: data.m.q[r]',
      ['have (type): number', 'want (one of): ["a"]'],
    ],
    ['a ref in every', 'q := {"a": 1}\np if every x in [1] { x == «q.b }', 'undefined ref: data.m.q.b', []],
    ['a loop over null', 'p if { some x in «null; x }', 'match error', ['right : null']],
    ['a loop over a text', 'p := [x | some x in «"abc"]', 'match error', ['right : string']],
    ['a negated call', 'p if «not startswith(1, "a")', 'startswith: invalid argument(s)', []],
    ['some … in', 'p if {\n  some x in ["a"]\n  «x + 1 == 2\n}', 'plus: invalid argument(s)', ['have: (string, number, ???)']],
    ['a replaced function', 'f(_) := 1\np if f(1) «with f as plus', 'data.m.f: arity mismatch', ['have: (number, number)', 'want: (any)']],
    ['a member of another type', 'p if «"a" in {1, 2}', 'match error', ['left  : string', 'right : number']],
    ['a value of an object', 'p if «1 in {"a": "b"}', 'match error', ['left  : number', 'right : string']],
    ['a negated member', 'p if «not 1 in ["a"]', 'match error', ['left  : number', 'right : string']],
    ['the result of a membership', 'p := x if x := «1 in ["a"]', 'match error', ['left  : number', 'right : string']],
    ['a key of an object', 'p if «1, "b" in {"a": "b"}', 'match error', ['left  : number', 'right : string']],
    ['an index and a value', 'p if «0, 1 in ["b"]', 'match error', ['left  : number', 'right : string']],
    ['an index that is no number', 'p if «"a", "b" in ["b"]', 'match error', ['left  : string', 'right : number']],
    ['a member of a rule', 'q contains 1 if input.x\nq contains 2\np if «"a" in q', 'match error', ['left  : string', 'right : number']],
    ['a member of a union', 'q := [1] if input.x\nq := {null}\np if «"a" in q', 'match error', ['right : any<null, number>']],
    ['a pattern', 'q contains [1, "a"]\np if «q[["x", y]]', 'undefined ref: data.m.q[["x", y]]', ['have (type): array<string, ???>']],
    [
      'arithmetic in a set of texts',
      'p if { some r in input.l; «concat("-", {r - input.n}) == "x" }',
      'concat: invalid argument(s)',
      [
        'have: (string, set[any<number, set[any]>], ???)',
        'want: (delimiter: string, collection: any<array[string], set[string]>, output: string)',
      ],
    ],
    ['a variable in a set', 'p if { x := 1; «concat("-", {x}) }', 'concat: invalid argument(s)', ['have: (string, set[number])']],
    ['a variable in an array', 'p if { a := "b"; «sum([1, a]) > 1 }', 'sum: invalid argument(s)', ['have: (array<number, string>, ???)']],
    ['a rule in an array', 'a := "b"\np := «sum([1, a])', 'sum: invalid argument(s)', ['have: (array<number, string>, ???)']],
    [
      'a call in an array',
      'p := «concat("", [upper("a"), count("a")])',
      'concat: invalid argument(s)',
      ['have: (string, array<string, number>, ???)'],
    ],
    [
      'a collection in a set',
      'p if { x := ["a"]; «concat("", {x}) }',
      'concat: invalid argument(s)',
      ['have: (string, set[array<string>])'],
    ],
    ['a number among objects', 'p if { x := 1; «object.union_n([x]) }', 'object.union_n: invalid argument(s)', ['have: (array<number>)']],
    ['keys of another type', 'p if { x := 1; «object.filter({"a": 1}, x) }', 'object.filter: invalid argument(s)', []],
    [
      'prefixes of another type',
      'p if { x := 1; «strings.any_prefix_match("a", ["b", x]) }',
      'strings.any_prefix_match: invalid argument(s)',
      [],
    ],
  ])('%s', (_title, marked, message, lines) => expectTypeError(marked, message, lines));
});

const emptyHint = 'hint: the collection is always empty: count(x) == 0 tells whether a collection x is';

describe('a collection that is empty in the policy may be filled in', () => {
  const rows: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['a key of an empty object', 'q := {}\np if «q.a', 'undefined ref: data.m.q.a', ['have: object', '^^^^^^^^', emptyHint]],
    ['an index of an empty array', 'q := []\np := «q[0]', 'undefined ref: data.m.q[0]', ['have: array', emptyHint]],
    ['a member of an empty set', 'q := set()\np if «q["a"]', 'undefined ref: data.m.q.a', ['have: set', emptyHint]],
    ['a part of nothing', 'p if { q := {}; «q.r.s }', 'undefined ref: q.r.s', ['have: object']],
    ['iteration over an empty array', 'q := []\np if «q[i]', 'undefined ref: data.m.q[i]', ['have: array', emptyHint]],
    ['iteration over an empty object', 'q := {}\np if some k, v in «q', 'undefined ref: data.m.q[k]', ['have: object', emptyHint]],
    ['some in a variable that is empty', 'p if { xs := []; some i, x in «xs; x == 1 }', 'undefined ref: xs[i]', ['have: array', emptyHint]],
    ['a negated key', 'q := {}\np if not «q.a', 'undefined ref: data.m.q.a', [emptyHint]],
    ['a member that nothing has', 'p if «1 in []', 'match error', ['left  : number', 'right : array', emptyHint]],
    ['a member of no set', 'q := set()\np if «"a" in q', 'match error', ['left  : string', 'right : set', emptyHint]],
    [
      'an empty collection in an object',
      'cfg := {"users": [], "limits": {}}\np if some u in «cfg.users',
      'undefined ref: data.m.cfg.users[_]',
      ['have: array'],
    ],
    [
      'a key below it',
      'cfg := {"limits": {}}\np if «cfg.limits[input.kind].max < 2',
      'undefined ref: data.m.cfg.limits[input.kind].max',
      ['have: object'],
    ],
    ['a loop in a comprehension', 'q := []\np := {x | x := «q[_]}', 'undefined ref: data.m.q[_]', ['have: array']],
    ['a default', 'default q := []\np if «q[0]', 'undefined ref: data.m.q[0]', ['have: array']],
    ['the result of a function', 'f(_) := set()\np if «f(1)[input.x]', 'undefined ref: f(1)[input.x]', ['have: set']],
    [
      'both of two empty alternatives',
      'q := [] if input.x\nq := {} if not input.x\np if «q[input.k]',
      'undefined ref: data.m.q[input.k]',
      [],
    ],
  ];
  test.each(rows)('%s is an error in strict mode', (_title, marked, message, lines) => {
    const { details } = typeErrors(marked.replace('«', ''), { strict: true }).find((error) => error.message === message)!;
    const shown = (details as { lines(): readonly string[] }).lines().map((line) => line.trim());
    for (const line of lines) expect(shown).toContain(line);
  });
  test.each(rows)('%s is none without it', (_title, marked) => {
    expect(typeErrors(marked.replace('«', ''))).toEqual([]);
  });

  test.each([
    ['comparisons', 'q := []\nr := {}\np if { q == [1]; r == {"a": 1}; q != ["a"]; r["x"] != 1 }'],
    ['patterns', 'q := {"l": [], "o": {}}\np if { [x] = q.l; {"a": y} = q.o; x == y }'],
    ['arguments', 'q := []\nr := {}\nf(x) := x[0]\np if { x := q; f(x) == 1; f(r) == 2; sum(q) + count(r) == 0; concat("", q) == "" }'],
    ['what is read below', 'q := {}\np if { x := q.a.b; x + 1 == 2; y := q[input.k]; upper(y) == "A"; some z in q.list; z == 1 }'],
    ['keys of a loop', 'q := []\np if { some i, x in q; i + 1 == 2; concat("", [x]) == "a" }'],
  ])('in %s', (_title, rules) => expect(typeErrors(rules)).toEqual([]));

  test.each([
    ['a key of another type', 'q := []\np if q["a"]', 'undefined ref: data.m.q.a'],
    ['arithmetic', 'q := {}\np if q.a + q == 1', 'plus: invalid argument(s)'],
    ['a key that is no index of a loop', 'q := []\np if { some i, x in q; i == "a"; x }', 'match error'],
  ])('%s is an error all the same', (_title, rules, message) => {
    expect(typeErrors(rules).map((error) => error.message)).toEqual([message]);
  });

  test('an object for which a schema allows nothing is no such collection', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const { diagnostics } = check('p if input.a', { schemas: new Map([['schema', schema]]) });
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
  });
});

test.each([
  ['whether a literal is empty', 'q := {}\nr := []\np if { count(q) == 0; q == {}; r == []; set() == set(); q != {"a": 1} }'],
  ['whether a set of a rule is empty', 'q contains 1\np if q == set()\nr if set() != q'],
  ['an empty literal as an operand', 'p := object.union({}, {"a": 1}).a\nq := array.concat([], [1])[0]\nr := sum([]) + count(set() | {1})'],
  ['a default that is empty', 'default q := {}\nq := {k: v | some k, v in input}\np if { q.a; some x in q; 1 in q }'],
  ['a default beside data', 'default q := []\nq := input.q\np if { q[0]; some x in q; 1 in q }'],
  ['an empty branch of a function', 'f(x) := {} if x == 1\nf(x) := {"a": 1} if x == 2\np if { f(2).a == 1; some v in f(2); 1 in f(2) }'],
  ['an empty else', 'q := [1] if input.x else := []\np if { q[0]; some x in q; 1 in q }'],
  ['an empty set beside another one', 'q := set() if input.x\nq := {"a"} if input.y\np if { q.a; some x in q; "a" in q }'],
  ['an empty value of a partial object', 'q[k] := {} if some k in input.ks\nq[k] := {"b": 1} if some k in input.ls\np if q[_].b == 1'],
  ['an empty object that data is merged into', 'q.a := {}\nq[k] := v if some k, v in input\np if q[_].b'],
  ['annotations that there are not', 'p if { x := rego.metadata.rule(); x.title }\nq contains x.path if some x in rego.metadata.chain()'],
  ['iteration over a literal that is empty', 'p contains x if some x in []\nq contains k if some k, v in {}\nr := [x | some x in set()]'],
  ['anything in an empty collection', 'q := []\np if { input.x in []; input.x in q }'],
  ['every over an empty collection', 'p if every x in [] { x == 1 }'],
  ['a member of what may be anything', 'p if { 1 in input.xs; "a" in data.other; input.x in ["a"] }'],
  ['a member of several types', 'p if { 1 in [1, "a"]; "a" in [1, "a"]; [1] in [[2], null]; "k", 1 in {"k": 1} }'],
  ['a member of no collection', 'p if not 1 in "abc"'],
  ['a parameter in a collection', 'f(x) if x in {"a", "b"}\np if f("c")'],
  ['a variable of several types in a collection', 'q := 1 if input.x\nq := "a" if input.y\np := concat("", [q])\nr := sum({q})'],
  [
    'a variable that may be anything in a collection',
    'p := concat("", {x | some x in input.xs}) if { y := input.y; concat("", [y, "a"]) }',
  ],
  ['a variable that several alternatives bind', 'p if { walk(input, [path, x]); concat("", [x]); sum([x]); concat(".", path) }'],
  ['a variable in a collection of anything', 'p if { x := 1; count([x, "a"]) == 2; sum([x]) == 1; json.marshal({"a": x}) }'],
  ['an object of sets beside known keys', 'q := {{1}: "a"}\nr := {k: "b" | k := {input.x}}\np if q == r\ns if r == {[1]: "a"}'],
  ['a key of another type beside other keys', 'q[k] := v if { some i; v := input[i]; k := [i] }\np if q == {[0]: "a"}'],
  [
    'a rule that is called as it was written',
    'f() := input.x\nf() := "a" if not input.x\np if { x := f(); x == 1; f() == "b"; not f(); f("c"); upper(f()) }',
  ],
  ['a call of a rule of several types', 'f := "a" if input.x\nf := 1 if input.y\np := [f(), f() + 1]'],
  ['an object without a key of a rule', 'q["a"] := input.a\nq["b"] := input.b\np if {"a": "x"} == q\nr if q == {"b": 1}'],
  ['a comprehension of something unknown', 'p if 1 in [x | x := input.y]'],
])('%s is no type error', (_title, rules) => expect(renderDiagnostics(check(rules).diagnostics)).toBe('no error(s)'));

describe('under modifiers', () => {
  const rules = `
cfg := {"a": 1, "b": 2}
f := cfg.a
g(x) := cfg.b + x
h := to_number(input.x)
k := count([1])
o.p := f
q[k] := v if some k, v in ["a"]
q.foo := "b" if input.foo
`;
  test.each([
    ['a rule that is replaced', 'cfg.b == "x" with data.m.cfg as {"b": "x"}'],
    ['a part that it did not have', 'cfg.zz == 3 with data.m.cfg as {}'],
    ['a negated part', 'not cfg.zz with data.m.cfg as {}'],
    ['a comprehension', '[x | x := cfg.zz] == [] with data.m.cfg as {}'],
    ['a body under every', 'every x in [1] { cfg.zz == x } with data.m.cfg as {}'],
    ['a rule that reads it', 'upper(f) == "S" with data.m.cfg as {"a": "s"}'],
    ['a rule that reads a reader', 'o.p.q with data.m.cfg as {"a": {"q": 1}}'],
    ['the object that has it', 'o == {"p": "a"} with data.m.cfg as {"a": "a"}'],
    ['an object with other keys beside it', 'q == {0: "a", "foo": "b"} with input.foo as "b"'],
    ['any key of that object', '{ q[i] == "b" with input.foo as "b"; i + 1 == 2 }'],
    ['a function that reads it', 'g(1) == "x" with data.m.cfg as {"b": "x"}'],
    ['the result of such a function', '{ y := g(1) with data.m.cfg as {}; y == "x"; y + 1 == 2 }'],
    ['a reader of input', 'h == "x" with input.x as 1'],
    ['a reader of all input', 'h == "x" with input as {}'],
    ['a built-in', 'count([1]) == "x" with count as "x"'],
    ['a reader of a built-in', 'k == "x" with count as "x"'],
    ['a function', 'g(1) == "x" with data.m.g as "x"'],
    ['a member', '"x" in cfg with data.m.cfg as ["x"]'],
    ['an element of the input', 'input.cs[0] == "x" with input.cs[0] as "x"'],
    ['a part of an element', 'input.cs[0].d == "x" with input.cs[0].d as "x"'],
    ['the whole of an element', 'input.cs[0].d.e == 1 with input.cs[0].d as {}'],
    [
      'a key of the input that is no string',
      '{ every x in [1] { input[0] == x with input[0] as 1 }; input[[1]].y with input[[1]].y as 1 }',
    ],
    ['a key in an object that is no string', '[1 | input.a[true] == 1 with input.a[true] as 1] == []'],
    ['an element of a document', 'data.q[0].z == "x" with data.q[0].z as "x"'],
  ])('%s may be anything: %s', (_title, body) => {
    const inner = body.startsWith('{') ? body : `{ ${body} }`;
    expect(renderDiagnostics(check(`${rules}\nt if ${inner}`).diagnostics)).toBe('no error(s)');
  });

  test.each([
    ['f == "s" with input as {}'],
    ['f == "s" with data.other as {}'],
    ['h == "s" with input.y as 1'],
    ['h == "s" with data.m.cfg as {}'],
    ['k == "s" with sum as 1'],
    ['{ f == 1 with data.m.cfg as {}; f == "s" }'],
  ])('other types are known: %s', (body) => {
    const inner = body.startsWith('{') ? body : `{ ${body} }`;
    expect(check(`${rules}\nt if ${inner}`).diagnostics.map(({ message }) => message)).toEqual(['match error']);
  });

  test('a change of what a rule depends on is seen, though its type stays the same', () => {
    const modules = (lib: string) =>
      new Map(
        Object.entries({
          'lib.rego': `package lib\nv := ${lib}`,
          'm.rego': 'package m\nallow := data.lib.v',
          't.rego': 'package t\ntest_a if data.m.allow == "x" with input.x as 1',
        }).map(([name, text]) => [name, parseModule(name, text)] as const),
      );
    const free = compileModules({ modules: modules('to_number(input.x)') });
    expect(renderDiagnostics(free.diagnostics)).toBe('no error(s)');
    const fixed = recompile(free, new Map([['lib.rego', modules('1').get('lib.rego')!]]));
    expect(fixed.diagnostics.map(({ message }) => message)).toEqual(['match error']);
  });
});

test.each([
  ['a name that is data only', 'p if data.other.list[x].y == data.m.nope[x]'],
  ['a base document beside a package', 'q := {1}\np := {x | data.base.things[x]}'],
  ['a key that may be there in one of several types', 'q := {"a": 1} if input.x\nq := {"b": 1} if input.y\np if q.a'],
  ['a call in the body of every', 'p if every x in [1] { startswith(x, "a") }'],
  ['a comprehension over a parameter that the body does not mention', 'f(x, ys) := {x | some y in ys}\np if f(1, [2]) == {1}'],
  ['an array of such a parameter', 'f(x) := [x | true]\np if f(1)[0] == 1'],
  ['an object of such parameters', 'f([a, b]) := {a: {b | true} | true}\np if f([1, 2]) == {1: {2}}'],
  ['a set of a parameter in a collection', 'f(x) := y if y := {[x]}\np if f(1) == {[1]}'],
  ['a member of such a set', 'f(x) if { some v in {[x]}; v }\np if f(1)'],
  ['a number under a set of a general ref', 'q[c.port] contains c.name if some c in input.cs\np if { some k; q[k]; k - 1 > 1023 }'],
  ['a composite key of a general ref', 'q[[x]] contains 1 if some x in input\nf(x) := data.m.q[[x]]\np if f("a")'],
  ['any key of a package of functions', 'q.f(x) := x\nq.g(_) := "a"\np if { some k; v := data.m.q[k]; v }'],
  ['a key that another rule of the object may make', 'q[v] if v = 1\nq.a contains 1\np := q.b'],
])('%s is no error', (_title, rules) => expect(renderDiagnostics(check(rules).diagnostics)).toBe('no error(s)'));

test('what an error makes unknown is no other error, neither there nor in what reads it', () => {
  const { diagnostics } = check('q := {"a": 1}\nf(x) := q.b + x\np := f("a").c.d\nr := [y | y := q.b]');
  expect(diagnostics.map(({ message }) => message)).toEqual(['undefined ref: data.m.q.b', 'undefined ref: data.m.q.b']);
});

test('a query is checked against the types of rules', () => {
  const compiled = check('q := {"a": 1}\nf(x) := x');
  const message = (text: string) => compileQuery(compiled, parseQuery(text)).diagnostics[0]?.message;
  expect(message('data.m.q.b')).toBe('undefined ref: data.m.q.b');
  expect(message('x := data.m.q.a; x == "s"; data.m.q.a = "s"')).toBe('match error');
  expect(message('data.m.f(1, 2, 3) = x')).toBe('data.m.f: arity mismatch');
  expect(message('data.m.q.a + 1')).toBe(undefined);
});

describe('JSON Schemas', () => {
  const schema = { type: 'object', properties: { a: { type: 'number' }, l: { items: { type: 'string' } }, next: { $ref: '#' } } };
  const options = { schemas: new Map<string, unknown>([['schema', schema]]) };
  test.each<[string, string, string, string[]]>([
    ['a property', 'p if «input.b', 'undefined ref: input.b', ['want (one of): ["a" "l" "next"]']],
    ['an item', 'p if «input.l[_] == 1', 'match error', ['left  : string', 'right : number']],
    ['a schema that refers to itself', 'p if «input.next.next.b', 'undefined ref: input.next.next.b', []],
  ])('%s', (_title, marked, message, lines) => expectTypeError(marked, message, lines, options));

  test.each([
    ['undefined schema: schema.foo', { 'schema.bar': {} }, '# METADATA\n# schemas:\n# - input: schema.foo\np if input.x'],
    ['undefined ref: input.x', { 'schema.foo': schema }, '# METADATA\n# schemas:\n# - input: schema.foo\np if input.x\nq if input.x'],
    ['undefined ref: input.a.b', {}, '# METADATA\n# schemas:\n# - input.a: {type: string}\np if input.a.b\nq if input.x'],
    ['undefined ref: data.d.x', {}, '# METADATA\n# scope: document\n# schemas:\n# - data.d: {type: boolean}\np if data.d.x'],
  ])('an annotation makes the error: %s', (message, schemas, rules) => {
    const { diagnostics } = check(rules, { schemas: new Map(Object.entries(schemas)), schemaAnnotations: true });
    expect(diagnostics.map((each) => each.message)).toEqual([message]);
  });

  test.each([
    ['unable to compile the schema: remote reference loading disabled: http://example.com/a', { $ref: 'http://example.com/a' }],
    ['type checking: unable to merge these schemas: type mismatch: string and number', { allOf: [{ type: 'string' }, { type: 'number' }] }],
  ])('%s', (message, document) => {
    const { diagnostics } = check('p := 1', { schemas: new Map([['schema', document]]) });
    expect(diagnostics[0]).toMatchObject({ code: 'rego_type_error', message, location: undefined });
  });
});

test('rules that did not change, and read nothing whose type did, are not checked again', () => {
  const before = check('p := 1\nq := p\nr := 2');
  const other = parseModule('o.rego', 'package o\np := data.m.q');
  const first = recompile(before, new Map([['o.rego', other]]));
  const edited = (text: string) => recompile(first, new Map([['m.rego', parseModule('m.rego', text)]]));
  const recordsOf = (compiled: Compiled) => (compiled.types as Types).rules.get('o.rego')!;
  const sameType = edited('package m\np := 7\nq := p\nr := 3');
  expect([...recordsOf(sameType).values()]).toEqual([...recordsOf(first).values()]);
  expect(recordsOf(sameType)).toBe(recordsOf(first));
  expect(recordsOf(edited('package m\np := "s"\nq := p'))).not.toBe(recordsOf(first));
});

test('types that double with every line take no more time for it', async () => {
  const chain = (name: string) =>
    `${name}0 := 1\n${Array.from({ length: 60 }, (_, i) => `${name}${i + 1} := [${name}${i}, ${name}${i}]`).join('\n')}`;
  await expectBoundedWork(() => check(`${chain('a')}\n${chain('b')}\np if a60 == b60\nq if a17 == b17`));
});

test.each([
  ['a literal', 'p := {"a": 1}.b', 'undefined ref: {"a": 1}.b'],
  ['a call', 'p := count([1]).y', 'undefined ref: count([1]).y'],
  ['an expression with operators', 'p := ( 1 + 2 ).y', 'undefined ref: (1 + 2).y'],
  ['operators below a call', 'p := abs((1 + 2).y)', 'undefined ref: (1 + 2).y'],
  ['operators in an operand', 'p := abs(abs(1 - 2).y)', 'undefined ref: abs(1 - 2).y'],
  ['a function that is iterated', 'f(x) := x\np if { some x in f }', 'function data.m.f used as reference, not called'],
  ['a rule of one type that is called', 'f() := 1\np := f()', 'undefined function data.m.f'],
  ['a rule of several definitions that is called', 'f() := 1 if input.x\nf() := 2 if input.y\np if not f()', 'undefined function data.m.f'],
  ['such a rule that is called with its value', 'f() := 1\np if f(1)', 'undefined function data.m.f'],
  ['a set that is called', 'f contains 1\np := f()', 'undefined function data.m.f'],
])('an error about %s shows the source', (_title, rules, message) => {
  const { diagnostics } = check(rules);
  expect(diagnostics.map((each) => each.message)).toEqual([message]);
  expect(renderDiagnostics(diagnostics)).not.toContain('__local');
});
