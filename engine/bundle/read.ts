/** Files → Bundle: sorts files by kind, merges the data, and checks it against the manifest. */

import type { PlainObject, Value } from '../../values/index.js';
import { allAtOnce, inSlices, lenientTextOfFile, type Steps, textOfFile, timedSteps } from '../../values/index.js';
import { type BundleFile, type Inflate, inflateByStream, unpack } from './archive/archive.js';
import { type BundleLimits, defaultLimits } from './archive/limits.js';
import type { Bundle, FilePlace, ModuleFile, PlanFile, SignaturesConfig, WasmFile } from './bundle.js';
import { BundleError } from './bundle-error.js';
import { baseName, debugInfoName, debugInfoPath, joinPath, pathInBundle } from './bundle-paths.js';
import type { ReadDocument, TakeMemory } from './data-files.js';
import { DocumentReader, insertDocument, readJsonFile, yamlReader } from './data-files.js';
import { emptyManifest, type Manifest } from './manifest.js';
import { checkManifest } from './manifest-check.js';
import { parseManifest } from './manifest-reader.js';
import { readPatch, readSignatures } from './special-files.js';

export interface ReadOptions {
  /**
   * The directory that was read. It precedes the names of modules and plans. An archive has none.
   */
  readonly baseDir?: string | undefined;
  /** The archive's own name. It precedes the files' paths in their urls. */
  readonly baseUrl?: string | undefined;
  readonly limits?: Partial<BundleLimits> | undefined;
  /** Whether to leave out a file, or a directory with its content, by its place in the bundle. */
  readonly ignore?: ((bundlePath: string) => boolean) | undefined;
  readonly inflate?: Inflate | undefined;
  /** Whether other tasks run while large files are read, which takes longer. */
  readonly inSlices?: boolean | undefined;
  /**
   * With `inSlices`: is called with bytes of memory before documents and texts take them, and
   * throws if they are not available.
   */
  readonly take?: TakeMemory | undefined;
  /** Gets the milliseconds in which documents are parsed. */
  readonly onDataParsed?: ((ms: number) => void) | undefined;
  /**
   * Checks the files against the signatures, which are undefined for a bundle without; throws a
   * BundleError where they do not agree. Absent: signatures are read but not checked.
   */
  readonly verify?: (
    files: ReadonlyMap<string, Uint8Array>,
    signatures: SignaturesConfig | undefined,
  ) => Promise<void> | void;
}

/**
 * The bundle in the bytes of a `.tar.gz`. Rejects with a BundleError.
 * @example await readArchive(new Uint8Array(await response.arrayBuffer()))
 */
export async function readArchive(archive: Uint8Array, options: ReadOptions = {}): Promise<Bundle> {
  const limits = { ...defaultLimits, ...options.limits };
  const tar = await (options.inflate ?? inflateByStream)(archive, limits.size);
  const steps = unpack(tar, limits, notIgnored(options.ignore));
  return readFiles(options.inSlices === true ? await inSlices(steps) : allAtOnce(steps), options);
}

/** Whether neither a name nor a directory in its path is ignored. */
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

/** The bundle of a list of files. Rejects with a BundleError. */
export async function readFiles(list: readonly BundleFile[], options: ReadOptions = {}): Promise<Bundle> {
  const files = filesByPath(list);
  const signatures = readSignatures(list);
  const patch = readPatch(list);
  await options.verify?.(signedFiles(list, options), signatures);
  const readYaml = list.some(({ name }) => isYamlData(baseName(name))) ? await yamlReader() : undefined;
  const steps = bundleSteps(list, { files, signatures, patch }, options, readYaml);
  return options.inSlices === true ? await inSlices(steps) : allAtOnce(steps);
}

/** Bytes of memory for a byte of YAML, which is read at once: `- a` is an element and a text. */
const yamlMemory = 16;

function isYamlData(base: string): boolean {
  return base === 'data.yaml' || base === 'data.yml';
}

function* bundleSteps(
  list: readonly BundleFile[],
  known: Pick<Bundle, 'files' | 'signatures' | 'patch'>,
  options: ReadOptions,
  readYaml: ReadDocument | undefined,
): Steps<Bundle> {
  let data: PlainObject = {};
  let manifest: Manifest = emptyManifest;
  const dataFiles: FilePlace[] = [];
  const modules: ModuleFile[] = [];
  const plans: PlanFile[] = [];
  const wasm: WasmFile[] = [];
  const debugInfos = new Map<string, Uint8Array>();
  const { take = () => {} } = options;
  const documents = options.inSlices === true ? new DocumentReader(take) : undefined;
  function* read(bytes: Uint8Array, path: string, name: string): Steps<Value> {
    return documents === undefined ? readJsonFile(bytes, path, name) : yield* documents.read(bytes, path, name);
  }
  function* parsed(bytes: Uint8Array, path: string, name: string): Steps<Value> {
    if (readYaml === undefined || !isYamlData(baseName(name))) return yield* read(bytes, path, name);
    take(yamlMemory * bytes.length);
    return readYaml(bytes, path, name);
  }
  for (const { name, bytes } of list) {
    if (name.endsWith('signatures.json')) continue;
    const path = options.baseDir === undefined ? name : joinPath(options.baseDir, name);
    const place = {
      path,
      url: joinPath(options.baseUrl ?? options.baseDir ?? '', name),
      bundlePath: pathInBundle(name),
    };
    const base = baseName(name);
    if (name.endsWith('.rego')) {
      take(bytes.length);
      modules.push({ ...place, text: textOfFile(bytes), bytes });
    } else if (base === 'policy.wasm') wasm.push({ ...place, bytes });
    else if (base === 'plan.json') plans.push({ ...place, policy: yield* read(bytes, path, name), bytes });
    else if (base === debugInfoName) debugInfos.set(place.bundlePath, bytes);
    else if (base === 'data.json' || isYamlData(base)) {
      const parsing = parsed(bytes, path, name);
      const value = yield* options.onDataParsed === undefined ? parsing : timedSteps(parsing, options.onDataParsed);
      data = insertDocument(data, name, value);
      dataFiles.push(place);
    } else if (name.endsWith('.manifest')) manifest = parseManifest(lenientTextOfFile(bytes));
    yield;
  }
  const described = plans.map((plan) => {
    const debugInfo = debugInfos.get(debugInfoPath(plan.bundlePath));
    return debugInfo === undefined ? plan : { ...plan, debugInfo };
  });
  const bundle: Bundle = { manifest, data, dataFiles, modules, plans: described, wasm, ...known };
  if (known.patch !== undefined) checkDelta(bundle);
  yield* checkManifest(bundle);
  return bundle;
}

function filesByPath(list: readonly BundleFile[]): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const { name, bytes } of list) {
    const path = pathInBundle(name);
    if (files.has(path))
      throw new BundleError('duplicate', `bundle read failed: file ${JSON.stringify(path)} occurs twice`, path);
    files.set(path, bytes);
  }
  return files;
}

/**
 * The files that a signature covers, by their names in it. In a directory these begin with its
 * path.
 */
function signedFiles(list: readonly BundleFile[], { baseDir }: ReadOptions): Map<string, Uint8Array> {
  const signed = list.filter(({ name }) => !name.endsWith('signatures.json'));
  const nameOf = (name: string) =>
    (baseDir === undefined ? pathInBundle(name) : joinPath(baseDir, name)).replace(/^\//, '');
  return new Map(signed.map(({ name, bytes }) => [nameOf(name), bytes]));
}

function checkDelta({ data, modules, wasm }: Bundle): void {
  const complain = (what: string) =>
    new BundleError('patch', `delta bundle expected to contain only patch file but ${what} files found`);
  if (Object.keys(data).length > 0) throw complain('data');
  if (modules.length > 0) throw complain('policy');
  if (wasm.length > 0) throw complain('wasm');
}
