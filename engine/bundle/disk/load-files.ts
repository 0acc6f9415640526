/**
 * Loose files on disk (Node only): `--data` names them, and a file's directory gives its place
 * below `data`.
 */

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import type { PlainObject, Value } from '../../../values/index.js';
import { systemProblem } from '../../../values/node.js';
import type { Bundle, ModuleFile, PlanFile } from '../bundle.js';
import { BundleError } from '../bundle-error.js';
import { baseName, joinPath } from '../bundle-paths.js';
import { mergeDocuments, treeDocumentAt } from '../data-trees.js';
import { regoVersionOf, type WasmResolver } from '../manifest.js';
import { fileErrorText, filePath } from './file-path.js';
import { readBundle } from './file-source.js';
import { ignoring } from './file-tree.js';
import { fileOfAnyKind, looseFile } from './loose-file.js';

/** A file that could not be loaded. */
export interface LoadProblem {
  readonly message: string;
  /** The number of modules that were loaded before. */
  readonly after: number;
}

/** Files that could not be loaded: one sentence each. The modules of the others come along. */
export class LoadError extends Error {
  readonly problems: readonly LoadProblem[];
  readonly modules: readonly ModuleFile[];

  constructor(problems: readonly LoadProblem[], modules: readonly ModuleFile[]) {
    const lines = problems.map(({ message }) => message).join('\n');
    super(
      problems.length === 1
        ? `1 error occurred during loading: ${lines}`
        : `${problems.length} errors occurred during loading:\n${lines}`,
    );
    this.name = 'LoadError';
    this.problems = problems;
    this.modules = modules;
  }
}

/** Policies and data of loose files, and of archives among them. */
export interface LoadedFiles {
  readonly data: PlainObject;
  /** The modules, except those of archives that have plans. */
  readonly modules: readonly ModuleFile[];
  readonly plans: readonly PlanFile[];
  /** The entrypoints of WebAssembly in archives: see `checkWasmRules`. */
  readonly wasm: readonly WasmResolver[];
  /** The time that reading data files took, undefined without any. */
  readonly dataParseMs?: number;
}

interface Loading {
  dataParseMs?: number;
  data: PlainObject;
  readonly modules: ModuleFile[];
  readonly plans: PlanFile[];
  readonly wasm: WasmResolver[];
  readonly problems: LoadProblem[];
  readonly ignored: (name: string) => boolean;
  readonly wanted: (name: string) => boolean;
}

/**
 * Loads `*.json`, `*.yaml`, `*.yml`, `*.rego` and `*.tar.gz` from files and, recursively,
 * directories. `a.b:path` places the content under `data.a.b`. Files whose name is not `wanted` are
 * passed over. Rejects with a LoadError that lists every problem.
 */
export async function loadFiles(
  paths: readonly string[],
  ignore: readonly string[] = [],
  wanted: (name: string) => boolean = () => true,
): Promise<LoadedFiles> {
  const loading: Loading = {
    data: {},
    modules: [],
    plans: [],
    wasm: [],
    problems: [],
    ignored: ignoring(ignore),
    wanted,
  };
  for (const given of paths) {
    const { prefix, path } = splitPrefix(given);
    try {
      await loadPath(filePath(path), prefix, [], loading);
    } catch (error) {
      complain(loading, fileErrorText(error));
    }
  }
  if (loading.problems.length > 0) throw new LoadError(loading.problems, loading.modules);
  // A file that is named twice is one module.
  return { ...loading, modules: [...new Map(loading.modules.map((module) => [module.path, module])).values()] };
}

function complain({ problems, modules }: Loading, message: string): void {
  problems.push({ message, after: modules.length });
}

/**
 * The paths on disk that `loadFiles` reads for these. One that names none, and that `loadFiles`
 * refuses, is left out.
 */
export function filePlaces(paths: readonly string[]): readonly string[] {
  return paths.flatMap((given) => {
    try {
      return [filePath(splitPrefix(given).path)];
    } catch (error) {
      if (error instanceof BundleError) return [];
      throw error;
    }
  });
}

/** `a.b:file.json` as the place `a.b` and the file; a URL has no prefix. */
function splitPrefix(given: string): { readonly prefix: readonly string[]; readonly path: string } {
  const colon = given.indexOf(':');
  if (colon <= 0 || given.startsWith('://', colon)) return { prefix: [], path: given };
  return { prefix: given.slice(0, colon).split('.'), path: given.slice(colon + 1) };
}

/** @param above the real paths of the directories that are being read */
async function loadPath(
  path: string,
  place: readonly string[],
  above: readonly string[],
  loading: Loading,
): Promise<void> {
  const depth = above.length;
  let isDirectory: boolean;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch (error) {
    complain(loading, `stat ${path}: ${systemProblem(error)}`);
    return;
  }
  if (depth > 0 && loading.ignored(baseName(path))) return;
  if (!isDirectory) {
    if (!loading.wanted(path)) return;
    try {
      await loadFile(path, place, depth, loading);
    } catch (error) {
      complain(loading, fileErrorText(error));
    }
    return;
  }
  const real = realpathSync(path);
  if (above.includes(real)) {
    complain(loading, `${path}: link to a directory that contains it: ${real}`);
    return;
  }
  const below = depth > 0 ? [...place, baseName(path)] : place;
  for (const name of readdirSync(path).sort()) await loadPath(joinPath(path, name), below, [...above, real], loading);
}

async function loadFile(path: string, place: readonly string[], depth: number, loading: Loading): Promise<void> {
  if (path.endsWith('.tar.gz')) {
    addBundle(path, await readBundle(path), place, loading);
    return;
  }
  const bytes = readFileSync(path);
  // Node loads `performance` at its first use, which takes a millisecond of a start.
  const start = process.hrtime.bigint();
  // A file that the command line names may have any name.
  const found = (await looseFile(path, bytes)) ?? (depth === 0 ? await fileOfAnyKind(path, bytes) : undefined);
  if (found === undefined) return;
  if ('module' in found) loading.modules.push(found.module);
  else {
    loading.dataParseMs = (loading.dataParseMs ?? 0) + Number(process.hrtime.bigint() - start) / 1e6;
    addDocument(path, found.document, place, loading);
  }
}

function addBundle(path: string, bundle: Bundle, place: readonly string[], loading: Loading): void {
  if (bundle.plans.length === 0) {
    for (const module of bundle.modules) loading.modules.push(versioned(module, bundle));
    loading.wasm.push(...bundle.manifest.wasm);
  }
  for (const plan of bundle.plans) loading.plans.push(plan);
  addDocument(path, bundle.data, place, loading);
}

function addDocument(path: string, value: Value, place: readonly string[], loading: Loading): void {
  const tree = treeDocumentAt(place, value);
  if (tree === undefined) throw new Error(`${path}: document must be of type object`);
  const merged = mergeDocuments(loading.data, tree);
  if (merged === undefined) throw new Error(`${path}: merge error`);
  loading.data = merged;
}

/** A module with the version that its bundle gives it, if it gives one. */
function versioned(module: ModuleFile, { manifest }: Bundle): ModuleFile {
  if (manifest.regoVersion === undefined && manifest.fileRegoVersions === undefined) return module;
  return { ...module, regoVersion: regoVersionOf(manifest, module.bundlePath, 1) };
}
