/** What `build -O` writes is loaded, and decides as the sources do. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { countStatements } from '../../compiler/optimize/map-bodies.js';
import { readBundle } from '../../engine/bundle/disk/file-source.js';
import type { Policy } from '../../ir-schema/plan.js';
import { Engine } from '../../library/index.js';
import { runCommand, withFiles } from '../../test/harness/command.js';

type Files = Readonly<Record<string, string>>;

const inputs: readonly unknown[] = [
  {},
  { a: 'a' },
  { a: 'A', b: 'a' },
  { a: 'bar:x' },
  { a: 'a,b' },
  { a: 'a,a' },
  { a: 'z:c' },
  { a: '1' },
  { a: 'aq' },
  { a: ['a'] },
  { a: ['A', 'b'] },
  { a: [1, 2, 3] },
  { a: 1, n: [] },
  { a: 1, n: [1] },
  { a: 0, b: {} },
  { a: { q: 1 } },
  { a: null, b: null, n: null },
];

/** A decision as text; of an error, its code. */
async function decision(engine: Engine, path: string, input: unknown): Promise<string> {
  try {
    const { result } = await engine.decideAsync(path, input);
    return JSON.stringify(result) ?? 'undefined';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

async function decisions(engine: Engine, path: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const input of inputs) found.push(await decision(engine, path, input));
  return found;
}

/** Builds with each level, and compares the decisions at an entrypoint. */
async function expectSameDecisions(
  files: Files,
  entrypoint: string,
  flags: readonly string[] = [],
  paths = Object.keys(files),
): Promise<void> {
  await withFiles(files, async (dir) => {
    const sources = paths.map((path) => join(dir, path));
    const built: (readonly string[])[] = [];
    for (const level of ['0', '1', '2']) {
      const out = join(dir, `out${level}.tar.gz`);
      const { stdout, exit } = await runCommand('build', '-O', level, '-e', entrypoint, '-o', out, ...flags, ...sources);
      expect({ level, exit, stdout }).toEqual({ level, exit: 0, stdout: '' });
      built.push(await decisions(await Engine.open(out), entrypoint));
    }
    expect(built[1]).toEqual(built[0]);
    expect(built[2]).toEqual(built[0]);
  });
}

describe('branches of overloaded functions that can never hold are left out', () => {
  test.each([
    ['null and a string', 'allow if { a := split(input.a, ":"); f(a[0]) }\nf(x) if { x == null }\nf(x) if { startswith(x, "bar") }'],
    ['the argument of a built-in', 'allow if f(upper(input.a))\nf(x) if { abs(x) > 1 }\nf(x) if { startswith(x, "BAR") }'],
    ['a ref into a number', 'allow if f(count(input.a))\nf(x) if x.foo == 1\nf(x) if x > 2'],
    ['a ref into an array', 'allow if f(split(input.a, ","))\nf(x) if x.foo == "a"\nf(x) if x[0] == "a"'],
    ['elements of a string', 'allow if f(lower(input.a))\nf(x) if { some y in x; y == 1 }\nf(x) if x == "a"'],
    ['values of two types', 'allow if f(count(input.a), upper(input.b))\nf(x, y) if x == y\nf(x, y) if y == "A"'],
    ['arithmetic', 'allow if f(upper(input.a))\nf(x) if x + 1 > 2\nf(x) if x == "A"'],
    ['a difference of sets', 'allow if f(count(input.a))\nf(x) if x - {1} == {2}\nf(x) if x - 1 == 2'],
    ['a set', 'allow if f({upper(input.a)})\nf(x) if x & {"A"} == {"A"}\nf(x) if x[0] == 1\nf(x) if x.a == 1'],
    [
      'a comprehension that is empty',
      'allow if f(split(input.a, ","))\nf(x) if count([y | y := x.foo[_]]) > 0\nf(x) if count([y | y := x[_]; y == "a"]) > 0',
    ],
    ['a comprehension that must be empty', 'allow if f(count(input.a))\nf(x) if count({y | some y in x}) == 0\nf(x) if x == 9'],
    ['every', 'allow if f(split(input.a, ","))\nf(x) if every y in x { y.foo == 1 }\nf(x) if x[0] == "a"'],
    ['every over what may be empty', 'allow if every y in input.n { f(upper(y)) }\nf(x) if x.foo == 1'],
    ['not', 'allow if f(split(input.a, ","))\nf(x) if not x.foo\nf(x) if x[0] == "a"'],
    ['not of a call', 'allow if f(count(input.a))\nf(x) if not startswith(x, "a")\nf(x) if x == 3'],
    ['not of a function', 'allow if f(split(input.a, ":"))\nf(x) if { not g(x) }\ng(x) if { x.foo.bar }\ng(x) if { x[0] == "z" }'],
    ['a literal null', 'allow if f(null, input.a)\nf(x, y) if startswith(x, y)\nf(x, y) if y == "a"'],
    ['a literal number', 'allow if f(5, input.a)\nf(x, y) if x[y]\nf(x, y) if y == "a"'],
    ['a literal array', 'allow if f([1, 2], input.a)\nf(x, y) if startswith(x[0], y)\nf(x, y) if x[y] == 1'],
    ['a literal object', 'allow if f({"a": 1}, input.a)\nf(x, y) if x.b.c == y\nf(x, y) if x[y] == 1'],
    ['patterns', 'allow if f(split(input.a, ","))\nf({"a": x}) if x == 1\nf([x, y]) if x == y'],
    ['a pattern and a number', 'allow if f(count(input.a))\nf([x, y]) if x == y\nf(x) if x > 1'],
    ['a pattern in a closure', 'allow if { v := [input.a, 2]; every z in input.n { [y] = v; z == y } }'],
    ['membership', 'allow if f(upper(input.a))\nf(x) if x in [1, 2]\nf(x) if x in ["A"]'],
    ['modifiers', 'allow if f(upper(input.a)) with input.b as 5\nf(x) if { x == 5; input.b == 5 }\nf(x) if { x == "A"; input.b == 5 }'],
    ['or', 'import future.keywords.or\nallow if f(upper(input.a))\nf(x) if { x + 1 > 2 or x == "A" }'],
    ['and', 'import future.keywords.and\nallow if f(upper(input.a))\nf(x) if { x + 1 > 2 and x == "A" }\nf(x) if { x == "A" and input.b }'],
    ['members of a set', 'p contains x if { some y in split(input.a, ","); x := g(y) }\ng(x) := x.foo\ng(x) := x\nallow if "a" in p'],
    ['values', 'allow := f(upper(input.a))\nf(x) := 1 if is_number(x)\nf(x) := 2 if x == "A"'],
    ['else', 'allow := f(upper(input.a))\nf(x) := x + 1 if is_number(x) else := 2'],
    ['a result that is looked into', 'allow if { x := f(input.a); y := g(x); y == "A" }\nf(a) := upper(a)\ng(x) := x.foo\ng(x) := x'],
    [
      'a function of which no rule can hold',
      'default allow := false\nallow if f(upper(input.a))\nallow if input.a == 1\nf(x) if x.foo\nf(x) if x[0]',
    ],
  ])('%s', async (_title, rules) => {
    await expectSameDecisions({ 'p.rego': `package foo\n\n${rules}\n` }, 'foo/allow');
  });
});

test('a rule that is a package among the residuals keeps its name for other rules', async () => {
  const rules = 'p.a if v = input.a\np[1] := x if x := minus(1, {y | y := 1})\nr(1) := x if x := p[_]';
  await expectSameDecisions({ 'p.rego': `package foo\n\n${rules}\n` }, 'foo/p');
  const [a = '', one = '', reader = ''] = rules.split('\n');
  const files = { 'p.rego': `package foo\n\n${a}\n${one}\n`, 'r.rego': `package foo\n\n${reader}\n` };
  await expectSameDecisions(files, 'foo/p');
});

test.each([
  ['a known value', 'p := 1'],
  ['known values of several rules', 'p := q.a\n\nq := {"a": 1}\n\ns contains "x"'],
  ['a value that depends on the input', 'p := input.a\n\nq if input.b'],
])('an entrypoint that is a package of one name stays where it is: %s', async (_title, rules) => {
  const files = { 'p.rego': `package foo\n\n${rules}\n` };
  await expectSameDecisions(files, 'foo');
  await expectSameDecisions(files, 'foo/p', ['-e', 'foo']);
});

test('a package with a quoted name gets imports too', async () => {
  const rules = 'p.a if v = input.a\np[1] := x if x := minus(1, {y | y := 1})\nr(1) := x if x := p[_]';
  await withFiles({ 'p.rego': `package foo["x"]\n\n${rules}\n` }, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    const built = await runCommand('build', '-O', '2', '--debug', '-e', 'foo/x/p', '-o', out, join(dir, 'p.rego'));
    expect(built).toMatchObject({ exit: 0, stderr: expect.not.stringContaining('is not optimized') });
  });
});

test.each(['a-b', 'if'])('a package whose name stands in quotes is optimized: %s', async (name) => {
  const rules = 'allow if {\n\tinput.a == "a"\n\tlevel == 2\n}\n\nlevel := 2';
  const policies = { 'p.rego': `package foo["${name}"]\n\n${rules}\n` };
  await expectSameDecisions(policies, `foo/${name}/allow`);
  await withFiles(policies, async (dir) => {
    const out = join(dir, 'out.tar.gz');
    await runCommand('build', '-O', '1', '-e', `foo/${name}/allow`, '-o', out, join(dir, 'p.rego'));
    const { modules } = await readBundle(out);
    expect(modules.map(({ path }) => path)).toContain(`/optimized/foo/${name}.rego`);
  });
});

const v0Rules: readonly (readonly [string, string])[] = [
  ['sets and negation', 'allow { input.a == "a"; not input.b }\ndeny[msg] { not allow; msg := "no" }\nresult = deny'],
  ['functions and objects', 'f(x) = y { y := x + 1 } else = 0 { x == "a" }\nm[k] = v { v := input.a[k] }\nresult = [m, f(input.a)]'],
  ['a default', 'default result = false\nresult { count(input.a) == 2; q[_] }\nq[x] { x := input.a[_]; x == "b" }'],
  ['names that are keywords now', 'contains { input.a }\nif["x"] { input.b }\nresult { contains; not if["x"] }'],
  ['iteration without `some`', 'result { input.a[i] == input.n[j]; i == j }\nresult { every := input.a; every == "A" }'],
  ['keywords of the future', 'import future.keywords\nresult if { some x in input.a; every y in input.a { y == x } }'],
  ['negation of several bodies', 'result { not q }\nq { input.a == "a"; input.b } { x := input.n[_]; x > 0 }'],
];

describe('policies of version 0', () => {
  test.each(v0Rules)('%s', async (_title, rules) => {
    await expectSameDecisions({ 'p.rego': `package a\n\n${rules}\n` }, 'a/result', ['--v0-compatible']);
  });

  test.each(v0Rules)('in a bundle that says its version: %s', async (_title, rules) => {
    const files = { 'b/p.rego': `package a\n\n${rules}\n`, 'b/.manifest': '{"rego_version": 0, "roots": [""]}' };
    await expectSameDecisions(files, 'a/result', ['-b'], ['b']);
  });
});

test.each([
  ['an element of an array', 'allow if { some u in data.users; u.owner == input.a }', '{"users": [null, {"owner": "a"}]}'],
  ['an element of an object', 'allow if { u := data.users[_]; u.owner == input.a }', '{"users": {"x": null, "y": {"owner": "a"}}}'],
  ['an argument', 'allow if f(data.users)\nf(x) if x.owner == input.a\nf(x) if input.b == x', '{"users": null}'],
  ['an element that is negated', 'allow if { some u in data.users; not u.owner == input.a }', '{"users": [null]}'],
])('null in data has nothing inside: %s', async (_title, rules, data) => {
  await expectSameDecisions({ 'p.rego': `package foo\n\n${rules}\n`, 'data.json': data }, 'foo/allow');
});

describe('the rules of a residual take the place of their own documents only', () => {
  const asked = 'asked contains x if x = data.t.r[y]';
  test.each([
    [
      'a prefix of a general head beside a rule that is known',
      `r.c.c[input.a] := 1 if input.q\nr["if"][{"k": x}] := "k" if x := 1\n${asked}`,
    ],
    ['a set below a prefix', `r.c.s contains input.a if input.q\nr.d[x] := 1 if x := "k"\n${asked}`],
    ['a rule below two prefixes', `r.a.b[input.a] := 1\nr.a.c := 2\nr.d := input.b\n${asked}`],
  ])('%s', async (_title, rules) => {
    await expectSameDecisions({ 'p.rego': `package t\n\n${rules}\n` }, 't/r', ['-e', 't/asked']);
    await expectSameDecisions({ 'p.rego': `package t\n\n${rules}\n` }, 't/asked', ['-e', 't/r']);
  });
});

test.each<[string, Files, readonly string[]]>([
  ['functions only, and data there', { 'p.rego': 'package a.b\n\nf(x) := x\n', 'data.json': '{"a": {"b": {}}}' }, []],
  ['data there', { 'p.rego': 'package a.b\n\nq := 1\n', 'data.json': '{"a": {"b": {"c": 2}}}' }, []],
  [
    'a function that another package calls',
    { 'p.rego': 'package a.b\n\nq := 1\n\nf(x) := x + q\n', 'q.rego': 'package c\n\nr := data.a.b.f(input.a)\n' },
    ['-e', 'c/r'],
  ],
  ['a function below', { 'p.rego': 'package a\n\nq := 1\n', 'q.rego': 'package a.b.c\n\nf(x) := x\n' }, ['-e', 'a']],
  ['a rule that is an entrypoint before it', { 'p.rego': 'package a.b\n\nq contains 1\n\ns contains x if some x in q\n' }, ['-e', 'a/b/s']],
])('a package as the entrypoint: %s', async (_title, files, flags) => {
  await expectSameDecisions(files, 'a/b', flags);
});

describe('names that are keywords', () => {
  test.each(['in', 'if', 'every', 'contains'])('version 0: %s', async (name) => {
    const files = { 'p.rego': `package t\n\n${name}["x"] { input.a }\n\nr { data.t["${name}"][_] }\n` };
    await expectSameDecisions(files, `t/${name}`, ['--v0-compatible', '-e', 't/r']);
    await expectSameDecisions(files, 't/r', ['--v0-compatible', '-e', `t/${name}`]);
  });

  test.each(['in', 'null', 'as', 'not'])('keys follow: %s', async (name) => {
    const rules = (pkg: string) => `package ${pkg}\n\n${name}[1] := input.a\n\n${name}.k := input.b\n\nr := data.${pkg}["${name}"][1]\n`;
    await expectSameDecisions({ 'p.rego': rules('t') }, `t/${name}`, ['-e', 't/r']);
    await expectSameDecisions({ 'p.rego': rules('t') }, 't/r', ['-e', `t/${name}`]);
    await expectSameDecisions({ 'p.rego': rules('s.t') }, `s/t/${name}`, ['-e', 's/t/r']);
  });
});

test.each([
  ['an object for a number', 'f(1, v) := v if v\n\nr contains x if x = f(data.rows[_], input.a)'],
  ['under `not`', 'f(1, v) := v if v\n\nr if { some row in data.rows; not f(row, input.a) }'],
  ['one of several', 'f(1, v) := v if v\n\nr contains x if { some y in [{"a": 1}, 1]; x = f(y, input.a) }'],
])('calls of functions that cannot hold by their types are left out: %s', async (_title, rules) => {
  await expectSameDecisions({ 'p.rego': `package foo\n\n${rules}\n`, 'data.json': '{"rows": [{"a": 1}, {"b": 2}]}' }, 'foo/r');
});

test.each(['__result__', 'r'])('a rule has the name of the variable of residuals: %s', async (name) => {
  const rules = '__result__ := x if { x = 1; input.a }\n\nr := x if { x = input.a; __result__ }';
  await expectSameDecisions({ 'p.rego': `package foo\n\n${rules}\n` }, `foo/${name}`);
});

test.each([
  ['alone', 'f(x) := x + input.a', 'f', []],
  ['beside a rule that calls it', 'f(x) := x + input.a\n\nr := f(2)', 'r', ['-e', 't/f']],
  ['below a rule', 'o.f(x) := x if input.a\n\no.k := input.a\n\nr := o.f(input.n)', 'r', ['-e', 't/o/f']],
  ['with keys', 'f.g(x) := x + input.a\n\nr := f.g(1)', 'r', ['-e', 't/f/g', '-e', 't/f']],
  ['that an annotation names', '# METADATA\n# entrypoint: true\nf(x) := x + input.a\n\nr := f(1)', 'r', []],
])('a function as an entrypoint stays: %s', async (_title, rules, entrypoint, flags) => {
  await expectSameDecisions({ 'p.rego': `package t\n\n${rules}\n` }, `t/${entrypoint}`, flags);
});

// A rule in the place of another has the type of a value, where the first had any.
describe('an entrypoint that the compiler refuses as a residual stays as it is', () => {
  const data = '{"n": 1, "o": {"a": 1}}';
  test.each([
    ['a ref into it', 'r := data.n\n\nq := r.a.b\n\ns := input.a'],
    ['a call with it', 'r := data.n\n\nq := startswith(r, "a")\n\ns := input.a'],
    ['a comparison with it', 'r := data.n\n\nq if "a" in {x | x := r[_]}\n\nq if input.a\n\ns := input.a'],
    ['a modifier of a part', 'r.a := data.n\n\nr.b := 2\n\nq := x if x := data.foo.r.a with data.foo.r.a as 2\n\ns := input.a'],
  ])('%s', async (_title, rules) => {
    const files = { 'p.rego': `package foo\n\n${rules}\n`, 'data.json': data };
    for (const entrypoint of ['r', 'q', 's']) await expectSameDecisions(files, `foo/${entrypoint}`, ['-e', 'foo/r', '-e', 'foo/s']);
  });

  test.each([
    ['a function', 'r[k] := 1 if { count(data.o) > 0; k := input.n }\n\nq contains x if x := r with count as is_array'],
    ['a document', 'r[k] := 1 if { data.n == 1; k := input.n }\n\nq contains x if x := r with data.n as 2'],
    [
      'a function of the policy',
      'f(x) := x\n\nr[k] := 1 if { f(data.n) == 1; k := input.n }\n\nq contains x if { x := r with data.foo.f as 2; input.n }',
    ],
    [
      'a document of a rule that reads it',
      'r[k] := 1 if { data.n == 1; k := input.n }\n\np := r\n\nq contains x if { x := p with data.n as 2; input.n }',
    ],
    ['in a comprehension', 'r if { data.n == 1; input.n }\n\nq := [1 | some x in input.n; not r with data.n as x]'],
  ])('under a modifier of %s', async (_title, rules) => {
    const files = { 'p.rego': `package foo\n\n${rules}\n`, 'data.json': data };
    for (const flags of [
      ['-e', 'foo/r'],
      ['-e', 'foo/q', '-e', 'foo/r'],
      ['-e', 'foo/r', '-e', 'foo/q'],
    ]) {
      await expectSameDecisions(files, 'foo/r', flags);
      await expectSameDecisions(files, 'foo/q', flags);
    }
  });

  test('others are optimized, and `--debug` tells it', async () => {
    await withFiles({ 'p.rego': 'package foo\n\nr := data.n\n\nq := r.a.b\n\ns := 1 + 1\n', 'data.json': data }, async (dir) => {
      const flags = ['-O', '1', '-e', 'foo/r', '-e', 'foo/s', '--debug', '-o', join(dir, 'o.tar.gz')];
      const { exit, stderr } = await runCommand('build', ...flags, dir);
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.stringMatching(/^foo\/r is not optimized: .*\n$/) });
      const { stdout } = await runCommand('inspect', '-f', 'json', join(dir, 'o.tar.gz'));
      expect(JSON.parse(stdout).namespaces['data.foo']).toEqual([expect.stringContaining('optimized'), expect.stringContaining('p.rego')]);
    });
  });
});

describe('a plan grows to twice its statements at most', () => {
  const bodies = Array.from({ length: 8 }, (_, i) => `ok(x) if x == ${i}`).join('\n');
  const files = {
    'p.rego': `package t\nallow if { ok(input.a); ok(input.b); ok(input.n) }\ndeny if { not ok(input.a); input.b == 1 }\n${bodies}\n`,
  };
  const sizeOf = async (dir: string, ...flags: readonly string[]) => {
    const out = join(dir, 'plan.json');
    await runCommand('build', '-t', 'plan', '-e', 't/allow', '-e', 't/deny', ...flags, '-o', out, join(dir, 'p.rego'));
    return countStatements(JSON.parse(readFileSync(out, 'utf8')) as Policy);
  };

  test.each(['1', '2'])('-O %s', async (level) => {
    await withFiles(files, async (dir) => {
      expect(await sizeOf(dir, '-O', level)).toBeLessThanOrEqual(2 * (await sizeOf(dir)));
    });
  });

  test('unless another limit is given', async () => {
    await withFiles(files, async (dir) => {
      const plain = await sizeOf(dir);
      expect(await sizeOf(dir, '-O', '2', '--max-growth', '0')).toBeGreaterThan(10 * plain);
      expect(await sizeOf(dir, '-O', '2', '--max-growth', '1')).toBeLessThanOrEqual(plain);
    });
  });

  test.each(['t/allow', 't/deny'])('%s decides alike', (entrypoint) => expectSameDecisions(files, entrypoint, ['-t', 'plan']));

  test.each(['-1', '0.5'])('a limit of %s is refused', async (limit) => {
    expect(await runCommand('build', '-O', '2', `--max-growth=${limit}`, 'x')).toMatchObject({ exit: 1 });
  });
});
