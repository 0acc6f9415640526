/**
 * Loads the policies and data that a command line names: reads and parses them for the compiler.
 */

import { normalize } from 'node:path';
import type { CompileCapabilities, Module, ParseOptions } from '../compiler/index.js';
import {
  CompileErrors,
  checkVersionOne,
  compileErrors,
  Diagnostics,
  diagnose,
  parseModule,
} from '../compiler/index.js';
import type { Bundle, ModuleFile, PlanFile } from '../engine/index.js';
import { BundleError, checkWasmRules, mergeBundles, policyName, regoVersionOf } from '../engine/index.js';
import { type DiskOptions, LoadError, type LoadProblem, loadFiles, readBundle } from '../engine/node.js';
import type { PlainObject } from '../values/index.js';
import { diagnosticOutput, PolicyLoadError } from './output/failures.js';
import type { OutputError } from './output/output.js';
import type { Progress } from './output/progress.js';

/**
 * The default language version of modules; `v0v1` parses version 0 and requires that the module is
 * valid in version 1 too.
 */
export type LanguageVersion = 'v0' | 'v0v1' | 'v1';

export interface LoadOptions {
  readonly version: LanguageVersion;
  readonly capabilities?: CompileCapabilities | undefined;
  readonly ignore?: readonly string[];
  /** Only policies: data files are not even read. */
  readonly onlyRego?: boolean;
  /** How many parse errors to report, over all files; 0 is all. Default: 10 of each file. */
  readonly errorLimit?: number | undefined;
  /** The start of a bundle's error, before its name. */
  readonly bundleFailure?: string;
  /** Files that are not loaded. */
  readonly without?: ReadonlySet<string> | undefined;
  /** Skip archives. */
  readonly noArchives?: boolean;
  readonly progress?: Progress | undefined;
}

/** A file and its syntax tree. */
export interface ParsedFile {
  /** The name that orders modules. */
  readonly name: string;
  readonly file: ModuleFile;
  readonly module: Module;
  /** A module that was made for a table of test cases. */
  readonly isTable?: true;
}

export interface Policies {
  readonly parsed: readonly ParsedFile[];
  readonly data: PlainObject;
  readonly plans: readonly PlanFile[];
}

/** Modules by name, for the compiler. */
export function modulesByFile(parsed: readonly ParsedFile[]): ReadonlyMap<string, Module> {
  return new Map(parsed.map(({ name, module }) => [name, module]));
}

/** Loads loose files and directories. Rejects with an error that lists every problem. */
export async function loadPolicies(paths: readonly string[], options: LoadOptions): Promise<Policies> {
  options.progress?.stage('reading files');
  const wanted = (path: string) => {
    options.progress?.tick();
    if (options.without?.has(normalize(path))) return false;
    return options.onlyRego ? path.endsWith('.rego') : !(options.noArchives && path.endsWith('.tar.gz'));
  };
  const { modules, data, plans, wasm } = await loadFiles(paths, options.ignore, wanted).catch((error: unknown) => {
    throw withParseErrors(error, options);
  });
  const parsed = parseLoose(modules, options);
  checkWasmRules(
    wasm,
    parsed.map(({ module }) => module),
  );
  return { parsed, data, plans };
}

/** The errors of loading with those of the loaded modules; other errors as they are. */
export function withParseErrors(error: unknown, options: LoadOptions): unknown {
  if (!(error instanceof LoadError)) return error;
  try {
    parseLoose(error.modules, options, error.problems);
  } catch (all) {
    return all;
  }
  return error;
}

/**
 * The modules of loose files. Throws a PolicyLoadError that lists every problem in the order of the
 * files, with those of files that could not be loaded.
 */
export function parseLoose(
  files: readonly ModuleFile[],
  options: LoadOptions,
  unloaded: readonly LoadProblem[] = [],
): ParsedFile[] {
  const { errorLimit } = options;
  const problems = new Diagnostics(errorLimit ?? 0);
  const limit = errorLimit === undefined ? {} : { errorLimit: 0 };
  const errors: OutputError[] = [];
  options.progress?.stage('parsing policies', files.length);
  const parsed = files.flatMap((file, i) => {
    options.progress?.advance();
    errors.push(...unloadedAfter(unloaded, i));
    const before = problems.list.length;
    try {
      return [
        {
          name: file.path,
          file,
          module: parseFile(file, versionOf(file, options.version), options.capabilities, limit),
        },
      ];
    } catch (error) {
      if (!(error instanceof CompileErrors)) throw error;
      for (const diagnostic of error.diagnostics) problems.add(diagnostic);
      errors.push(...problems.list.slice(before).map((each) => diagnosticOutput(each)));
      return [];
    }
  });
  errors.push(...unloadedAfter(unloaded, files.length));
  if (errors.length > 0) throw new PolicyLoadError(errors);
  return parsed;
}

function unloadedAfter(unloaded: readonly LoadProblem[], count: number): OutputError[] {
  return unloaded.filter(({ after }) => after === count).map(({ message }) => ({ message, text: message }));
}

interface LoadedBundles extends Policies {
  /** All bundles merged into one. */
  readonly bundle: Bundle;
}

/** A bundle that is named twice is one bundle. */
export function distinctPaths(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

/**
 * Reads bundles and parses their modules, each file in the language version that its bundle states.
 */
export async function loadBundles(
  paths: readonly string[],
  options: LoadOptions,
  disk: DiskOptions = {},
): Promise<LoadedBundles> {
  const ignore = options.ignore && { ignore: options.ignore };
  const named = (name: string, error: unknown) =>
    options.bundleFailure === undefined
      ? error
      : new Error(`${options.bundleFailure} ${name}: ${(error as Error).message}`, { cause: error });
  options.progress?.stage('reading bundles');
  const read = await Promise.all(
    distinctPaths(paths).map(async (name) => {
      try {
        return { name, bundle: await readBundle(name, { ...disk, ...ignore }) };
      } catch (error) {
        throw named(name, error);
      }
    }),
  );
  const modules = read.reduce((sum, { bundle }) => sum + bundle.modules.length, 0);
  options.progress?.stage('parsing policies', modules);
  const parsed = read.flatMap(({ name, bundle }) => {
    try {
      return parseWholeBundle(name, bundle, options);
    } catch (error) {
      throw named(name, error);
    }
  });
  const bundle = mergeBundles(read);
  return { parsed, data: bundle.data, plans: bundle.plans, bundle };
}

/** Parses a bundle that decides: its rules must be in its Rego. Throws a BundleError, too. */
export function parseWholeBundle(name: string, bundle: Bundle, options: LoadOptions): ParsedFile[] {
  const parsed = parseBundle(name, bundle, options);
  try {
    checkWasmRules(
      bundle.manifest.wasm,
      parsed.map(({ module }) => module),
    );
  } catch (error) {
    throw error instanceof BundleError ? error.within(name) : error;
  }
  return parsed;
}

/** Parses the modules of a bundle. Throws an error that names the bundle. */
export function parseBundle(name: string, bundle: Bundle, options: LoadOptions): ParsedFile[] {
  return bundle.modules.map((file) => {
    options.progress?.advance();
    const own = regoVersionOf(bundle.manifest, file.bundlePath, options.version === 'v1' ? 1 : 0);
    const version = own === 1 ? 'v1' : options.version === 'v0v1' ? 'v0v1' : 'v0';
    try {
      return { name: policyName(name, file.path), file, module: parseFile(file, version, options.capabilities) };
    } catch (error) {
      throw error instanceof CompileErrors ? new Error(`bundle ${name}: ${error.message}`, { cause: error }) : error;
    }
  });
}

function versionOf({ regoVersion }: ModuleFile, otherwise: LanguageVersion): LanguageVersion {
  return regoVersion === undefined ? otherwise : regoVersion === 1 ? 'v1' : 'v0';
}

/** Throws CompileErrors where a capabilities file does not allow the language version. */
export function checkVersionAllowed(version: LanguageVersion, capabilities: CompileCapabilities | undefined): void {
  if (version !== 'v1' || capabilities === undefined || (capabilities.features ?? []).includes('rego_v1')) return;
  throw compileErrors([diagnose('versionOneNeedsFeature', undefined, {})]);
}

/** Throws CompileErrors. */
export function parseFile(
  { path, text }: ModuleFile,
  version: LanguageVersion,
  capabilities?: CompileCapabilities,
  limit: Pick<ParseOptions, 'errorLimit'> = {},
): Module {
  checkVersionAllowed(version, capabilities);
  const module = parseModule(path, text, {
    regoVersion: version === 'v1' ? 'v1' : 'v0',
    ...(capabilities && { capabilities }),
    ...limit,
  });
  if (version !== 'v0v1') return module;
  const diagnostics = new Diagnostics(limit.errorLimit);
  for (const rule of module.rules) for (const problem of checkVersionOne(rule)) diagnostics.add(problem);
  if (diagnostics.hasErrors) throw compileErrors(diagnostics.list);
  return module;
}
