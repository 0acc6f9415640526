/**
 * The packages that the command and the library share, and the generated validator of plans: each
 * stands once as a script in `packages/`, and once as an ES module for bundlers.
 */
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions, Metafile, Plugin } from 'esbuild';
import { besidePrefix } from '../bundle.js';
import { isPeer } from '../entries.js';
import { shortLines } from './short-lines.js';
import { type BuiltFile, commonJs, type Module, splitModules } from './split-modules.js';

/** Names that modules import from a package; undefined for all. */
export interface Imported {
  readonly from: string;
  readonly names: readonly string[] | undefined;
}

export interface Packages {
  readonly names: ReadonlySet<string>;
  readonly scripts: readonly BuiltFile[];
  readonly modules: readonly Module[];
  readonly metafile: Metafile;
}

/** A module of the project that is treated as a package: it is large, and imports nothing. */
const generated = /^\.(\/generated\/validate-plan\.js)$/;

export function isPackage(specifier: string): boolean {
  return generated.test(specifier) || (!specifier.startsWith('.') && !specifier.startsWith('node:'));
}

/** The script of a package, from `dist/`. */
export function scriptOfPackage(specifier: string): string {
  return `packages/${fileOfPackage(specifier)}.js`;
}

function fileOfPackage(specifier: string): string {
  return generated.test(specifier) ? 'validate-plan' : specifier.replaceAll(/[^\w.-]/g, '-');
}

/**
 * Bundles the packages of the command, with the exports that command or library import.
 * @param command what the modules of the command import
 * @param library what those of the library import
 */
export async function bundlePackages(
  command: readonly Imported[],
  library: readonly Imported[],
  options: BuildOptions,
): Promise<Packages> {
  const uses = new Map(command.filter(({ from }) => isPackage(from)).map(({ from }) => [from, new Set<string>()]));
  for (const { from, names = ['*'] } of [...command, ...library]) for (const name of names) uses.get(from)?.add(name);
  const root = options.absWorkingDir!;
  const entries: Plugin = {
    name: 'package-entries',
    setup({ onResolve, onLoad, resolve }) {
      const fileOf = async (path: string) => (await resolve(path, { resolveDir: root, kind: 'import-statement' })).path;
      onResolve({ filter: /^package:/ }, ({ path }) => ({ path: path.slice('package:'.length), namespace: 'package' }));
      onLoad({ filter: /.*/, namespace: 'package' }, async ({ path }) => ({
        contents: packageEntry(path, await withNames(path, uses.get(path)!, fileOf)),
        resolveDir: root,
      }));
    },
  };
  const { modules, metafile } = await splitModules(join(root, 'packages'), {
    ...options,
    entryPoints: [...uses.keys()]
      .sort()
      .map((specifier) => ({ in: `package:${specifier}`, out: fileOfPackage(specifier) })),
    chunkNames: '[name]-[hash]',
    minifyIdentifiers: true,
    plugins: [entries],
  });
  const placed = modules
    .filter(({ path }) => path.endsWith('.js'))
    .map(({ path, text }) => ({ path: join('packages', path), text }));
  const scripts = await Promise.all(placed.map((module) => script(module, options)));
  return { names: new Set(uses.keys()), scripts, modules: placed, metafile };
}

async function script(module: Module, options: BuildOptions): Promise<BuiltFile> {
  const { path, contents } = await commonJs(module, { ...options, minifyIdentifiers: true });
  return { path, contents: shortLines(contents) };
}

/**
 * The names of a CommonJS package in the place of '*': a bundler knows them when the package runs,
 * and a script made of the bundle would have none. Node 23 and newer (the build has its own, see
 * `package.json`) mark such a package by an export with the name `module.exports`.
 * @param fileOf the file that the bundler takes: a package may have others for Node
 */
async function withNames(
  specifier: string,
  names: ReadonlySet<string>,
  fileOf: (specifier: string) => Promise<string>,
): Promise<ReadonlySet<string>> {
  if (!names.has('*') || generated.test(specifier) || specifier.endsWith('.json')) return names;
  const file = await fileOf(specifier);
  const exported = Object.keys((await import(pathToFileURL(file).href)) as object);
  if (!exported.includes('module.exports')) return names;
  const plain = exported.filter((name) => name !== 'module.exports' && name !== '__esModule');
  return new Set([...names, ...plain].filter((name) => name !== '*'));
}

/** A module with some exports of a package; all names but the default export are '*'. */
function packageEntry(specifier: string, names: ReadonlySet<string>): string {
  const from = JSON.stringify(specifier.replace(generated, './ir-schema$1'));
  if (specifier.endsWith('.json')) return `export { default } from ${from};`;
  const named = [...names].filter((name) => name !== '*').sort();
  const clauses = names.has('*')
    ? ['*', ...(names.has('default') ? ['{ default }'] : [])]
    : [`{ ${named.join(', ')} }`];
  return clauses.map((clause) => `export ${clause} from ${from};`).join('\n');
}

/**
 * Leaves the imports of packages to {@link withPackages}. Where a framework is a peer of an entry,
 * it is the project's; JSON stays, since its imports have attributes, which a script refuses.
 * @param used receives the scripts of the packages
 */
export function packagesBeside({ names }: Packages, used: Set<string>): Plugin {
  return {
    name: 'packages-beside',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ path, importer }) => {
        if (
          !names.has(path) ||
          path.endsWith('.json') ||
          importer.includes('/node_modules/') ||
          (importer.includes('/integrations/') && isPeer(path))
        )
          return undefined;
        const script = scriptOfPackage(path);
        used.add(script);
        return { path: besidePrefix + script, external: true, sideEffects: false };
      });
    },
  };
}

/** A module with its imports of packages by their paths. */
export function withPackages({ path, text }: Module): Module {
  return { path, text: text.replaceAll(`"${besidePrefix}`, `"${relative(dirname(path), '.') || '.'}/`) };
}

/** Packages as ES modules, with the parts that they share. */
export function packageModules({ modules }: Packages, scripts: ReadonlySet<string>): readonly Module[] {
  const needed = new Set(scripts);
  const found = new Map(modules.map((module) => [module.path, module]));
  for (const path of needed)
    for (const [, part] of found.get(path)!.text.matchAll(/(?:from |import[ (])"(\.\/[^"]+)"/g))
      needed.add(join(dirname(path), part!));
  return [...needed].map((path) => found.get(path)!);
}
