import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleLibrary } from './bundle-library.js';
import { bundlePackages } from './packages.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writ-library-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Bundles src/index.ts and src/other.ts into dist/. */
async function build(sources: Record<string, string>): Promise<void> {
  put('src/other.ts', 'export {};');
  for (const [path, text] of Object.entries(sources)) put(path, text);
  const dist = join(root, 'dist');
  const options = { absWorkingDir: root, entryPoints: { index: 'src/index.ts', other: 'src/other.ts' }, logLevel: 'silent' } as const;
  const { files } = await bundleLibrary(dist, await bundlePackages([], [], options), options);
  put('dist/package.json', '{ "type": "commonjs" }');
  for (const { path, contents } of files) put(join('dist', path), String(contents));
}

function run(code: string, type: 'module' | 'commonjs', ...flags: string[]): { readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [...flags, `--input-type=${type}`, '-'], { cwd: join(root, 'dist'), input: code, encoding: 'utf8' });
}

const sources = {
  'src/shared.ts': 'export class Shared {}\nexport let count = 0;\nexport function increase() { count += 1; }',
  'src/later.ts': "import { increase, Shared } from './shared.js';\nexport function later() { increase(); return new Shared(); }",
  'src/index.ts': `import { count, Shared } from './shared.js';
export { Shared };
export async function load() { return (await import('./later.js')).later() instanceof Shared && count === 1; }
export const folder = import.meta.dirname;`,
  'src/other.ts': "export { Shared } from './shared.js';",
};

test('entries share their parts, and later parts, however they are loaded', async () => {
  await build(sources);
  const shown = '[Shared === OtherShared, await load(), folder === process.cwd()]';
  const asModule = `import { folder, load, Shared } from './index.js'; import { Shared as OtherShared } from './other.js'; console.log(${shown});`;
  expect(run(asModule.replaceAll("'./", `'${root}/dist/`), 'module').stdout).toBe('[ true, true, true ]\n');
  const asScript = `const { folder, load, Shared } = require('./index.js'); const { Shared: OtherShared } = require('./other.js');
    (async () => console.log(${shown}))();`;
  expect(run(asScript, 'commonjs').stdout).toBe('[ true, true, true ]\n');
});

test('an error shows a short line', async () => {
  const filler = Array.from({ length: 200 }, (_, i) => `export const filler${i} = () => [${i}, ${i}];`).join('\n');
  await build({ 'src/index.ts': `${filler}\nexport function fail(): never {\n  throw new Error('failed');\n}` });
  const lines = run("require('./index.js').fail()", 'commonjs').stderr.split('\n');
  expect(lines.find((line) => line.includes('throw '))!.length).toBeLessThan(300);
});

test('names of functions, methods and classes are shown', async () => {
  const failing = `class Shop {
  sell(item: Item): never {
    const check = (sold: Item) => { throw Object.assign(new Error('failed'), { sold }); };
    return check(item);
  }
}
class Item { static readonly none = new Item(); }
export function buy(): never { return new Shop().sell(Item.none); }`;
  await build({ 'src/index.ts': failing });
  const { stderr } = run("require('./index.js').buy()", 'commonjs');
  for (const shown of ['at Shop.sell ', '.buy ', 'sold: Item {}']) expect(stderr).toContain(shown);
});

test.each([
  ['a package of CommonJS', "export const load = async () => (await import('pack')).name;", /index\.ts would lose the names of .*pack/],
  ['a module of Node', "export const load = async () => (await import('node:http')).Agent;", /import node:http by a statement/],
])('%s is not loaded by import()', async (_title, index, complaint) => {
  put('node_modules/pack/index.js', "exports.name = 'pack';");
  await expect(build({ 'src/index.ts': index })).rejects.toThrow(complaint);
});

test('features of ES modules alone are rejected', async () => {
  await expect(build({ 'src/index.ts': 'export const url = import.meta.url;' })).rejects.toThrow(/import\.meta/);
});
