import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleSplit } from './bundle-library.js';
import { modulesOnDemand } from './modules-on-demand.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'writ-on-demand-'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The log of a bundle of `index` with a library that is loaded on demand. */
async function run(index: string, library: string): Promise<readonly string[]> {
  const files = { 'src/index.ts': index, 'runtime/builtins/lib/url/url.ts': library };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const options: BuildOptions = {
    absWorkingDir: root,
    entryPoints: { index: 'src/index.ts' },
    plugins: [modulesOnDemand(root)],
    logLevel: 'silent',
  };
  const built = await bundleSplit(join(root, 'dist'), options);
  for (const { path, contents } of built.files) {
    mkdirSync(dirname(join(root, 'dist', path)), { recursive: true });
    writeFileSync(join(root, 'dist', path), contents);
  }
  writeFileSync(join(root, 'dist/package.json'), '{ "type": "commonjs" }');
  return (createRequire(import.meta.url)(join(root, 'dist/index.js')) as { log: readonly string[] }).log;
}

const library = `(globalThis as any).log?.push('loaded');
export function parse(text: string, ...more: string[]) { return [text, ...more].join(); }
export class Fault extends Error {}
export const limit = 3;
`;

test('a module is loaded when something of it is called, made or read; a function may be handed on before', async () => {
  const index = `import { Fault, limit, parse } from '../runtime/builtins/lib/url/url.js';
    export const log: unknown[] = ((globalThis as any).log = []);
    const rows = [parse];
    log.push('before', rows[0]!('a', 'b', 'c'), limit, new Fault() instanceof Error);
    delete (globalThis as any).log;`;
  expect(await run(index, library)).toEqual(['loaded', 'before', 'a,b,c', 3, true]);
});

test('a module that nothing uses is not loaded', async () => {
  const index = `import { parse } from '../runtime/builtins/lib/url/url.js';
    export const log: unknown[] = ((globalThis as any).log = []);
    export const rows = [parse];
    log.push('before');`;
  expect(await run(index, library)).toEqual(['before']);
});

test('exports that have no name in the text are refused', async () => {
  const index = "import { parse } from '../runtime/builtins/lib/url/url.js';\nparse('');";
  await expect(run(index, 'function parse() {}\nexport { parse };')).rejects.toThrow('cannot be loaded on demand');
});
