/** The modules of the command, as scripts that load lazily. */
import { dirname } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { isPackage, scriptOfPackage } from '../library/packages.js';
import type { BuiltFile } from '../library/split-modules.js';
import type { EsModule, Imported } from './lazy-module.js';
import { type Import, importsOf, projectModules } from './project-modules.js';

interface Scripts {
  readonly files: readonly BuiltFile[];
  /** The modules. */
  readonly paths: ReadonlySet<string>;
  /** What the modules import, packages among them. */
  readonly imports: readonly Imported[];
}

/**
 * Modules whose functions are rows of tables: naming such a function does not load its module, but
 * calling it.
 */
const called = /^builtins\/lib\/(?:glob|graphql|http|ip|json-schema|jwt|regex|template|time|url|x509)\//;

/** Scripts by the paths of their modules, such as `cli/main.js`. */
export async function commandModules(entry: string, options: BuildOptions): Promise<Scripts> {
  const files: BuiltFile[] = [];
  const modules = await projectModules([entry], options);
  for (const { path, text, imports, module } of modules) {
    if (module === undefined) {
      files.push({ path: scriptOf(path), contents: `exports.default=${JSON.stringify(JSON.parse(text))}` });
      continue;
    }
    const place = (specifier: string) => placeOf(specifier, imports, path);
    files.push({ path: scriptOf(path), contents: await module.lazy(place) });
    if (called.test(path)) files.push({ path: callsOf(path), contents: forwarding(scriptOf(path), module) });
  }
  return { files, paths: new Set(modules.map(({ path }) => path)), imports: importsOf(modules) };
}

function scriptOf(path: string): string {
  return path.replace(/\.ts$/, '.js');
}

function callsOf(path: string): string {
  return path.replace(/\.ts$/, '-calls.js');
}

function placeOf(specifier: string, imports: readonly Import[], importer: string): string {
  if (specifier.startsWith('node:')) return specifier;
  if (isPackage(specifier)) return scriptOfPackage(specifier);
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
