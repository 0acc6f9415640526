/** Loose files on disk (Node only): what `--data` names, where a file's place below `data` is that of its directory. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { parseJson } from '../values/json/json.js';
import { textOfFile } from '../values/text/utf8.js';
import type { PlainObject, Value } from '../values/value.js';
import type { Bundle, ModuleFile, PlanFile } from './bundle.js';
import { filePath, ignoring, inflateByZlib, systemProblem } from './disk.js';
import { documentAt, mergeDocuments } from './documents.js';
import { regoVersionOf } from './manifest.js';
import { packagePath } from './package-path.js';
import { baseName, joinPath } from './paths.js';
import { readArchive } from './read.js';

/** Files that could not be loaded: one sentence each. */
export class LoadError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      problems.length === 1
        ? `1 error occurred during loading: ${problems[0]}`
        : `${problems.length} errors occurred during loading:\n${problems.join('\n')}`,
    );
    this.name = 'LoadError';
    this.problems = problems;
  }
}

/** Policies and data of loose files, and of archives among them. */
export interface LoadedFiles {
  readonly data: PlainObject;
  /** Those that no plan stands for. */
  readonly modules: readonly ModuleFile[];
  readonly plans: readonly PlanFile[];
}

interface Loading {
  data: PlainObject;
  readonly modules: ModuleFile[];
  readonly plans: PlanFile[];
  readonly problems: string[];
  readonly ignored: (name: string) => boolean;
  readonly wanted: (name: string) => boolean;
}

/**
 * Loads `*.json`, `*.yaml`, `*.yml`, `*.rego` and `*.tar.gz` from files and, recursively, directories. `a.b:path` places the content under
 * `data.a.b`. Files whose name is not `wanted` are passed over. Rejects with a LoadError that lists every problem.
 */
export async function loadFiles(
  paths: readonly string[],
  ignore: readonly string[] = [],
  wanted: (name: string) => boolean = () => true,
): Promise<LoadedFiles> {
  const loading: Loading = { data: {}, modules: [], plans: [], problems: [], ignored: ignoring(ignore), wanted };
  for (const given of paths) {
    const { prefix, path } = splitPrefix(given);
    try {
      await loadPath(filePath(path), prefix, 0, loading);
    } catch (error) {
      loading.problems.push((error as Error).message);
    }
  }
  if (loading.problems.length > 0) throw new LoadError(loading.problems);
  return loading;
}

/** `a.b:file.json` as the place `a.b` and the file; a URL has no prefix. */
function splitPrefix(given: string): { readonly prefix: readonly string[]; readonly path: string } {
  const colon = given.indexOf(':');
  if (colon <= 0 || given.startsWith('://', colon)) return { prefix: [], path: given };
  return { prefix: given.slice(0, colon).split('.'), path: given.slice(colon + 1) };
}

async function loadPath(path: string, place: readonly string[], depth: number, loading: Loading): Promise<void> {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(path).isDirectory();
  } catch (error) {
    loading.problems.push(`stat ${path}: ${systemProblem(error)}`);
    return;
  }
  if (depth > 0 && loading.ignored(baseName(path))) return;
  if (!isDirectory) {
    if (!loading.wanted(path)) return;
    try {
      await loadFile(path, place, depth, loading);
    } catch (error) {
      loading.problems.push((error as Error).message);
    }
    return;
  }
  const below = depth > 0 ? [...place, baseName(path)] : place;
  for (const name of readdirSync(path).sort()) await loadPath(joinPath(path, name), below, depth + 1, loading);
}

async function loadFile(path: string, place: readonly string[], depth: number, loading: Loading): Promise<void> {
  const bytes = readFileSync(path);
  const add = (value: Value) => {
    const tree = documentAt(place, value);
    if (tree === undefined) throw new Error(`${path}: document must be of type object`);
    const merged = mergeDocuments(loading.data, tree);
    if (merged === undefined) throw new Error(`${path}: merge error`);
    loading.data = merged;
  };
  const text = () => textOfFile(bytes);
  if (path.endsWith('.json')) add(json(path, new TextDecoder().decode(bytes)));
  else if (path.endsWith('.yaml') || path.endsWith('.yml')) add(await yaml(path, text()));
  else if (path.endsWith('.rego')) loading.modules.push(moduleAt(path, text(), bytes));
  else if (path.endsWith('.tar.gz')) await loadArchive(path, bytes, add, loading);
  else if (depth === 0) await loadAnyType(path, text(), bytes, add, loading);
}

/** A file named on the command line may have any name: it is what it reads as. */
async function loadAnyType(path: string, text: string, bytes: Uint8Array, add: (value: Value) => void, loading: Loading): Promise<void> {
  if (packagePath(text) !== undefined) {
    loading.modules.push(moduleAt(path, text, bytes));
    return;
  }
  let value: Value;
  try {
    value = json(path, new TextDecoder().decode(bytes));
  } catch {
    try {
      value = await yaml(path, text);
    } catch {
      throw new Error(`${path}: can't recognize file type`);
    }
  }
  add(value);
}

async function loadArchive(path: string, bytes: Uint8Array, add: (value: Value) => void, loading: Loading): Promise<void> {
  let bundle: Bundle;
  try {
    bundle = await readArchive(bytes, { baseUrl: path, inflate: inflateByZlib });
  } catch (error) {
    throw new Error(`bundle ${path}: ${(error as Error).message}`, { cause: error });
  }
  if (bundle.plans.length === 0) loading.modules.push(...bundle.modules.map((module) => versioned(module, bundle)));
  loading.plans.push(...bundle.plans);
  add(bundle.data);
}

/** With the version that the bundle gives it, where it gives one. */
function versioned(module: ModuleFile, { manifest }: Bundle): ModuleFile {
  if (manifest.regoVersion === undefined && manifest.fileRegoVersions === undefined) return module;
  return { ...module, regoVersion: regoVersionOf(manifest, module.bundlePath, 1) };
}

/** A module that stands alone. */
export function moduleAt(path: string, text: string, bytes: Uint8Array): ModuleFile {
  return { path, url: path, bundlePath: path, text, bytes };
}

function json(path: string, text: string): Value {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

async function yaml(path: string, text: string): Promise<Value> {
  const { parseYaml } = await import('../values/yaml/yaml.js');
  try {
    return parseYaml(text);
  } catch (error) {
    throw new Error(`${path}: error converting YAML to JSON: ${(error as Error).message}`, { cause: error });
  }
}
