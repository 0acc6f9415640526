import { basename, dirname, relative } from 'node:path';
import { type BuildOptions, type Metafile, transform } from 'esbuild';
import { bundle, codeStyle } from './bundle.js';
import { plainExports } from './plain-exports.js';

/** A file to write, with its path relative to dist/. */
export interface BuiltFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

/**
 * Bundles the library's entries. They share chunks, and modules that are loaded on demand have
 * their own chunks. The output is CommonJS, for both `import` and `require`: a second copy as ES
 * modules would have its own classes, and `instanceof` would fail between the two. By default, Jest
 * loads only CommonJS.
 */
export async function bundleLibrary(dist: string, options: BuildOptions): Promise<Split> {
  return await bundleSplit(dist, { ...options, chunkNames: 'chunks/[name]-[hash]' });
}

interface Split {
  /** With paths relative to the output's folder. */
  readonly files: readonly BuiltFile[];
  readonly metafile: Metafile;
}

/** Bundles entries that share chunks, as CommonJS. */
export async function bundleSplit(outdir: string, options: BuildOptions): Promise<Split> {
  const { files, metafile } = await bundle({
    ...options,
    outdir,
    // esbuild splits only ES modules into chunks.
    format: 'esm',
    splitting: true,
    sourcemap: 'inline',
    // The second step minifies.
    minifyWhitespace: false,
  });
  checkDynamicImports(metafile);
  const chunks = await Promise.all(files.map(({ path, text }) => commonJs(relative(outdir, path), text, options)));
  return { files: chunks.flat(), metafile };
}

/**
 * Throws if a chunk lacks exports that its importer reads: for a CommonJS module with its own
 * chunk, esbuild exports nothing but `default`.
 */
function checkDynamicImports({ inputs }: Metafile): void {
  for (const [path, { imports }] of Object.entries(inputs)) {
    const lost = imports.find((found) => found.kind === 'dynamic-import' && inputs[found.path]?.format === 'cjs');
    if (lost !== undefined) {
      throw new Error(`${path} would lose the names of ${lost.path}, which is CommonJS: export them from an ES module, and import() that`);
    }
  }
}

/** Converts a chunk to CommonJS, with its source map. */
async function commonJs(
  path: string,
  module: string,
  { logLevel = codeStyle.logLevel, minifyIdentifiers = false }: BuildOptions,
): Promise<BuiltFile[]> {
  const isChunk = dirname(path) !== '.';
  const { code, map } = await transform(module, {
    ...codeStyle,
    logLevel,
    minifyIdentifiers,
    format: 'cjs',
    sourcemap: 'external',
    sourcefile: path,
    define: { 'import.meta.dirname': '__dirname' },
    // esbuild would replace any other `import.meta` by an empty object.
    logOverride: { 'empty-import-meta': 'error' },
    // `import()` becomes `require`, since Jest does not support `import()` by default.
    supported: { 'dynamic-import': false },
  });
  return [
    { path, contents: `${code}${isChunk ? plainExports(module) : ''}//# sourceMappingURL=${basename(path)}.map\n` },
    { path: `${path}.map`, contents: map },
  ];
}
