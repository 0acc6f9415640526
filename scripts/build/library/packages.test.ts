import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageImports } from '../command/command-modules.js';
import { compile } from '../compile.js';
import { bundleLibrary } from './bundle-library.js';
import { bundlePackages } from './packages.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writ-packages-'));
  put('node_modules/pack/package.json', '{ "name": "pack", "type": "module", "exports": "./index.js" }');
  put('node_modules/pack/index.js', "export default 'all'; export const used = 'one', unused = 'other', more = 'more';");
  put('node_modules/alone/index.js', "module.exports = 'of the library alone';");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The files of packages and library, by their paths; entries are `cli/main.ts` and `index.ts`. */
async function built(sources: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  put('index.ts', 'export {};');
  for (const [path, text] of Object.entries(sources)) put(path, text);
  const options = { absWorkingDir: root, logLevel: 'silent' } as const;
  const compiled = compile(root, ['cli/main.ts', 'index.ts']);
  const imports = (entry: string) => packageImports([entry], compiled);
  const packages = await bundlePackages(imports('cli/main.ts'), imports('index.ts'), options);
  const { files } = await bundleLibrary(join(root, 'dist'), packages, { ...options, entryPoints: { index: 'index.ts' } });
  const all = [...packages.scripts, ...files].map(({ path, contents }) => [path, String(contents)] as const);
  for (const [path, text] of all) put(join('dist', path), text);
  put('dist/package.json', '{ "type": "commonjs" }');
  return Object.fromEntries(all);
}

/** The exports of a script of dist/, or of one of its modules. */
async function exportsOf(path: string): Promise<Readonly<Record<string, unknown>>> {
  const { default: main, 'module.exports': script, ...names } = (await import(join(root, 'dist', path))) as Record<string, unknown>;
  return path.startsWith('esm/') ? { ...names, ...(main !== undefined && { default: main }) } : { ...(main as object) };
}

test('a package has the exports that are imported: by name, the default one, or all', async () => {
  await built({ 'cli/main.ts': "import { used } from 'pack';\nexport const a = used;" });
  expect(await exportsOf('packages/pack.js')).toEqual({ used: 'one' });
});

test.each([
  ['the default one', "import main from 'pack';\nexport const b = main;", { default: 'all', used: 'one' }],
  ['all', "import * as pack from 'pack';\nexport const b = pack.used;", { used: 'one', unused: 'other', more: 'more' }],
])('a package has the exports that other modules import: %s', async (_title, b, exports) => {
  await built({ 'cli/main.ts': "import { used } from 'pack';\nimport { b } from './b.js';\nexport const a = [used, b];", 'cli/b.ts': b });
  expect(await exportsOf('packages/pack.js')).toEqual(exports);
});

test('a script that is imported as a whole has all its exports', async () => {
  put('node_modules/whole/index.js', 'exports.one = 1;\nexports.two = 2;\n');
  await built({ 'cli/main.ts': "export const a = async () => (await import('whole')).one;" });
  expect(await exportsOf('packages/whole.js')).toMatchObject({ one: 1, two: 2 });
});

test('the library imports the packages of the command, and contains the others', async () => {
  const files = await built({
    'cli/main.ts': "import { used } from 'pack';\nexport const a = used;",
    'index.ts': "import alone from 'alone';\nexport const load = async () => [(await import('./later.js')).later, alone];",
    'later.ts': "import { more } from 'pack';\nexport const later = more;",
  });
  const holders = (text: string) => Object.keys(files).filter((path) => files[path]!.includes(text));
  expect(holders("'more'").concat(holders('"more"'))).toEqual(['packages/pack.js', 'esm/packages/pack.js']);
  expect(holders('of the library alone')).toEqual(['index.js', 'esm/index.js']);
  for (const index of ['index.js', 'esm/index.js'])
    expect(await ((await exportsOf(index)).load as () => Promise<unknown>)()).toEqual(['more', 'of the library alone']);
});

test('the library contains JSON of packages, whose imports have attributes', async () => {
  put('node_modules/pack/data.json', '{ "a": "of the file" }');
  put('node_modules/pack/package.json', '{ "name": "pack", "exports": { "./data.json": "./data.json" } }');
  const load = "export const load = async () => (await import('pack/data.json', { with: { type: 'json' } })).default;";
  await built({ 'cli/main.ts': load, 'index.ts': load });
  for (const index of ['index.js', 'esm/index.js'])
    expect(await ((await exportsOf(index)).load as () => Promise<unknown>)()).toEqual({ a: 'of the file' });
});

test('ES modules are made of the packages alone that the library imports', async () => {
  const files = await built({ 'cli/main.ts': "import { used } from 'pack';\nexport const a = used;" });
  expect(Object.keys(files)).toContain('packages/pack.js');
  expect(Object.keys(files).filter((path) => path.includes('esm/packages'))).toEqual([]);
});
