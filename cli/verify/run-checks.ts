/** Checks of files by policies. */

import { basename, dirname, resolve } from 'node:path';
import { CompileErrors } from '../../compiler/index.js';
import type { Engine } from '../../engine/index.js';
import { inSlices, type PlainObject, type Value } from '../../values/index.js';
import type { CheckResult, CheckSettings, NumberMode, SourceOf } from '../../views/index.js';
import {
  checkedRules,
  FailurePlaces,
  joined,
  mayAskForFile,
  NamespaceCheck,
  namespaceOf,
  namespacesOf,
  resultsOf,
} from '../../views/index.js';
import type { ConfigFile, ConfigReadOptions } from '../../views/node.js';
import { ConfigFileError, documentsOfFile, filesOf, readConfigFile } from '../../views/node.js';
import { openCommandEngine } from '../eval/command-engine.js';
import type { Io } from '../io.js';
import { type LoadedChecks, loadChecks } from './load-checks.js';
import type { VerifySettings } from './settings.js';

export interface RunOptions {
  readonly numbers: NumberMode;
  /** Whether it answers as conftest does: the first broken file ends the run. */
  readonly isConftest: boolean;
  /** Called with a broken file, where others are still checked. */
  readonly onBroken?: (error: ConfigFileError) => void;
  /** Whether the places of complaints are found. */
  readonly finds?: boolean;
}

/** The names of the settings that reading files needs. */
export function readOptions(
  settings: VerifySettings,
  io: Pick<Io, 'stdin'>,
  { numbers, isConftest }: RunOptions,
): ConfigReadOptions {
  return {
    parser: settings.text('parser') || undefined,
    numbers,
    asConftest: isConftest,
    stdin: io.stdin,
    stdinName: settings.text('stdin-filename') || undefined,
    protoFolders: settings.list('proto-file-dirs'),
  };
}

/** Reads the files that arguments name, by path. Rejects with a ConfigFileError. */
export async function readConfigFiles(
  args: readonly string[],
  settings: VerifySettings,
  io: Io,
  options: RunOptions,
): Promise<ConfigFile[]> {
  const files: ConfigFile[] = [];
  for await (const file of filesIn(args, settings, io, options)) files.push(file);
  return byPath(files);
}

/** Reads the files that arguments name, one after the other. */
async function* filesIn(
  args: readonly string[],
  settings: VerifySettings,
  io: Io,
  options: RunOptions,
): AsyncGenerator<ConfigFile, void, undefined> {
  const reading = readOptions(settings, io, options);
  const paths = filesOf(args, await ignoring(settings.text('ignore') ?? ''));
  const nameOf = (path: string) => (path === '-' ? (reading.stdinName ?? path) : path);
  for (const path of paths.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
    try {
      yield await readConfigFile(path, reading);
    } catch (error) {
      if (!(error instanceof ConfigFileError) || options.onBroken === undefined) throw error;
      options.onBroken(error);
    }
  }
}

export function byPath(files: readonly ConfigFile[]): ConfigFile[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function ignoring(pattern: string): Promise<(path: string) => boolean> {
  if (pattern === '') return () => false;
  const { RE2JS } = await import('re2js');
  try {
    const compiled = RE2JS.compile(pattern);
    return (path) => compiled.matcher(path).find();
  } catch (error) {
    throw new ConfigFileError(
      `parse files: get files from directory: given regexp couldn't be parsed :${(error as Error).message}`,
    );
  }
}

/** Runs the checks. Rejects with a ConfigFileError. */
export async function runChecks(
  args: readonly string[],
  settings: VerifySettings,
  io: Io,
  options: RunOptions,
): Promise<CheckResult[]> {
  // conftest reads all files before policies. Otherwise a file is dropped once it is checked.
  const readsAll = options.onBroken === undefined || settings.on('combine');
  const files = readsAll ? await readConfigFiles(args, settings, io, options) : filesIn(args, settings, io, options);
  const loaded = await loadChecks(settings, options);
  return await checkFiles(files, await engineOfChecks(loaded, io), loaded, settings, options);
}

/** Rejects with a ConfigFileError where the policies do not compile. */
export async function engineOfChecks({ parsed, data, compile }: LoadedChecks, io: Io): Promise<Engine> {
  try {
    return await openCommandEngine(parsed, data, compile, io);
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    const { message } = error;
    throw new ConfigFileError(`load: loading policies: get compiler: ${message}`);
  }
}

async function checkFiles(
  files: readonly ConfigFile[] | AsyncIterable<ConfigFile>,
  engine: Engine,
  { parsed, compile }: LoadedChecks,
  settings: VerifySettings,
  options: RunOptions,
): Promise<CheckResult[]> {
  const modules = parsed.map(({ module }) => module);
  const patterns = settings.on('all-namespaces') ? [...new Set(modules.map(namespaceOf))] : settings.list('namespace');
  const namespaces = settings.on('all-namespaces') ? patterns : namespacesOf(modules, patterns);
  const asksForFile = mayAskForFile(modules);
  const places = options.finds === true ? new FailurePlaces(engine) : undefined;
  let sourceOf: SourceOf = () => undefined;
  const place: CheckSettings['place'] = (path, members, input) => places!.find(path, members, input, sourceOf);
  const settingsOfCheck: CheckSettings = {
    showsBuiltinErrors: settings.on('show-builtin-errors'),
    ...(settings.on('trace') && { trace: traceOf(engine) }),
    ...(places && { place }),
  };
  const checks = namespaces.map((namespace) => {
    const rules = checkedRules(modules, namespace);
    checkEquality(rules.length > 0, compile);
    return { check: new NamespaceCheck(engine, namespace, rules, settingsOfCheck), results: [] as CheckResult[] };
  });
  for await (const { name, inputs } of inputsIn(files, settings.on('combine'))) {
    if (asksForFile) await tellFile(engine, name);
    for (const { check, results } of checks) {
      const found: CheckResult[] = [];
      for (const { input, source } of inputs) {
        sourceOf = source;
        found.push(await check.document(name, input).catch(reported));
      }
      results.push(found.length === 0 ? resultsOf(name, check.namespace) : joined(name, check.namespace, found));
    }
  }
  return checks.flatMap(({ results }) => results);
}

/** The documents of files, file by file, or of all as one. */
async function* inputsIn(
  files: readonly ConfigFile[] | AsyncIterable<ConfigFile>,
  isCombined: boolean,
): AsyncGenerator<Inputs, void, undefined> {
  if (isCombined) yield combined(files as readonly ConfigFile[]);
  else for await (const file of files) yield inputsOf(file);
}

function reported(error: unknown): never {
  if (error instanceof ConfigFileError) throw error;
  throw new ConfigFileError(`query rule: check: query rule: evaluating policy: ${(error as Error).message}`);
}

/** The reference asks for exceptions by a query with an equality, which capabilities may lack. */
function checkEquality(hasRules: boolean, { capabilities }: LoadedChecks['compile']): void {
  if (!hasRules || capabilities === undefined) return;
  if (capabilities.builtins?.some(({ name }) => name === 'equal')) return;
  throw new ConfigFileError(
    'query rule: check: query exception: evaluating policy: 1 error occurred: 1:1: rego_type_error: undefined function equal',
  );
}

interface Inputs {
  readonly name: string;
  readonly inputs: readonly { readonly input: Value; readonly source: SourceOf }[];
}

function inputsOf(file: ConfigFile): Inputs {
  const isList = Array.isArray(file.value);
  const inputs = documentsOfFile(file).map((input, i) => {
    const source = { file, prefix: isList ? [i] : [], skipped: 0 };
    return { input, source: () => source };
  });
  return { name: file.path, inputs };
}

/** All documents as one input: a path begins with the index of a document, and `contents`. */
function combined(files: readonly ConfigFile[]): Inputs {
  const sources = files.flatMap((file) => {
    const isList = Array.isArray(file.value);
    return documentsOfFile(file).map((_document, i) => ({ file, prefix: isList ? [i] : [], skipped: 2 }));
  });
  const source: SourceOf = ([index]) => (typeof index === 'number' ? sources[index] : undefined);
  return { name: 'Combined', inputs: [{ input: combinedInput(files), source }] };
}

/** `[{"path": …, "contents": …}]`, by path. */
function combinedInput(files: readonly ConfigFile[]): Value {
  return files.flatMap((file) => documentsOfFile(file).map((contents): PlainObject => ({ path: file.path, contents })));
}

async function tellFile(engine: Engine, name: string): Promise<void> {
  const dir = name === 'Combined' ? resolve('.') : dirname(resolve(name));
  const value: PlainObject = { file: { name: basename(name), dir } };
  await engine.commit({ data: [{ op: 'add', path: ['conftest'], value }] });
}

function traceOf(engine: Engine): NonNullable<CheckSettings['trace']> {
  return async (query, path, input) => {
    const asked = path === undefined ? { query } : { path };
    const trace = await engine.trace(asked, input, { mode: 'debug', known: new Map(), prints: false, timeMs: 10_000 });
    return (await inSlices(trace.toText())).map((line) => line.replace(/^\S*:\d+\s+/, ''));
  };
}
