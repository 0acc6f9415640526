import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, type Metafile, transform } from 'esbuild';
import { scriptStyle } from '../bundle.js';
import type { BuiltFile } from '../bundle-library.js';
import { commandModules } from './command-modules.js';

/**
 * The command as scripts in `command/`, and `main.js`, which loads them
 * (`launcher.cjs` and `loader.cjs`).
 */
export async function bundleCommand(
  entry: string,
  options: BuildOptions,
): Promise<{ readonly files: readonly BuiltFile[]; readonly metafile: Metafile }> {
  const { files: modules, metafile } = await commandModules(entry, options);
  const files = [...modules, { path: 'loader.js', contents: await short(sourceOf('loader.cjs')) }];
  const launcher = await short(sourceOf('launcher.cjs').replace('BUILD', digest(files)));
  const scripts = files.map(({ path, contents }) => ({ path: join('command', path), contents }));
  return { files: [...scripts, { path: 'main.js', contents: launcher }], metafile };
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
