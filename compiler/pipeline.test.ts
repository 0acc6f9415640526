import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { conformanceFolder } from '../test/conformance/cases.js';
import { compileTexts, expectCompiled } from '../test/harness/complaints.js';
import { expectBoundedWork } from '../test/harness/cpu-time.js';
import type { Diagnostic } from './diagnostics/diagnostics.js';
import { CompileErrors } from './diagnostics/diagnostics.js';
import { compileModules, compileOrThrow, compileQuery, stages } from './pipeline.js';
import { queryStages } from './query-stages.js';
import type { CompileOptions } from './resolve/compile-options.js';
import { parseModule } from './syntax/parse.js';
import { parseQuery } from './syntax/query.js';

const shared = join(conformanceFolder() ?? '', 'rego');

interface Case {
  readonly note: string;
  readonly modules?: readonly string[];
  readonly query: string;
  readonly want_error?: string;
  readonly want_error_code?: string;
}

function* yamlFiles(folder: string): Iterable<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* yamlFiles(path);
    else if (path.endsWith('.yaml')) yield path;
  }
}

function compileCase({ modules = [], query }: Case, regoVersion: 'v0' | 'v1'): readonly Diagnostic[] {
  try {
    const parsed = modules.map((text, i) => [`test-${i}.rego`, parseModule(`test-${i}.rego`, text, { regoVersion })] as const);
    const compiled = compileOrThrow({ modules: new Map(parsed) });
    return compileQuery(compiled, parseQuery(query, { regoVersion })).diagnostics;
  } catch (error) {
    if (error instanceof CompileErrors) return error.diagnostics;
    throw error;
  }
}

test.skipIf(conformanceFolder() === undefined).each(['v1', 'v0'] as const)(
  'the shared cases of %s compile, or fail as they want',
  (version) => {
    const wrong: string[] = [];
    for (const file of yamlFiles(join(shared, version))) {
      for (const each of (load(readFileSync(file, 'utf8')) as { cases: readonly Case[] }).cases) {
        // The conformance runner adds a built-in for this case.
        if (each.note === 'time/time caching') continue;
        const found = compileCase(each, version);
        if (found.length === 0) continue;
        const text = found.map(({ code, message }) => `${code}: ${message}`).join('\n');
        const wanted = each.want_error_code === found[0]!.code || (each.want_error !== undefined && text.includes(each.want_error));
        if (!wanted) wrong.push(`${each.note}: ${text}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);

test('each stage has a timer of its own, under the name of the reference', () => {
  const seen: string[] = [];
  const options = { onTimer: (name: string) => seen.push(name) };
  const compiled = compileModules({ modules: new Map([['a.rego', parseModule('a.rego', 'package a\n\np := 1')]]), options });
  expect(seen).toEqual(stages.map(({ timer }) => timer));
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen[0]).toBe('timer_compile_stage_resolve_refs_ns');
  seen.length = 0;
  compileQuery(compiled, parseQuery('data.a.p'));
  expect(seen).toEqual(queryStages.map(({ timer }) => timer));
});

test('a stage with complaints stops those after it', () => {
  const { diagnostics } = compileTexts(['p if { x := 1; x := 2; y > 1 }']);
  expect(diagnostics.map(({ message }) => message)).toEqual(['var x assigned above']);
});

test('errors are those of the first stage that has any, whatever module they are in', () => {
  const { diagnostics } = compileTexts(['package a\n\np if y > 1', 'package b\n\np if { x := 1; x := 2 }']);
  expect(diagnostics.map(({ message }) => message)).toEqual(['var x assigned above']);
});

test('parsed modules are not changed', () => {
  const text = 'package a\n\nimport data.b\n\np := y if { some x, y in b.c; print(x); y == f(x) + 1 }\nelse := 2\n\nf(x) := x';
  const module = parseModule('a.rego', text);
  const before = JSON.stringify(module.rules, (key, value) => (key === 'loc' ? undefined : value));
  compileModules({ modules: new Map([['a.rego', module]]) });
  expect(JSON.stringify(module.rules, (key, value) => (key === 'loc' ? undefined : value))).toBe(before);
});

test('a query uses the names of its package and imports', () => {
  const compiled = expectCompiled(['package a.b\n\np := 1', 'package c\n\nq := 2']);
  const { package: pkg } = parseModule('x', 'package a.b');
  const { imports } = parseModule('x', 'package x\n\nimport data.c as d\n');
  expect(compileQuery(compiled, parseQuery('p == d.q'), { package: pkg, imports }).diagnostics).toEqual([]);
  expect(compileQuery(compiled, parseQuery('p == d.q'), { imports }).diagnostics.map(({ message }) => message)).toEqual([
    'var p is unsafe',
  ]);
  expect(compileQuery(compiled, []).diagnostics.map(({ message }) => message)).toEqual(['empty query cannot be compiled']);
});

test('the deepest nesting that the parser accepts does not overflow the stack', () => {
  const depth = 150;
  expectCompiled(`p := ${'['.repeat(depth)}1${']'.repeat(depth)}`);
  expectCompiled(`p := ${'[x | x := '.repeat(depth)}1${']'.repeat(depth)}`);
  expectCompiled(`p := ${'count(['.repeat(90)}1${'])'.repeat(90)}`);
  expectCompiled(`p := ${Array.from({ length: 400 }, () => 'input.x').join(' + ')}`);
  const chain = Array.from({ length: 900 }, (_, i) => `else := ${i} if input.x == ${i}`).join('\n');
  expectCompiled(`p := 0 if input.x == -1\n${chain}`);
});

test.each([
  [
    'rules',
    (n: number) => Array.from({ length: n }, (_, i) => `p${i} if { x := data.t.p${i + 1}; x > count([y | y := input.a[_]]) }`).join('\n'),
  ],
  [
    'expressions',
    (n: number) => `p if {\n${Array.from({ length: n }, (_, i) => `x${i} := input.a${i}; x${i} > [1 | input.b][0]`).join('\n')}\n}`,
  ],
  ['members of a literal', (n: number) => `p := {\n${Array.from({ length: n }, (_, i) => `"k${i}": input.a${i} + 1`).join(',\n')}\n}`],
  ['rules of one name', (n: number) => Array.from({ length: n }, (_, i) => `p contains x if { x := input.a${i} + 1 }`).join('\n')],
  ['prints', (n: number) => `p if {\n${Array.from({ length: n }, (_, i) => `x${i} := ${i}; print(x${i})`).join('\n')}\n}`],
  ['template strings', (n: number) => `p if {\n${Array.from({ length: n }, (_, i) => `x${i} := $"{input.a${i}}"`).join('\n')}\n}`],
])('time grows with the number of %s, not with its square', async (_title, textOf) => {
  const modules = new Map([['a.rego', parseModule('a.rego', `package t\n${textOf(4000)}`)]]);
  await expectBoundedWork(() => expect(compileModules({ modules, options: { print: true } }).diagnostics).toEqual([]));
});

test('a package has more rules than a call can have arguments', () => {
  const text = `package t\n${Array.from({ length: 140_000 }, (_, i) => `p${i} := 1`).join('\n')}`;
  expect(compileTexts([text]).diagnostics).toEqual([]);
});

describe('errors of several stages', () => {
  const linesOf = (text: string, options: CompileOptions = { strict: true }): readonly string[] =>
    compileTexts([text], options).diagnostics.map(({ location, message }) => `${location?.row} ${message}`);

  test('of checks that change nothing, later stages report theirs too, in the order of lines', () => {
    const text = [
      'package t',
      'import data.a',
      'import data.a',
      'p if regex.match(1, "x")',
      'q if { x := input.x; input.y }',
      'f(y) if { some z; input.z }',
      'data if input.x',
    ].join('\n');
    expect(linesOf(text)).toEqual([
      '2 import data.a unused',
      '3 import data.a unused',
      '3 import must not shadow import data.a',
      '4 regex.match: invalid argument(s)',
      '5 assigned var x unused',
      '6 unused argument y. (hint: use _ (wildcard variable) instead)',
      '6 declared var z unused',
      '7 rules must not shadow data (use a different rule name)',
    ]);
  });

  test('another error ends the stages', () => {
    expect(linesOf('package t\nimport data.a\np if { x := 1; x := 2; regex.match(1, "x") }')).toEqual([
      '2 import data.a unused',
      '3 var x assigned above',
    ]);
  });

  test('the limit holds for all stages together', () => {
    const text = 'package t\np if upper(1)\nimport data.a\nimport data.b';
    expect(linesOf(text, { strict: true, errorLimit: 2 })).toEqual([
      '3 import data.a unused',
      '4 import data.b unused',
      'undefined error limit reached',
    ]);
  });
});
