import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const entries = [
  'ir-schema/validate.ts',
  'values/builtins/registry.ts',
  'engine/engine.ts',
  'library/library-engine.ts',
  'compiler/index.ts',
];

// Unlike check-sources, this follows the imports of packages too.
test.each(entries.filter((entry) => existsSync(join(root, entry))))('%s bundles for a browser, without a module of Node', async (entry) => {
  const { metafile } = await build({
    entryPoints: [entry],
    absWorkingDir: root,
    outdir: 'out',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    metafile: true,
    logLevel: 'silent',
  });
  const left = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
  expect(left).toEqual([]);
});
