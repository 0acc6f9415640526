import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { bundle } from './bundle.js';
import type { BuiltFile } from './library/split-modules.js';

/**
 * Bundles entries for browsers, workers and edge runtimes, as ES modules: one for each to start
 * with, and chunks that they share and load when they are first needed.
 * @param entries the entry points that have declarations
 */
export async function bundleBrowser(
  dist: string,
  entries: Readonly<Record<string, string>>,
  options: BuildOptions,
): Promise<{ files: BuiltFile[]; metafile: Metafile }> {
  const outdir = join(dist, 'browser');
  const { files, metafile } = await bundle({
    ...options,
    outdir,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    splitting: true,
    chunkNames: '[name]-[hash]',
    minifyIdentifiers: true,
    conditions: ['browser'],
    plugins: [rowsOnDemand, withoutPacks],
  });
  const scripts = files.map(({ path, text }) => ({ path: join('browser', relative(outdir, path)), contents: text }));
  return { files: [...scripts, ...besideScripts(entries, options.absWorkingDir ?? '')], metafile };
}

/** The declarations of ES modules, unlike those in `types/`. */
function besideScripts(entryPoints: Readonly<Record<string, string>>, absWorkingDir: string): readonly BuiltFile[] {
  const declarations = Object.entries(entryPoints).map(([name, source]) => {
    const from = `from '../types/${source.replace(/\.ts$/, '.js')}';\n`;
    // `export *` leaves it out.
    const hasDefault = /^export default /m.test(readFileSync(join(absWorkingDir, source), 'utf8'));
    return { path: `browser/${name}.d.ts`, contents: `export * ${from}${hasDefault ? `export { default } ${from}` : ''}` };
  });
  return [{ path: 'browser/package.json', contents: '{ "type": "module", "sideEffects": false }\n' }, ...declarations];
}

/** The registry that loads a family of built-ins when a policy calls one of them. */
const rowsOnDemand: Plugin = {
  name: 'rows-on-demand',
  setup({ onResolve, initialOptions: { absWorkingDir = '' } }) {
    onResolve({ filter: /\/registry\.js$/ }, ({ path, resolveDir }) => {
      const isRegistry = join(resolveDir, path) === join(absWorkingDir, 'builtins/registry.js');
      return isRegistry ? { path: join(absWorkingDir, 'builtins/web/registry-on-demand.ts') } : undefined;
    });
  },
};

/**
 * A message to a worker copies values, so a program is not packed for it: the value itself stands
 * for its bytes.
 */
const withoutPacks: Plugin = {
  name: 'without-packs',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^msgpackr\/pack$/ }, () => ({ path: 'packs', namespace: 'absent' }));
    onLoad({ filter: /.*/, namespace: 'absent' }, () => ({
      contents: 'export class Packr { pack(value) { return value; } unpack(value) { return value; } }',
    }));
  },
};
