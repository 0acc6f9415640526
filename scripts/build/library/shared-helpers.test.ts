import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { withSharedHelpers } from './shared-helpers.js';

async function script(path: string, module: string) {
  const { code } = await transform(module, { format: 'cjs', platform: 'node', sourcefile: path, supported: { 'dynamic-import': false } });
  return { path, contents: code };
}

const modules = {
  'index.js': 'import { two } from "./chunks/a.js"; export const three = two + 1; export const later = () => import("./chunks/b.js");',
  'chunks/a.js': 'export const one = 1, two = one + 1;',
  'chunks/b.js': 'export default 4;',
  'chunks/effect.js': 'globalThis.nothing = undefined;',
};

test('scripts share the helpers, and work as before', async () => {
  const scripts = await Promise.all(Object.entries(modules).map(([path, text]) => script(path, text)));
  const shared = withSharedHelpers(scripts, 'chunks/helpers.js');
  expect(shared.filter(({ contents }) => contents.includes('Object.getOwnPropertyNames')).map(({ path }) => path)).toEqual([
    'chunks/helpers.js',
  ]);
  expect(shared.find(({ path }) => path === 'chunks/a.js')!.contents).toMatch(
    /^"use strict";\nvar \{ __export, __toCommonJS \} = require\("\.\/helpers\.js"\);/,
  );
  const root = mkdtempSync(join(tmpdir(), 'writ-helpers-'));
  try {
    for (const { path, contents } of [...shared, { path: 'package.json', contents: '{ "type": "commonjs" }' }]) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), contents);
    }
    const index = createRequire(join(root, 'x.js'))('./index.js') as { three: number; later: () => Promise<{ default: number }> };
    expect({ ...index, later: (await index.later()).default }).toEqual({ three: 3, later: 4 });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('a script whose helpers no other has is refused', async () => {
  const first = await script('a.js', 'export const a = 1;');
  const other = { path: 'b.js', contents: first.contents.replaceAll('__export', '__expose') };
  expect(() => withSharedHelpers([first, other], 'helpers.js')).toThrow('b.js has helpers that a.js lacks: __expose');
});
