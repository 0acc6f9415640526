/** The modules of the command, as scripts that load lazily: CommonJS of `tsc` for `loader.cjs`. */
import { dirname, join } from 'node:path';
import { type BuildOptions, transform } from 'esbuild';
import { scriptStyle } from '../bundle.js';
import { type Imported, isPackage, scriptOfPackage } from '../library/packages.js';
import type { BuiltFile } from '../library/split-modules.js';
import { inlinedOpcodes } from '../source-text.js';

/** Scripts as `tsc` compiles modules, by path. */
type Compiled = ReadonlyMap<string, string>;

/**
 * Modules whose functions are rows of tables: naming such a function does not load its module, but
 * calling it.
 */
const called = /^values\/builtins\/lib\/(?:glob|graphql|http|ip|json-schema|jwt|regex|template|time|url|x509)\//;

/** Scripts that begin at `entry`, such as `cli/main.js`. */
export async function commandModules(
  entry: string,
  compiled: Compiled,
  { define }: BuildOptions,
): Promise<readonly BuiltFile[]> {
  const style = { ...scriptStyle, ...(define && { define }), format: 'cjs', minifyIdentifiers: true } as const;
  const files = reachable([entry], compiled).map(async (path): Promise<readonly BuiltFile[]> => {
    const text = compiled.get(path)!;
    if (path.endsWith('.json')) return [{ path, contents: `exports.default=${JSON.stringify(JSON.parse(text))}` }];
    const { code } = await transform(lazyText(path, text), style);
    const script = { path, contents: code.trimEnd() };
    return called.test(path) ? [script, { path: callsOf(path), contents: forwarding(path, text) }] : [script];
  });
  return (await Promise.all(files)).flat();
}

/** What modules that are reachable from the entries import from packages. */
export function packageImports(entries: readonly string[], compiled: Compiled): readonly Imported[] {
  return reachable(entries, compiled).flatMap((path) =>
    importsOf(compiled.get(path)!).filter(({ from }) => isPackage(from)),
  );
}

function reachable(entries: readonly string[], compiled: Compiled): readonly string[] {
  const found = new Set(entries.map((path) => path.replace(/\.tsx?$/, '.js')));
  for (const path of found)
    for (const { from } of importsOf(compiled.get(path)!))
      if (from.startsWith('.') && !isPackage(from)) found.add(join(dirname(path), from));
  return [...found];
}

function importsOf(text: string): readonly Imported[] {
  return [...text.matchAll(/(?:(?:const|var) (\w+) = )?(__import\w+\()?\brequire\(['"]([^'"]+)['"]\)/g)].map(
    ([, variable, helper, from]) => {
      const isNamed = variable && helper !== '__importStar(';
      const names =
        isNamed && [...text.matchAll(new RegExp(`(?<![.\\w])${variable}\\.(\\w+)`, 'g'))].map(([, name]) => name!);
      return { from: from!, names: names || undefined };
    },
  );
}

/**
 * The text of a module for the loader. A namespace may be used in any way, so its module is loaded
 * at once, as is a module that is imported for its effects. Of Node's modules, members are read.
 */
function lazyText(path: string, text: string): string {
  const lazy = inlinedOpcodes(path, text)
    .replace('Object.defineProperty(exports, "__esModule", { value: true });', '')
    // V8 takes a member for constant that is set once.
    .replace(undefinedExports, '')
    .replaceAll('import.meta.dirname', '__dirname')
    // A module that failed to load is loaded again.
    .replaceAll(/(?<=^Object\.defineProperty\(exports, "\w+", \{ )enumerable/gm, 'configurable')
    .replaceAll(/\b__import(Star|Default)\((require)\(('[^']+'|"[^"]+")\)\)/g, (_, kind, load, from: string) =>
      kind === 'Star' && !from.startsWith('node:', 1) ? `${load}.all(${from})` : `${load}(${from})`,
    )
    .replaceAll(/^require\(/gm, 'require.all(')
    .replaceAll(/(?<=\brequire(?:\.all)?\()(?:'([^']+)'|"([^"]+)")/g, (_, one, other) =>
      JSON.stringify(placeOf(one ?? other, path)),
    );
  const helper = /\b__[a-z]+[A-Z]\w*(?=\()/.exec(lazy)?.[0];
  if (helper !== undefined) throw new Error(`${path}: the loader has no ${helper}`);
  return lazy;
}

const undefinedExports = /^(?:exports\.\w+ = )+void 0;\n/gm;

function callsOf(path: string): string {
  return path.replace(/\.js$/, '-calls.js');
}

function placeOf(specifier: string, importer: string): string {
  if (specifier.startsWith('node:')) return specifier;
  if (isPackage(specifier)) return scriptOfPackage(specifier);
  const path = join(dirname(importer), specifier);
  return called.test(path) && dirname(path) !== dirname(importer) ? callsOf(path) : path;
}

/** Exports that load a module when they are called or read, but not when a function is named. */
function forwarding(script: string, text: string): string {
  const undefinedFirst = [...text.matchAll(undefinedExports)].flatMap(([line]) => [
    ...line.matchAll(/exports\.(\w+)/g),
  ]);
  const imported = text.matchAll(/^Object\.defineProperty\(exports, "(?!__esModule)(\w+)"/gm);
  const values = new Set([...undefinedFirst, ...imported].map(([, name]) => name!));
  const functions = [...text.matchAll(/^exports\.(\w+) = \w+;$/gm)]
    .map(([, name]) => name!)
    .filter((name) => !values.has(name));
  const forwarded = functions.map((name) => `exports.${name}=(...operands)=>called.${name}(...operands);`);
  const read = [...values].map((name) => `Object.defineProperty(exports,"${name}",{get:()=>called.${name}});`);
  return `"use strict";const called=require(${JSON.stringify(script)});${forwarded.join('')}${read.join('')}`;
}
