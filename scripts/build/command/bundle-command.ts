import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { scriptStyle } from '../bundle.js';
import type { BuiltFile } from '../library/split-modules.js';

/**
 * The command: `main.js`, which loads the scripts of its modules and packages
 * (`launcher.cjs` and `loader.cjs`).
 */
export async function bundleCommand(
  modules: readonly BuiltFile[],
  packages: readonly BuiltFile[],
): Promise<readonly BuiltFile[]> {
  const files = [...modules, { path: 'loader.js', contents: await short(sourceOf('loader.cjs')) }];
  const launcher = await short(sourceOf('launcher.cjs').replace('BUILD', digest([...files, ...packages])));
  const scripts = files.map(({ path, contents }) => ({ path: join('command', path), contents }));
  return [...scripts, { path: 'main.js', contents: launcher }];
}

function sourceOf(script: string): string {
  return readFileSync(join(import.meta.dirname, script), 'utf8');
}

/** Each start compiles the launcher. */
async function short(source: string): Promise<string> {
  return (await transform(source, { ...scriptStyle, minifyIdentifiers: true, format: 'cjs' })).code;
}

function digest(files: readonly BuiltFile[]): string {
  const hash = createHash('sha256');
  for (const { contents } of files) hash.update(contents);
  return hash.digest('hex').slice(0, 16);
}
