import { dirname, join, relative } from 'node:path';
import { type BuildOptions, type Metafile, transform } from 'esbuild';
import { bundle, codeStyle, scriptStyle } from './bundle.js';
import { plainExports } from './plain-exports.js';
import { shortLines } from './short-lines.js';

/** A file to write, with its path relative to dist/. */
export interface BuiltFile {
  readonly path: string;
  readonly contents: string | Uint8Array;
}

/**
 * Bundles the library's entries. They share chunks, and modules that are loaded on demand have
 * their own chunks. Node and test runners get CommonJS for both `import` and `require`: a second
 * copy would have its own classes, and `instanceof` would fail between the two. Bundlers choose the
 * ES modules in `esm/` by the condition `module`, for both as well.
 */
export async function bundleLibrary(dist: string, options: BuildOptions): Promise<Split> {
  const { modules, metafile } = await splitModules(dist, { ...options, chunkNames: 'chunks/[name]-[hash]' });
  const scripts = await Promise.all(modules.map((module) => readable(module, options)));
  const esm = await Promise.all(modules.map((module) => minified(module)));
  return { files: [...scripts, ...esm, { path: 'esm/package.json', contents: '{ "type": "module" }\n' }], metafile };
}

/**
 * A chunk as CommonJS, minified but for what a stack trace shows: the names at the top of modules,
 * and short lines.
 */
async function readable(module: Module, options: BuildOptions): Promise<BuiltFile> {
  const { path, contents } = await commonJs({ ...module, text: namedClasses(module.text) }, { ...options, minifyWhitespace: false });
  // Without a format, esbuild keeps the names at the top, which other scripts could use.
  const { code } = await transform(contents, { ...codeStyle, minifyIdentifiers: true, minifySyntax: false });
  // The names that Node reads for `import` are in code that never runs, and is dropped.
  const [names = ''] = /^0 && \(module\.exports = \{[^}]*\}\);/m.exec(contents) ?? [];
  return { path, contents: `${shortLines(code)}${names.replaceAll(/\n */g, '')}\n` };
}

/**
 * Gives names to classes. Of one with a static member that names the class, esbuild makes an
 * expression with an inner name, which is shortened.
 */
function namedClasses(module: string): string {
  return module.replace(
    /(?<=^var |^\}, )([\w$]+) = class _\1 (?:extends [^{\n]+ )?\{$/gm,
    '$& static { Object.defineProperty(this, "name", { value: "$1", configurable: true }); }',
  );
}

interface Split {
  /** With paths relative to the output's folder. */
  readonly files: readonly BuiltFile[];
  readonly metafile: Metafile;
}

/** Bundles entries that share chunks, as CommonJS. */
export async function bundleSplit(outdir: string, options: BuildOptions): Promise<Split> {
  const { modules, metafile } = await splitModules(outdir, options);
  const files = await Promise.all(modules.map((module) => commonJs(module, { lineLimit: scriptStyle.lineLimit, ...options })));
  return { files, metafile };
}

interface Module {
  /** Relative to the output's folder. */
  readonly path: string;
  readonly text: string;
}

interface SplitModules {
  readonly modules: readonly Module[];
  readonly metafile: Metafile;
}

/** Bundles entries that share chunks, as ES modules: esbuild splits only these. */
async function splitModules(outdir: string, options: BuildOptions): Promise<SplitModules> {
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

/** An ES module for bundlers, which name things anew anyway, in long lines. */
async function minified({ path, text }: Module): Promise<BuiltFile> {
  const { code } = await transform(text, { ...codeStyle, minifyIdentifiers: true, format: 'esm' });
  return { path: join('esm', path), contents: code };
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

/** Converts a chunk to CommonJS. */
async function commonJs(
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
