import { expect, test } from 'vitest';
import { EsModule } from './lazy-module.js';

/** The exports of a module; those of others are in `modules`, by specifier. */
async function run(text: string, modules: Readonly<Record<string, object>> = {}): Promise<Record<string, unknown>> {
  const code = await new EsModule(text).lazy((specifier) => `at ${specifier}`);
  const exports = {};
  const load = (name: string) => modules[name.slice(3)];
  new Function('exports', 'require', code)(exports, load);
  return exports;
}

test('imports of all kinds are members of what require returns, read when they are used', async () => {
  const read: string[] = [];
  const a = {
    get one() {
      read.push('one');
      return 1;
    },
    get two() {
      read.push('two');
      return 2;
    },
  };
  const text = `import { one, two as other } from './a.js';
    import * as all from './b.js';
    import main from './c.json' with { type: 'json' };
    export const sum = () => one + other + all.three + main.four;
    export { one as again };`;
  const exports = await run(text, { './a.js': a, './b.js': { three: 3 }, './c.json': { default: { four: 4 } } });
  expect(read).toEqual(['one']);
  expect((exports.sum as () => number)()).toBe(10);
  expect(Object.keys(exports)).toEqual(['sum', 'again']);
});

test('functions are exported before anything of the module runs', async () => {
  const seen: unknown[] = [];
  const text = `import { note } from './note.js'; note(); function early() { return 1; } export class Late {} export { early };`;
  const modules = { './note.js': { note: () => seen.push(1) } };
  const exports = await run(text, modules);
  expect(Object.keys(exports)).toEqual(['early', 'Late']);
  expect(new EsModule(text).exports()).toEqual({ functions: ['early'], others: ['Late'] });
});

test('import() gives the exports of a module', async () => {
  const exports = await run("export const load = async () => (await import('./a.js')).a;", { './a.js': { a: 1 } });
  expect(await (exports.load as () => Promise<number>)()).toBe(1);
});

test('imports are listed with their names', () => {
  const module = new EsModule(`import a, { b as c } from './a.js'; import * as d from 'd'; export { e } from './e.js'; import('f');`);
  expect(module.imports()).toEqual([
    { from: './a.js', names: ['default', 'b'] },
    { from: 'd', names: undefined },
    { from: './e.js', names: ['e'] },
    { from: 'f', names: undefined },
  ]);
});

test.each([
  ['a default export', 'export default 1;', /has no name/],
  ['all exports of another module', "export * from './a.js';", /has no name/],
  ['a variable that may change', 'export let a = 1;', /must be constant/],
  ['an import for its effects', "import './a.js';", /nothing would load it/],
  ['a namespace that is not only read', "import * as a from './a.js'; export const keys = Object.keys(a);", /read its members/],
])('%s is refused', async (_, text, complaint) => {
  await expect(run(text)).rejects.toThrow(complaint);
});

test('the code is strict', async () => {
  expect((await run('export const strict = (function () { return this === undefined; })();')).strict).toBe(true);
});
