/** Files → Bundle: tells modules, plans, data and manifest apart, puts the data together and checks it against the manifest. */

import { parseJson } from '../values/json/json.js';
import { textOfFile } from '../values/text/utf8.js';
import { isArray, isObject, isString, type PlainObject, type Value } from '../values/value.js';
import { type BundleFile, type Inflate, unpack } from './archive/archive.js';
import { type BundleLimits, defaultLimits } from './archive/limits.js';
import type { Bundle, FilePlace, ModuleFile, PatchOperation, PlanFile, SignaturesConfig, WasmFile } from './bundle.js';
import { documentAt, mergeDocuments } from './documents.js';
import { BundleError } from './errors.js';
import { checkManifest, emptyManifest, type Manifest, parseManifest } from './manifest.js';
import { baseName, dirName, joinPath, pathInBundle } from './paths.js';

export interface ReadOptions {
  /** The directory that was read: it stands before the names of modules and plans. An archive has none. */
  readonly baseDir?: string;
  /** The archive's own name: it stands before the files' paths in their urls. */
  readonly baseUrl?: string;
  readonly limits?: Partial<BundleLimits>;
  /** Whether to leave a file, or a directory with all in it, out, by its place in the bundle. */
  readonly ignore?: (bundlePath: string) => boolean;
  readonly inflate?: Inflate;
  /**
   * Checks the files against the signatures, and throws a BundleError where they do not agree; `signatures` is undefined for a bundle
   * without. Where it is absent, signatures are read but not checked.
   */
  readonly verify?: (files: ReadonlyMap<string, Uint8Array>, signatures: SignaturesConfig | undefined) => Promise<void> | void;
}

/**
 * The bundle in the bytes of a `.tar.gz`. Rejects with a BundleError.
 * @example await readArchive(new Uint8Array(await response.arrayBuffer()))
 */
export async function readArchive(archive: Uint8Array, options: ReadOptions = {}): Promise<Bundle> {
  const limits = { ...defaultLimits, ...options.limits };
  return readFiles(await unpack(archive, limits, notIgnored(options.ignore), options.inflate), options);
}

/** Wanted is what is not ignored and does not stand in a directory that is. */
function notIgnored(ignore: ReadOptions['ignore']): (name: string) => boolean {
  if (ignore === undefined) return () => true;
  return (name) => {
    const path = pathInBundle(name);
    for (let slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      if (ignore(path.slice(0, slash))) return false;
    }
    return !ignore(path);
  };
}

/** The bundle that files make up. Rejects with a BundleError. */
export async function readFiles(list: readonly BundleFile[], options: ReadOptions = {}): Promise<Bundle> {
  const files = filesByPath(list);
  const signatures = readSignatures(list);
  const patch = readPatch(list);
  if (options.verify !== undefined && patch === undefined) await options.verify(signedFiles(list, options), signatures);
  let data: PlainObject = {};
  let manifest: Manifest = emptyManifest;
  const dataFiles: FilePlace[] = [];
  const modules: ModuleFile[] = [];
  const plans: PlanFile[] = [];
  const wasm: WasmFile[] = [];
  for (const { name, bytes } of list) {
    if (name.endsWith('signatures.json')) continue;
    const path = options.baseDir === undefined ? name : joinPath(options.baseDir, name);
    const place = { path, url: joinPath(options.baseUrl ?? options.baseDir ?? '', name), bundlePath: pathInBundle(name) };
    const base = baseName(name);
    if (name.endsWith('.rego')) modules.push({ ...place, text: textOfFile(bytes), bytes });
    else if (base === 'policy.wasm') wasm.push({ ...place, bytes });
    else if (base === 'plan.json') plans.push({ ...place, policy: readJson(bytes, path, name), bytes });
    else if (/^data\.(?:json|yaml|yml)$/.test(base)) {
      const value = base === 'data.json' ? readJson(bytes, path, name) : await readYaml(bytes, path, name);
      data = insert(data, name, value);
      dataFiles.push(place);
    } else if (name.endsWith('.manifest')) manifest = parseManifest(decode(bytes));
  }
  const bundle: Bundle = { manifest, data, dataFiles, modules, plans, wasm, signatures, patch, files };
  if (patch !== undefined) checkDelta(bundle);
  checkManifest(bundle);
  return bundle;
}

function filesByPath(list: readonly BundleFile[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const { name, bytes } of list) {
    const path = pathInBundle(name);
    if (files.has(path)) throw new BundleError('duplicate', `bundle read failed: file ${JSON.stringify(path)} occurs twice`, path);
    files.set(path, bytes);
  }
  return files;
}

/** The files that a signature covers, by the names that it gives them: those of a directory begin with the directory's. */
function signedFiles(list: readonly BundleFile[], { baseDir }: ReadOptions): Map<string, Uint8Array> {
  const signed = list.filter(({ name }) => !name.endsWith('signatures.json'));
  const nameOf = (name: string) => (baseDir === undefined ? pathInBundle(name) : joinPath(baseDir, name)).replace(/^\//, '');
  return new Map(signed.map(({ name, bytes }) => [nameOf(name), bytes]));
}

const decoder = new TextDecoder();

function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function readJson(bytes: Uint8Array, path: string, file: string): Value {
  try {
    return parseJson(decode(bytes));
  } catch (error) {
    throw new BundleError('syntax', `bundle load failed on ${path}: ${(error as Error).message}`, file);
  }
}

/** The YAML reader is loaded for the first YAML file: most bundles have none. */
async function readYaml(bytes: Uint8Array, path: string, file: string): Promise<Value> {
  const { parseYaml } = await import('../values/yaml/yaml.js');
  try {
    return parseYaml(textOfFile(bytes));
  } catch (error) {
    throw new BundleError('syntax', `bundle load failed on ${path}: ${(error as Error).message}`, file);
  }
}

function insert(data: PlainObject, name: string, value: Value): PlainObject {
  const directory = dirName(name).replace(/^[/.]+/, '');
  const path = directory === '' ? [] : directory.split('/').filter((segment) => segment !== '' && segment !== '.');
  const tree = documentAt(path, value);
  if (tree === undefined) throw new BundleError('conflict', `bundle load failed on ${name}: root value must be object`, name);
  let merged: PlainObject | undefined;
  try {
    merged = mergeDocuments(data, tree);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BundleError('limit', `bundle load failed on ${name}: documents nest too deeply to be merged`, name);
  }
  if (merged === undefined) {
    throw new BundleError('conflict', `bundle load failed on ${name}: failed to insert data file from path ${path.join('/')}`, name);
  }
  return merged;
}

function readSignatures(list: readonly BundleFile[]): SignaturesConfig | undefined {
  const file = list.find(({ name }) => name.endsWith('signatures.json'));
  if (file === undefined) return undefined;
  const config = decodeObject(file, 'signatures');
  const { signatures, plugin } = config;
  if (signatures !== undefined && signatures !== null && !(isArray(signatures) && signatures.every(isString))) {
    throw new BundleError('syntax', 'bundle load failed on signatures decode: signatures must be an array of strings', file.name);
  }
  if (plugin !== undefined && !isString(plugin)) {
    throw new BundleError('syntax', 'bundle load failed on signatures decode: plugin must be a string', file.name);
  }
  return {
    ...(isArray(signatures as Value) && { signatures: signatures as readonly string[] }),
    ...(plugin !== undefined && { plugin }),
  };
}

function readPatch(list: readonly BundleFile[]): PatchOperation[] | undefined {
  const file = list.find(({ name }) => baseName(name) === 'patch.json');
  if (file === undefined) return undefined;
  const operations = decodeObject(file, 'patch').data ?? [];
  const wrong = new BundleError('syntax', 'bundle load failed on patch decode: data must be an array of operations', file.name);
  if (!isArray(operations)) throw wrong;
  const patch = operations.map((operation) => {
    if (!isObject(operation)) throw wrong;
    const { op, path, value } = operation as PlainObject;
    if (!isString(op ?? null) || !isString(path ?? null)) throw wrong;
    return { op: op as string, path: path as string, value };
  });
  return patch.length === 0 ? undefined : patch;
}

function decodeObject({ name, bytes }: BundleFile, what: string): PlainObject {
  let json: Value;
  try {
    json = parseJson(decode(bytes));
  } catch (error) {
    throw new BundleError('syntax', `bundle load failed on ${what} decode: ${(error as Error).message}`, name);
  }
  if (!isObject(json)) throw new BundleError('syntax', `bundle load failed on ${what} decode: it must be an object`, name);
  return json as PlainObject;
}

function checkDelta({ data, modules, wasm }: Bundle): void {
  const complain = (what: string) => new BundleError('patch', `delta bundle expected to contain only patch file but ${what} files found`);
  if (Object.keys(data).length > 0) throw complain('data');
  if (modules.length > 0) throw complain('policy');
  if (wasm.length > 0) throw complain('wasm');
}
