import { basename, relative } from 'node:path';
import { type BuildOptions, type LogLevel, type Metafile, transform } from 'esbuild';
import { bundle, codeStyle } from './bundle.js';

/** A file to write, with its path below dist/. */
export interface BuiltFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

/**
 * Bundles the library's entries. They share chunks, and parts that are loaded later have chunks of their own. The output is CommonJS, for `import` and for `require` alike:
 * a second copy as ES modules would have classes of its own, and `instanceof` would fail between the two. Jest loads nothing but CommonJS by default.
 */
export async function bundleLibrary(
  dist: string,
  options: BuildOptions,
): Promise<{ readonly files: readonly BuiltFile[]; readonly metafile: Metafile }> {
  const { files, metafile } = await bundle({
    ...options,
    outdir: dist,
    // esbuild splits only ES modules.
    format: 'esm',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: 'inline',
    // The second step does it.
    minifyWhitespace: false,
  });
  checkDynamicImports(metafile);
  const chunks = await Promise.all(files.map(({ path, text }) => commonJs(relative(dist, path), text, options.logLevel)));
  return { files: chunks.flat(), metafile };
}

/**
 * Throws if a chunk would export other names than its importer reads: of a CommonJS module that has a chunk of its own, esbuild exports nothing but `default`.
 */
export function checkDynamicImports({ inputs }: Metafile): void {
  for (const [path, { imports }] of Object.entries(inputs)) {
    const lost = imports.find((found) => found.kind === 'dynamic-import' && inputs[found.path]?.format === 'cjs');
    if (lost !== undefined) {
      throw new Error(`${path} would lose the names of ${lost.path}, which is CommonJS: export them from an ES module, and import() that`);
    }
  }
}

/** A chunk as CommonJS, with its source map. Names stay as they are, for stack traces. */
async function commonJs(path: string, module: string, logLevel: LogLevel = codeStyle.logLevel): Promise<BuiltFile[]> {
  const { code, map } = await transform(module, {
    ...codeStyle,
    logLevel,
    format: 'cjs',
    sourcemap: 'external',
    sourcefile: path,
    define: { 'import.meta.dirname': '__dirname' },
    // esbuild would make an empty object of any other `import.meta`.
    logOverride: { 'empty-import-meta': 'error' },
    // `import()` becomes `require`: Jest knows no `import()` by default.
    supported: { 'dynamic-import': false },
  });
  return [
    { path, contents: `${code}//# sourceMappingURL=${basename(path)}.map\n` },
    { path: `${path}.map`, contents: map },
  ];
}
