/** Residuals, beyond the recorded requests. */
import { describe, expect, test } from 'vitest';
import { printBody } from '../../../compiler/ast/print.js';
import { compileModules } from '../../../compiler/pipeline.js';
import { parseModule } from '../../../compiler/syntax/parse.js';
import { parseQuery, parseRef, parseTerm } from '../../../compiler/syntax/query.js';
import type { PlainObject, Value } from '../../../values/value.js';
import { Engine } from '../../engine.js';
import type { PartialQuery } from '../../evaluation/partial-query.js';
import type { PartialResult } from './partial.js';
import { residualModule, writtenBody } from './residual/source.js';

async function residual(rules: string, asked: PartialQuery, input?: Value, data: PlainObject = {}): Promise<PartialResult> {
  const engine = new Engine({ data });
  const raw = `package t\n\n${rules}`;
  await engine.commit({ parsed: new Map([['t.rego', { id: 't.rego', raw, module: parseModule('t.rego', raw), bundle: undefined }]]) });
  return await engine.partial(asked, input, { timeMs: 5000 }, (result) => result);
}

/** Queries as texts, sorted; generated names as they are. */
async function queriesOf(rules: string, query: string, options: Partial<PartialQuery> = {}, input?: Value): Promise<readonly string[]> {
  const { queries } = await residual(rules, { query, ...options }, input);
  return queries.map((body) => printBody(writtenBody(body))).sort();
}

async function modulesOf(rules: string, query: string, options: Partial<PartialQuery> = {}): Promise<readonly string[]> {
  const { support } = await residual(rules, { query, ...options });
  return support.map((module) => residualModule(module));
}

test.each(['2', 'true', 'null', '"a"'])('a comprehension over the elements of %s, which has none, is empty', async (text) => {
  const rules = 'p if { v := data.v; count([y | y = v[_]; y == input.x]) > 1 }';
  const found = await residual(rules, { query: 'data.t.p' }, undefined, { v: JSON.parse(text) });
  expect(found.queries.map((body) => printBody(writtenBody(body)))).toEqual(['__local2__1 = []; count(__local2__1) > 1']);
});

test('modules of policies with the keywords `and` and `or` are formatted', async () => {
  const rule = parseModule('t.rego', 'package t\nimport future.keywords.or\n\np if {\n\tinput.x or input.y\n}');
  expect(residualModule(rule)).toContain('p if input.x or input.y\n');
});

describe('a body under `not` with its new meaning', () => {
  test.each([
    ['stays one expression', 'p if not { input.x > 1; input.y }', ['not { input.x > 1; input.y }']],
    [
      'of several rules, each does',
      'q if input.a\nq if input.b\np if not { q; input.c }',
      ['not { input.b; input.c }; not { input.a; input.c }'],
    ],
    ['that cannot hold leaves nothing', 'p if not { 1 == 2; input.y }', ['']],
    ['that holds does not hold', 'p if not { 1 == 1 }', []],
  ])('%s', async (_title, rules, wanted) => {
    const found = await queriesOf(`import future.keywords.not\n\n${rules}`, 'data.t.p');
    expect(found).toEqual(wanted);
  });
});

test('a variable gets no number with which it would be a rule', async () => {
  const rules = 'p contains 1 if count({r | input.u.l[r]}) == 0\n\nr1 := 1\n\nr1_.x := 2';
  const [module] = await modulesOf(rules, 'data.t.p = x');
  expect(module).toContain('{r1__ | input.u.l[r1__]}');
  const [other] = await modulesOf('p contains 1 if count({r | input.u.l[r]}) == 0', 'data.t.p = x');
  expect(other).toContain('{r1 | input.u.l[r1]}');
});

test.each(['input', 'data', 'if', 'x y'])('a rule at the key %s has the key in its head, not as its name', async (key) => {
  const [module] = await modulesOf(`p["${key}"] := 1 if input.a\n\ndefault p["${key}"] := 2`, `data.t.p["${key}"] = x`);
  expect(module).toMatch(/^package partial\.t\n/);
  expect(() => parseModule('s.rego', module!)).not.toThrow();
  expect(module).toContain('default p');
});

describe('a key that is found behind a ref to data of which a part is unknown', () => {
  const data = { d: { k: { z: 3 }, s: 1 }, l: [5] };
  const unknowns = [parseTerm('data.d.a'), parseTerm('input')];
  test.each([
    ['names nothing', 'p if { x = data.d[v]; ["a", "b"][v] }', []],
    ['names nothing below a known key', 'p if { x = data.d[v].y; v == "k" }', []],
    ['names nothing under `not`', 'q if { x = data.d[v]; v == 7 }\np if not q', ['']],
    ['names nothing in a call', 'p if { x = data.d[v]; count(x) > 1; v == 7 }', []],
    ['is a collection, which no name of a document is', 'p if { x = data.d[{"m": v, 1: 1}]; ["a", "b"][v] }', []],
    ['is an array', 'p if { x = data.d[[v]]; ["a", "b"][v] }', []],
    ['names a known document', 'p if { x = data.d[v].z; v == "k" }', ['x1 = data.d.k.z']],
    ['names the unknown document', 'p if { x = data.d[v]; v == "a" }', ['x1 = data.d.a']],
    ['names an element', 'p if { x = data.l[v]; v == 0 }', ['']],
    ['may be there by a modifier', 'p if { x = data.d[v] with data.d as input.d; v == 7 }', ['x1 = data.d[7] with data.d as input.d']],
  ])('%s', async (_title, rules, wanted) => {
    const found = await residual(rules, { query: 'data.t.p', unknowns }, undefined, data);
    expect(found.queries.map((body) => printBody(writtenBody(body)))).toEqual(wanted);
  });

  test('is left alone where rules are beside it', async () => {
    const engine = new Engine({ data });
    const texts = { 't.rego': 'package t\n\np if { x = data.d[v]; v == "r" }', 'd.rego': 'package d\n\nr := input.x' };
    const parsed = Object.entries(texts).map(([id, raw]) => [id, { id, raw, module: parseModule(id, raw), bundle: undefined }] as const);
    await engine.commit({ parsed: new Map(parsed) });
    const asked = { query: 'data.t.p', unknowns };
    const { queries } = await engine.partial(asked, undefined, { timeMs: 5000 }, (result) => result);
    expect(queries.map((body) => printBody(writtenBody(body)))).toEqual(['x1 = data.d.r']);
  });
});

describe('conditions that must not be lost', () => {
  test.each([
    ['an argument is defined', 'f(x) := 1 if not x.a', 'data.t.f(input.u)', ['not input.u.a; __local0__1 = input.u']],
    [
      'a default may be what is wanted',
      'default p := {"k": 1}\np := {"k": input.k} if input.k > 1',
      'data.t.p.k == 1',
      ['data.partial.t.p.k = 1'],
    ],
    ['an unknown key may be the wanted one', 'p := {input.k: 1}', 'data.t.p.a == 1', ['"a" = input.k']],
    ['every cannot stand under not', 'p if every x in input.xs { x > 1 }', 'not data.t.p', ['not data.partial.__not0_0_1__']],
  ])('%s', async (_title, rules, query, wanted) => {
    const found = await queriesOf(rules, query);
    expect(found.map((text) => text.replaceAll(/__local\w?\d+__\d*/g, '__local0__1'))).toEqual(wanted);
  });
});

test('a query that contradicts itself is left out', async () => {
  const rules = 'p if { x := input.x; {"a": 1, "b": 2}[x]; {"b": 1, "c": 2}[x] }';
  expect(await queriesOf(rules, 'data.t.p')).toEqual(['"b" = input.x']);
});

describe('a pattern', () => {
  test.each([
    ['that cannot be equal leaves nothing', 'p if { v := input.x; ["a", y] = v; v == 1 }', []],
    ['of another length leaves nothing', 'p if { v := input.x; [y, z] = v; v = [1] }', []],
    [
      'that cannot be equal in a closure makes it empty',
      'p if { v := data.v; count([y | [_, y] = v; y == input.x]) > 1 }',
      ['__local0__1 = []; count(__local0__1) > 1'],
    ],
    [
      'that cannot be equal to a term of the residual makes `every` hold for nothing',
      'p if { v := [input.a, 2]; every z in input.n { [y] = v; z == y } }',
      ['every __local0__1, __local0__1 in input.n { false }; __local0__1 = input.a'],
    ],
    [
      'that cannot be equal, of a rule under `not`',
      'q if { v := input.x; v == 1; [_, y] = v; every z in input.n { z == y } }\np if not q',
      [''],
    ],
    [
      'keeps the ref that binds a variable of another ref',
      'p if { x = input.n[y]; z = y[w][x]; z > input.m }',
      ['x1 = input.n[y1]; y1[w1][x1] > input.m'],
    ],
    ['may be equal to a comprehension', 'p if { [x] = [y | y = input.z[_]] }', ['[x1] = [y1 | y1 = input.z[_]]']],
  ])('%s', async (_title, rules, wanted) => {
    const { queries } = await residual(rules, { query: 'data.t.p' }, undefined, { v: 1 });
    const found = queries.map((body) => printBody(writtenBody(body)));
    expect(found.map((text) => text.replaceAll(/__local\w?\d+__\d*/g, '__local0__1'))).toEqual(wanted);
    for (const text of found) parseQuery(text);
  });
});

test('modifiers of what is known hold inside, and stay on what is evaluated again', async () => {
  const rules =
    'p if { data.flag; input.x == 1 }\nq := 1 if { data.flag; input.y }\nelse := 2\nr if p with data.flag as true\ns if q == 1 with data.flag as true';
  expect(await queriesOf(rules, 'data.t.r')).toEqual(['input.x = 1']);
  expect(await queriesOf(rules, 'data.t.s')).toEqual(['data.t.q = 1 with data.flag as true']);
});

test('rules that are not inlined are modules that compile', async () => {
  const disableInlining = [parseRef('data.t.f'), parseRef('data.t.o')];
  expect(await modulesOf('f(x, [y, _]) := x + y if x > input.z', 'data.t.f(1, [input.a, 2], z)', { disableInlining })).toEqual([
    'package partial.t\n\nf(__local0__1, [__local1__1, __local2__1]) := __local3__1 if {\n\t__local0__1 > input.z\n\t__local3__1 = __local0__1 + __local1__1\n}\n',
  ]);
});

test('unknowns may be parts of documents', async () => {
  const unknowns = [parseTerm('input.a.b')];
  expect(await queriesOf('', 'input.a.b == 1; input.a.c == 2', { unknowns }, { a: { b: 5, c: 2 } })).toEqual(['input.a.b = 1']);
  expect(await queriesOf('', 'input.a == 1', { unknowns }, { a: 1 })).toEqual(['input.a = 1']);
});

test('non-deterministic built-ins are left, unless they are wanted', async () => {
  expect(await queriesOf('', 'time.now_ns() > 0')).toEqual(['time.now_ns() > 0']);
  expect(await queriesOf('', 'time.now_ns() > 0', { nondeterministicBuiltins: true })).toEqual(['']);
});

test('a partial evaluation ends with its time', async () => {
  const rules = 'p if { some i in numbers.range(1, 3000); some j in numbers.range(1, 3000); i + j == input.x }';
  const engine = new Engine();
  const raw = `package t\n\n${rules}`;
  await engine.commit({ parsed: new Map([['t.rego', { id: 't.rego', raw, module: parseModule('t.rego', raw), bundle: undefined }]]) });
  const done = engine.partial({ query: 'data.t.p' }, undefined, { timeMs: 100 }, () => undefined);
  await expect(done).rejects.toMatchObject({ code: 'eval_cancel_error' });
});

describe('an element of which a part is unknown', () => {
  const input = {
    list: [
      { a: 1, b: { c: 2 } },
      { a: 3, b: { c: 4 } },
    ],
    by: { x: { a: 1 }, y: { a: 2 } },
  };
  const unknowns = [parseTerm('input.list[0].b')];

  test.each([
    ['is decided by what is known', 'p contains c.a if some c in input.list', 'data.t.p[x]', ['x = 1', 'x = 3']],
    ['is left out by what is known', 'p if { some c in input.list; c.a == 2 }', 'data.t.p', []],
    ['keeps conditions on the part', 'p if { some c in input.list; c.b.c == 5 }', 'data.t.p', ['input.list[0].b.c = 5']],
    ['under `not`', 'p if { some c in input.list; not c.b.c }', 'data.t.p', ['not input.list[0].b.c']],
    ['as an argument', 'f(c) if c.a > 1\np contains i if { some i, c in input.list; f(c) }', 'data.t.p[x]', ['x = 1']],
    ['and a key that is missing', 'p if { some c in input.list; c.z }', 'data.t.p', []],
    ['as a whole', 'p contains x if { some x in input.list; x.a < 2 }', 'data.t.p[x]', ['x = input.list[0]; x']],
    ['and another one', 'p if input.by[_].a == 2', 'data.t.p', ['']],
  ])('%s', async (_title, rules, query, wanted) => {
    expect(await queriesOf(rules, query, { unknowns }, input)).toEqual(wanted);
  });

  test('of an object', async () => {
    const rules = 'p contains k if { some k; input.by[k].a > 0; input.by[k].b }';
    const found = await queriesOf(rules, 'data.t.p[x]', { unknowns: [parseTerm('input.by.x.b')] }, input);
    expect(found).toEqual(['input.by.x.b; x = "x"']);
  });

  test('may be one that only the unknown makes', async () => {
    const rules = 'p contains k if input.by[k].b > 0';
    const found = await queriesOf(rules, 'data.t.p[x]', { unknowns: [parseTerm('input.by.z.b')] }, input);
    expect(found).toEqual(['input.by[x].b > 0; x']);
  });

  test('has a name outside of modifiers', async () => {
    const rules = 'p contains x if { some c in input.list; x := c.b with input.list as [{"b": 9}] }';
    const found = await queriesOf(rules, 'data.t.p[x]', { unknowns }, input);
    expect(found).toEqual([
      'x = __local2__1.b with input.list as [{"b": 9}]; x; __local2__1 = input.list[0]',
      'x = {"a": 3, "b": {"c": 4}}.b with input.list as [{"b": 9}]; x',
    ]);
  });
});

describe('a with at a key that is no string', () => {
  const rules = 'deny contains 1 if input.cs[0].x\nallow if count(deny) == 0 with input.cs[0].x as false';

  test('is a conflict where the document is known', () =>
    expect(queriesOf(rules, 'data.t.allow', { unknowns: [parseTerm('input.z')] }, { cs: [] })).rejects.toThrow('bad document path'));

  test('stays in what is left where it is unknown', async () => {
    const found = await queriesOf('allow if true with input.cs[0].x as false', 'data.t.allow', { unknowns: [parseTerm('input')] }, {});
    expect(found).toEqual(['true with input.cs[0].x as false']);
  });
});

test.each([
  ['of another length', 'p contains x if { v := input.a; [x] = v with input.n as input.m; x == input.z }', []],
  ['of another kind', 'p contains x if { v := input.a; {"k": x} = v with input.n as input.m }', []],
  [
    'of another length, before a conflict',
    'p contains x if { v := input.a; [x] = v with input.n[1] as 1; x == input.z }',
    ['false with input.n[1] as 1; null = input.z; x = null'],
  ],
])('a pattern of a value %s binds nothing where a with stays', async (_title, rules, wanted) => {
  const unknowns = ['n', 'm', 'z'].map((name) => parseTerm(`input.${name}`));
  expect(await queriesOf(rules, 'data.t.p[x]', { unknowns }, { a: [] })).toEqual(wanted);
});

describe('rules that the request keeps as rules are not evaluated', () => {
  const rules = [
    'q if 1 < 2',
    'p if { q; input.x }',
    'r := 5',
    'd if r == 4',
    'n if not r == 5',
    's contains 1',
    'u if s[input.x]',
    'f(x) if x == 1',
    'g if f(1)',
    'never if false',
    'nv if { never; input.x }',
  ].join('\n');

  test.each([
    ['q', 'p', ['data.partial.t.q; input.x'], 'q := true'],
    ['r', 'r', ['data.partial.t.r'], 'r := 5'],
    ['r', 'd', ['data.partial.t.r = 4'], 'r := 5'],
    ['r', 'n', ['not data.partial.t.r = 5'], 'r := 5'],
    ['s', 'u', ['data.partial.t.s[input.x]'], 's contains 1'],
    ['f', 'g', ['data.partial.t.f(1)'], 'f(__local0__2) if __local0__2 = 1'],
    ['never', 'nv', [], undefined],
  ])('%s in %s', async (kept, asked, queries, support) => {
    const options = { disableInlining: [parseRef(`data.t.${kept}`)] };
    expect(await queriesOf(rules, `data.t.${asked}`, options)).toEqual(queries);
    const modules = support === undefined ? [] : [`package partial.t\n\n${support}\n`];
    expect(await modulesOf(rules, `data.t.${asked}`, options)).toEqual(modules);
  });
});

describe('a document that is read on the way to one of its own rules', () => {
  const rules = 'allow if {\n\tsome name in ["project"]\n\tdata[name].roles[_] == "x"\n\tinput.y\n}';
  const data = { project: { roles: ['x'] } };

  test.each([
    ['its package', 'data.t.allow = a; data.t = d', 'input.y; data.t = d; a = true'],
    ['all documents', 'data.t.allow; x := data; x.t', 'input.y; data.t'],
  ])('is as open as the rule: %s', async (_title, query, written) => {
    const { queries } = await residual(rules, { query }, undefined, data);
    expect(queries.map((body) => printBody(writtenBody(body)))).toEqual([written]);
  });
});

test('operands of `or` that are several expressions are written in braces', async () => {
  const rules = 'import future.keywords.or\n\np if {\n\tx := or({1}, input.s)\n\tcount(x) == 2 or input.y\n}';
  const [query] = await queriesOf(rules, 'data.t.p');
  expect(query).toContain('{ count(or({1}, input.s), __local2__1); __local2__1 = 2 } or input.y');
  const [module] = await modulesOf(rules, 'data.t.p', { disableInlining: [parseRef('data.t.p')] });
  expect(parseModule('s.rego', module!).rules).toHaveLength(1);
});

test.each([
  ['an operand of `or`', '{ not x == [] } or input.y', ''],
  ['the other operand of `or`', 'input.y or { not x == [] }', ''],
  ['an operand of `and`', '{ not x == []; not x == {} } and input.y', '{ true } and input.y'],
  ['both operands of `and`', '{ not x == [] } and not upper(x) == "A"', ''],
  [
    'the body of `every`',
    'every y in input.l { y != 1 or not x == []; not x == {} }',
    'every __local1__2, __local2__2 in input.l { true }',
  ],
  [
    'a comprehension',
    'count([y | y := input.l; not x == []]) == 1',
    '__local3__2 = [__local1__2 | __local1__2 = input.l]; count(__local3__2, 1)',
  ],
  [
    'a comprehension of a constant',
    'count([1 | not x == []; not input.y == 1 or not x == {}]) == 1',
    '__local2__2 = [1 | true]; count(__local2__2, 1)',
  ],
  ['a body under `not`', 'not { not x == []; not x == {} }', undefined],
])('what always holds by its types leaves a body: %s', async (_title, body, wanted) => {
  const rules = `import future.keywords\nimport future.keywords.not\n\np if f(0)\n\nf(x) if { input.z; ${body} }`;
  const found = await queriesOf(rules, 'data.t.p');
  expect(found).toEqual(wanted === undefined ? [] : [`input.z${wanted && `; ${wanted}`}`]);
  const modules = await modulesOf(rules, 'data.t.p', { disableInlining: [parseRef('data.t.p')] });
  for (const module of modules) parseModule('s.rego', module);
});

test.each([
  ['an object with other keys', 'o[1].a := 1 if input.x\n\np if data.t.o.a == 1'],
  ['an object with a chain of `else`', 'o[1] := 1 if not 1 in input.l\n\nelse := 2 if 1 in input.l\n\np if data.t.o.a == 1'],
  ['an object below', 'o.b[1].c := 1 if input.x\n\np if data.t.o.b[2].c == 1'],
])('a ref that no rule can answer never holds: %s', async (_title, rules) => {
  expect(await queriesOf(rules, 'data.t.p')).toEqual([]);
});

test('a ref with an open key keeps `with`, which may replace the input there', async () => {
  const rules = 'q if input[input.a] == 5\n\np if q with input.b as 5\n\nr if s with input.b as 5\n\ns if input.a == 5';
  const unknowns = [parseTerm('input.a')];
  expect(await queriesOf(rules, 'data.t.p', { unknowns }, { b: 4 })).toEqual([
    'input[__local0__2] = 5 with input.b as 5; __local0__2 = input.a',
  ]);
  expect(await queriesOf(rules, 'data.t.r', { unknowns }, { b: 4 })).toEqual(['input.a = 5']);
});

test('a ref whose known key leads to unknown data is saved', async () => {
  const rules = 'r contains x if some x in data[input.kind].roles\n\np if data[input.kind].roles[_] == "admin"';
  const asked = (query: string) => residual(rules, { query, unknowns: [parseTerm('data.project.roles')] }, { kind: 'project' });
  const { queries } = await asked('data.t.p');
  expect(queries.map((body) => printBody(writtenBody(body)))).toEqual(['data.project.roles[_] = "admin"']);
  const { support } = await asked('data.t.r');
  expect(support.map((module) => residualModule(module)).join()).toContain('= data.project.roles[');
});

test('the complement of many alternatives is a rule', async () => {
  const items = Array.from({ length: 63 }, (_, i) => i);
  const rules = 'deny if {\n\tdata.items[_] == input.a\n\tinput.b == "x"\n}\n\np if not deny';
  const { queries, support } = await residual(rules, { query: 'data.t.p' }, undefined, { items });
  expect(queries.map((body) => printBody(writtenBody(body)))).toEqual(['not data.partial.__not0_0_1__']);
  expect(support[0]!.rules).toHaveLength(63);
});

describe('a whole object of rules of several parts', () => {
  const seen = 'acl[x].seen := true if x := input.op';
  test.each([
    ['acl', `acl.read.allow if input.role == "r"\n${seen}`, ['data.partial.t.acl']],
    ['acl.read', `acl.read.allow if input.role == "r"\n${seen}`, ['data.partial.t.acl.read']],
    ['acl', 'acl.read contains x if x := input.r\nacl[y].z := 1 if y := input.op', ['data.partial.t.acl']],
    // The residual would have the object `read` where no rule holds, and lack `never`.
    ['acl', `acl[k].allow if { k := "read"; input.role == "r" }\n${seen}`, ['data.t.acl']],
    ['acl', `acl.never.allow if { 1 == 2; input.role == "r" }\n${seen}`, ['data.t.acl']],
    ['acl', 'acl[k] contains x if { k := "read"; x := input.r }\nacl[y] contains 1 if y := input.op', ['data.t.acl']],
    // No variable is left as the first key: the residual would have the object `c` for each input.
    ['acl', 'acl[k] := input.y if k := "e"\nacl.c.tag := input.z', ['data.t.acl']],
    ['acl', 'acl[k] := input.y if k := "e"\nacl.g.l[m] := input.x if some m in ["a", "b"]', ['data.t.acl']],
    ['acl', 'acl[k] := input.y if k := "e"\nacl.c.tag := 1', ['data.partial.t.acl']],
  ])('%s stands in the residual with its rules: %s', async (path, rules, queries) => {
    expect(await queriesOf(rules, `data.t.${path}`)).toEqual(queries);
    const modules = await modulesOf(rules, `data.t.${path}`);
    expect(modules.length > 0).toBe(queries[0]!.includes('partial'));
    const parsed = modules.map((text, i) => [`${i}.rego`, parseModule(`${i}.rego`, text)] as const);
    expect(compileModules({ modules: new Map(parsed) }).diagnostics).toEqual([]);
  });
});
