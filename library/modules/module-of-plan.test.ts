import { writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { requestsFor } from '../../compiler/entrypoints.js';
import { compileOrThrow } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import { parseModule } from '../../compiler/syntax/parse.js';
import { withFiles } from '../../test/harness/command.js';
import { builtins } from '../../values/builtins/registry.js';
import { moduleOfPlan } from './module-of-plan.js';
import { rulesOfPackage } from './package-rules.js';
import { readModuleUnits } from './units-file.js';

const units = readModuleUnits();

/** A module of the rules of `package a.b`. */
function moduleOf(text: string, others: Readonly<Record<string, string>> = {}, live?: string) {
  const texts = new Map(Object.entries({ 'p.rego': text, ...others }));
  const modules = new Map([...texts].map(([name, each]) => [name, parseModule(name, each, {})]));
  const compiled = compileOrThrow({ modules, options: { print: true } });
  const path = ['a', 'b'];
  const { entrypoints } = rulesOfPackage(compiled, path);
  return moduleOfPlan(plan(compiled, requestsFor(entrypoints)), compiled, {
    entrypoints,
    package: path,
    data: {},
    revision: undefined,
    format: 'es',
    title: 'a module',
    units,
    builtins,
    sources: texts,
    live,
  });
}

async function imported(directory: string, name: string, text: string): Promise<Record<string, unknown>> {
  const path = join(directory, name);
  writeFileSync(path, text);
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}

test('the rules of a package are exports, without its functions and tests', async () => {
  const policy =
    'package a.b\n\nx := 1\n\ny contains 2\n\nf(n) := n\n\ntest_x if x == 1\n\nu.test_y if x == 1\n\nz.w.v := f(3)\n\ndelete := 4\n';
  const { text, declarations } = moduleOf(policy, { 'q.rego': 'package a.b\n\nq := 5', 'r.rego': 'package a.b.c\n\nr := 6' });
  await withFiles({}, async (directory) => {
    const module = (await imported(directory, 'm.mjs', text)) as Record<string, () => unknown>;
    const own = ['$EvaluationError', '$ModuleError', '$policy', 'default'];
    expect(Object.keys(module).sort()).toEqual([...own, 'delete', 'q', 'x', 'y', 'z'].sort());
    expect([module.x!(), module.y!(), module.z!(), module.q!(), module.delete!()]).toEqual([1, [2], { w: { v: 3 } }, 5, 4]);
  });
  expect(declarations).toContain('export declare function q(input?: unknown, options?: Options): 5;');
  expect(declarations).not.toMatch(/export declare \w+ (?:f|test_x|r|a)\b/);
});

test('each line of a module leads to its statement, the others of a function to its rule', () => {
  const policy = 'package a.b\n\nx contains y if {\n\tsome y in input.list\n\tstartswith(y, "p")\n\ty != "q"\n}\n\nz := count(x)\n';
  const { text, map } = moduleOf(policy);
  expect(text).not.toContain('//#');
  const found = new SourceMap({ ...map!, file: 'm.mjs', sourceRoot: '' });
  const rowsOf = (code: string) => {
    const lines = text.split('\n').flatMap((line, i) => (line.includes(code) ? [found.findEntry(i, 0)] : []));
    return [...new Set(lines.flatMap((entry) => ('originalSource' in entry ? [`${entry.originalSource}:${entry.originalLine + 1}`] : [])))];
  };
  expect(rowsOf('"list"')).toEqual(['p.rego:4']);
  expect(rowsOf('"p"')).toEqual(['p.rego:5']);
  expect(rowsOf('"q"')).toEqual(['p.rego:6']);
  expect(rowsOf('x.failed')).toEqual(['p.rego:3', 'p.rego:9']);
  expect(rowsOf('class ')).toEqual([]);
  expect(map!.sourcesContent).toEqual([policy]);
});

test('the functions of a module that is replaced decide as its newest version', async () => {
  const live = 'const $policy=globalThis.live=globalThis.live?.replace($first)??new $live($first);\n';
  const version = (n: number) => moduleOf(`package a.b\n\nx := [${n}, data.a.c]\n`, {}, live).text;
  await withFiles({}, async (directory) => {
    const first = (await imported(directory, '1.mjs', version(1))) as { x: () => unknown; $policy: { setData: (data: unknown) => void } };
    first.$policy.setData({ a: { c: 'mine' } });
    expect(first.x()).toEqual([1, 'mine']);
    await imported(directory, '2.mjs', version(2));
    expect(first.x()).toEqual([2, 'mine']);
    await imported(directory, '3.mjs', version(3));
    expect(first.x()).toEqual([3, 'mine']);
  });
});
