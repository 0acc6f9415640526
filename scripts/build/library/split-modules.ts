/** Entries bundled with the chunks that they share, and these as scripts. */
import { dirname, relative } from 'node:path';
import { type BuildOptions, type Metafile, transform } from 'esbuild';
import { bundle, codeStyle } from '../bundle.js';
import { plainExports } from './plain-exports.js';

/** A file to write, with its path relative to dist/. */
export interface BuiltFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

export interface Module {
  /** Relative to the output's folder. */
  readonly path: string;
  readonly text: string;
}

interface SplitModules {
  readonly modules: readonly Module[];
  readonly metafile: Metafile;
}

/** Bundles entries that share chunks, as ES modules: esbuild splits only these. */
export async function splitModules(outdir: string, options: BuildOptions): Promise<SplitModules> {
  const { files, metafile } = await bundle({
    ...options,
    outdir,
    format: 'esm',
    splitting: true,
    // A second step minifies.
    minifyWhitespace: false,
  });
  checkDynamicImports(metafile);
  return { modules: files.map(({ path, text }) => ({ path: relative(outdir, path), text })), metafile };
}

/**
 * Throws if a chunk lacks exports that its importer reads: for a CommonJS module with its own
 * chunk, esbuild exports nothing but `default`.
 */
function checkDynamicImports({ inputs }: Metafile): void {
  for (const [path, { imports }] of Object.entries(inputs)) {
    const lost = imports.find((found) => found.kind === 'dynamic-import' && inputs[found.path]?.format === 'cjs');
    if (lost !== undefined) {
      throw new Error(
        `${path} would lose the names of ${lost.path}, which is CommonJS: export them from an ES module, and import() that`,
      );
    }
  }
}

/** Converts a chunk to CommonJS. */
export async function commonJs(
  { path, text }: Module,
  { logLevel = codeStyle.logLevel, minifyIdentifiers = false, minifyWhitespace = true, lineLimit = 0 }: BuildOptions,
): Promise<BuiltFile & { readonly contents: string }> {
  const isChunk = dirname(path) !== '.';
  const { code } = await transform(text, {
    ...codeStyle,
    logLevel,
    minifyIdentifiers,
    minifyWhitespace,
    lineLimit,
    format: 'cjs',
    sourcefile: path,
    define: { 'import.meta.dirname': '__dirname' },
    // esbuild would replace any other `import.meta` by an empty object.
    logOverride: { 'empty-import-meta': 'error' },
    // `import()` becomes `require`, since Jest does not support `import()` by default.
    supported: { 'dynamic-import': false },
  });
  return { path, contents: `${code}${isChunk ? plainExports(text) : ''}` };
}
