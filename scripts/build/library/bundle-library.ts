import { join } from 'node:path';
import { type BuildOptions, type Metafile, transform } from 'esbuild';
import { codeStyle } from '../bundle.js';
import { type Packages, packageModules, packagesBeside, withPackages } from './packages.js';
import { withSharedHelpers } from './shared-helpers.js';
import { shortLines } from './short-lines.js';
import { type BuiltFile, commonJs, type Module, splitModules } from './split-modules.js';

/**
 * Bundles the library's entries. They share chunks, and modules that are loaded on demand have
 * their own chunks. Node and test runners get CommonJS for both `import` and `require`: a second
 * copy would have its own classes, and `instanceof` would fail between the two. Bundlers choose the
 * ES modules in `esm/` by the condition `module`, for both as well.
 */
export async function bundleLibrary(dist: string, packages: Packages, options: BuildOptions): Promise<Split> {
  const used = new Set<string>();
  const plugins = [packagesBeside(packages, used)];
  const split = await splitModules(dist, { ...options, plugins, chunkNames: 'chunks/[name]-[hash]' });
  const modules = split.modules.map(withPackages);
  const plain = await Promise.all(
    modules.map((module) =>
      commonJs({ ...module, text: namedClasses(module.text) }, { ...options, minifyWhitespace: false }),
    ),
  );
  const scripts = await Promise.all(withSharedHelpers(plain, 'chunks/helpers.js').map(readable));
  const esm = await Promise.all([...modules, ...packageModules(packages, used)].map((module) => minified(module)));
  return {
    files: [...scripts, ...esm, { path: 'esm/package.json', contents: '{ "type": "module" }\n' }],
    metafile: split.metafile,
  };
}

/**
 * A chunk in CommonJS, minified but for what a stack trace shows: the names at the top of modules,
 * and short lines.
 */
async function readable({ path, contents }: { readonly path: string; readonly contents: string }): Promise<BuiltFile> {
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

/** An ES module for bundlers, which name things anew anyway, in long lines. */
async function minified({ path, text }: Module): Promise<BuiltFile> {
  const { code } = await transform(text, { ...codeStyle, minifyIdentifiers: true, format: 'esm' });
  return { path: join('esm', path), contents: code };
}
