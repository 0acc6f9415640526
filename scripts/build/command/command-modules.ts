/** The modules of the command, and the packages that these import, as scripts that load lazily. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin, transform } from 'esbuild';
import { type BuiltFile, bundleSplit } from '../bundle-library.js';
import { inlinedOpcodes } from '../inline-opcodes.js';
import { EsModule, type Imported } from './lazy-module.js';

/** An import of a module, from esbuild's description. */
type Import = Metafile['inputs'][string]['imports'][number];

interface Scripts {
  readonly files: readonly BuiltFile[];
  readonly metafile: Metafile;
}

/**
 * Modules whose functions are rows of tables: naming such a function does not load its module, but
 * calling it.
 */
const called = /^builtins\/lib\/(?:glob|graphql|http|ip|json-schema|jwt|regex|template|time|url|x509)\//;

/** Scripts by the paths of their modules, such as `cli/main.js`. */
export async function commandModules(entry: string, options: BuildOptions): Promise<Scripts> {
  const root = options.absWorkingDir!;
  const inputs = await modulesFrom(entry, options);
  const packages = new Map<string, Set<string>>();
  const files: BuiltFile[] = [];
  for (const [path, { imports }] of Object.entries(inputs)) {
    const text = readFileSync(join(root, path), 'utf8');
    if (path.endsWith('.json')) {
      files.push({ path: scriptOf(path), contents: `exports.default=${JSON.stringify(JSON.parse(text))}` });
      continue;
    }
    const module = await moduleOf(path, text, options);
    for (const imported of module.imports()) if (isPackage(imported.from)) note(packages, imported);
    const place = (specifier: string) => placeOf(specifier, imports, path);
    files.push({ path: scriptOf(path), contents: await module.lazy(place) });
    if (called.test(path)) files.push({ path: callsOf(path), contents: forwarding(scriptOf(path), module) });
  }
  const bundled = await packageScripts(packages, options);
  return { files: [...files, ...bundled.files], metafile: bundled.metafile };
}

/** The modules of the repository that an entry may load. */
async function modulesFrom(entry: string, options: BuildOptions): Promise<Metafile['inputs']> {
  const { metafile } = await build({
    ...options,
    entryPoints: [entry],
    platform: 'node',
    format: 'esm',
    bundle: true,
    packages: 'external',
    metafile: true,
    write: false,
    outdir: 'out',
    splitting: true,
    logLevel: 'warning',
  });
  return metafile!.inputs;
}

async function moduleOf(path: string, text: string, { define = {} }: BuildOptions): Promise<EsModule> {
  const { code } = await transform(inlinedOpcodes(path, text), {
    loader: path.endsWith('.js') ? 'js' : 'ts',
    define: { ...define, 'import.meta.dirname': '__dirname' },
    format: 'esm',
    target: 'es2024',
    charset: 'ascii',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    logOverride: { 'empty-import-meta': 'error' },
  });
  return new EsModule(code);
}

function scriptOf(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

function callsOf(path: string): string {
  return path.replace(/\.ts$/, '-calls.js');
}

function isPackage(specifier: string): boolean {
  return !specifier.startsWith('.') && !specifier.startsWith('node:');
}

function placeOf(specifier: string, imports: readonly Import[], importer: string): string {
  if (specifier.startsWith('node:')) return specifier;
  if (isPackage(specifier)) return `packages/${packageFile(specifier)}.js`;
  const found = imports.find(({ original }) => original === specifier);
  if (found === undefined) throw new Error(`${importer}: ${specifier} is not among the modules of the command`);
  const isCalled = called.test(found.path) && dirname(found.path) !== dirname(importer);
  return isCalled ? callsOf(found.path) : scriptOf(found.path);
}

/** Exports that load a module when they are called or read, but not when a function is named. */
function forwarding(script: string, module: EsModule): string {
  const { functions, others } = module.exports();
  const forwarded = functions.map((name) => `exports.${name}=(...operands)=>called.${name}(...operands);`);
  const read = others.map((name) => `Object.defineProperty(exports,"${name}",{get:()=>called.${name}});`);
  return `"use strict";const called=require(${JSON.stringify(script)});${forwarded.join('')}${read.join('')}`;
}

/** Notes the names that are imported from a package; all names but the default export are '*'. */
function note(packages: Map<string, Set<string>>, { from, names = ['*'] }: Imported): void {
  const known = packages.get(from) ?? new Set();
  for (const name of names) known.add(name);
  packages.set(from, known);
}

/** A module with some exports of a package. */
function packageEntry(specifier: string, names: ReadonlySet<string>): string {
  const from = JSON.stringify(specifier);
  if (specifier.endsWith('.json')) return `export { default } from ${from};`;
  const named = [...names].filter((name) => name !== '*').sort();
  const clauses = names.has('*') ? ['*', ...(names.has('default') ? ['{ default }'] : [])] : [`{ ${named.join(', ')} }`];
  return clauses.map((clause) => `export ${clause} from ${from};`).join('\n');
}

function packageFile(specifier: string): string {
  return specifier.replaceAll(/[^\w.-]/g, '-');
}

/** Bundles packages, with the exports that are imported. */
async function packageScripts(packages: ReadonlyMap<string, ReadonlySet<string>>, options: BuildOptions): Promise<Scripts> {
  const entries: Plugin = {
    name: 'package-entries',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^package:/ }, ({ path }) => ({ path: path.slice('package:'.length), namespace: 'package' }));
      onLoad({ filter: /.*/, namespace: 'package' }, ({ path }) => {
        return { contents: packageEntry(path, packages.get(path)!), resolveDir: options.absWorkingDir! };
      });
    },
  };
  const { files, metafile } = await bundleSplit(join(options.absWorkingDir!, 'packages'), {
    ...options,
    entryPoints: [...packages.keys()].sort().map((specifier) => ({ in: `package:${specifier}`, out: packageFile(specifier) })),
    chunkNames: '[name]-[hash]',
    minifyIdentifiers: true,
    plugins: [entries],
  });
  const scripts = files.filter(({ path }) => path.endsWith('.js'));
  return { files: scripts.map(({ path, contents }) => ({ path: join('packages', path), contents })), metafile };
}
