import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compile } from '../compile.js';
import { commandModules, packageImports } from './command-modules.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writ-command-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

type Texts = Readonly<Record<string, string>>;

function compiled(sources: Texts): ReadonlyMap<string, string> {
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return compile(root, ['cli/main.ts']);
}

/** The scripts of a command, by their paths. */
async function scripts(sources: Texts): Promise<Texts> {
  const files = await commandModules('cli/main.ts', compiled(sources), { define: { TWO: '2' } });
  return Object.fromEntries(files.map(({ path, contents }) => [path, String(contents)]));
}

/** Runs scripts as the loader does: a module when one of its exports is read. */
function runner(files: Texts, given: Readonly<Record<string, object>> = {}) {
  const loaded: string[] = [];
  const known = new Map<string, object>();
  const all = (name: string): object => {
    const exports = given[name] ?? known.get(name) ?? {};
    if (given[name] !== undefined || known.has(name)) return exports;
    known.set(name, exports);
    loaded.push(name);
    new Function('exports', 'require', files[name]!)(exports, require);
    return exports;
  };
  const require = Object.assign((name: string) => new Proxy({}, { get: (_, member) => Reflect.get(all(name), member) }), { all });
  return { loaded, run: () => all('cli/main.js') as Record<string, unknown> };
}

test('each module that may be loaded is a script, and JSON is one', async () => {
  const files = await scripts({
    'cli/main.ts': "import { a } from './a.js';\nimport type { B } from './types.js';\nvoid import('./b.js');\nexport const b: B = a;",
    'cli/a.ts': "import json from '../a.json' with { type: 'json' };\nexport const a = json;",
    'cli/b.ts': 'export const b = 1;',
    'cli/types.ts': 'export type B = object;',
    'cli/elsewhere.ts': 'export const c = 1;',
    'a.json': '{ "a": 1 }',
  });
  expect(Object.keys(files).sort()).toEqual(['a.json', 'cli/a.js', 'cli/b.js', 'cli/main.js']);
  const { run, loaded } = runner(files);
  expect(run().b).toEqual({ a: 1 });
  expect(loaded).toEqual(['cli/main.js', 'cli/a.js', 'a.json']);
});

test("naming a function of a built-in's library does not load it, but calling it", async () => {
  const files = await scripts({
    'cli/main.ts':
      "import { limit, parse, Url } from '../values/builtins/lib/url/url.js';\nexport const rows = [parse, () => limit, () => new Url().text];",
    'values/builtins/lib/url/url.ts':
      'export function parse(text: string) { return text.concat("!"); }\nexport const limit = 3;\nexport class Url { readonly text = "u"; }',
  });
  const { run, loaded } = runner(files);
  const { rows } = run() as { rows: readonly ((text: string) => unknown)[] };
  expect(loaded).toEqual(['cli/main.js', 'values/builtins/lib/url/url-calls.js']);
  expect(rows.map((row) => row('a'))).toEqual(['a!', 3, 'u']);
});

test.each<[what: string, main: string, other: string, loaded: boolean, result: unknown]>([
  ['a name', "import { a } from './a.js';\nexport const result = () => a;", 'export const a = 1;', false, 1],
  ['a name that is exported again', "export { a as result } from './a.js';", 'export const a = 1;', false, 1],
  ['a default export', "import a from './a.js';\nexport const result = () => a;", 'export default 1;', false, 1],
  [
    'a variable that changes',
    "import { a, next } from './a.js';\nexport const result = () => { next(); return a; };",
    'export let a = 1; export const next = () => a++;',
    false,
    2,
  ],
  [
    'a namespace',
    "import * as a from './a.js';\nexport const result = () => Object.keys(a);",
    'export const a = 1, b = 2;',
    true,
    ['a', 'b'],
  ],
  [
    'effects',
    "import './a.js';\nexport const result = () => Reflect.get(globalThis, 'effect');",
    "Reflect.set(globalThis, 'effect', 1);\nexport {};",
    true,
    1,
  ],
  ['import()', "export const result = async () => Object.keys(await import('./a.js'));", 'export const a = 1;', false, ['a']],
  [
    'a definition of the build',
    "declare const TWO: number;\nimport { a } from './a.js';\nexport const result = () => a + TWO;",
    'export const a = 1;',
    false,
    3,
  ],
])('a module is loaded when it is needed: imported for %s', async (_, main, other, isLoaded, result) => {
  const { run, loaded } = runner(await scripts({ 'cli/main.ts': main, 'cli/a.ts': other }));
  const exports = run();
  expect(loaded.includes('cli/a.js')).toBe(isLoaded);
  expect(await (typeof exports.result === 'function' ? exports.result() : exports.result)).toEqual(result);
});

test('functions are exported before anything of a module runs', async () => {
  const main = "import { seen } from './a.js';\nexport const result = seen;\nexport function early() { return 1; }";
  const other = "import { early } from './main.js';\nexport const seen = early();";
  expect(runner(await scripts({ 'cli/main.ts': main, 'cli/a.ts': other })).run().result).toBe(1);
});

test('the code is strict', async () => {
  const files = await scripts({ 'cli/main.ts': 'export const strict = (function (this: unknown) { return this === undefined; })();' });
  expect(runner(files).run().strict).toBe(true);
});

test('all exports of another module are refused', async () => {
  await expect(scripts({ 'cli/main.ts': "export * from './a.js';", 'cli/a.ts': 'export const a = 1;' })).rejects.toThrow(/no __exportStar/);
});

test('imports of packages have their names, or all', () => {
  const sources = {
    'cli/main.ts':
      "import a from 'default';\nimport { b as c, type D } from 'one';\nimport * as d from 'two';\nimport('three');\nimport './a.js';\nexport const all: D = [a, c, d];",
    'cli/a.ts': "export { e } from 'four';\nimport { join } from 'node:path';\nexport const path = join('a');",
  };
  expect(packageImports(['cli/main.ts'], compiled(sources))).toEqual([
    { from: 'default', names: ['default'] },
    { from: 'one', names: ['b'] },
    { from: 'two', names: undefined },
    { from: 'three', names: undefined },
    { from: 'four', names: ['e'] },
  ]);
});
