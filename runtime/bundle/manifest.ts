/** `.manifest`: what a bundle says of itself, and whether its content keeps to that. */
import { keyName, parseJson, quote, toJson } from '../values/json/json.js';
import { integerOf } from '../values/numbers/number.js';
import { isArray, isNumber, isObject, isString, type PlainObject, typeName, type Value } from '../values/value.js';
import type { Bundle } from './bundle.js';
import { BundleError } from './errors.js';
import { pathGlob } from './glob.js';
import { packagePath, printPackage, slashPath } from './package-path.js';

/** Which decision a Wasm module of the bundle makes. */
export interface WasmResolver {
  readonly entrypoint: string;
  readonly module: string;
  readonly annotations?: Value;
}

export interface Manifest {
  readonly revision: string;
  /** The paths below `data` that are this bundle's, without slashes at their ends; `['']` is everything, and the default. */
  readonly roots: readonly string[];
  readonly wasm: readonly WasmResolver[];
  readonly regoVersion?: number;
  /** Versions of single files, by patterns of their paths. */
  readonly fileRegoVersions?: ReadonlyMap<string, number>;
  readonly metadata?: PlainObject;
}

export const emptyManifest: Manifest = { revision: '', roots: [''], wasm: [] };

/** Whether a manifest says nothing that an absent one would not say. */
export function isEmptyManifest(manifest: Manifest): boolean {
  return manifestJson(manifest) === manifestJson(emptyManifest);
}

/** Reads a manifest; null says nothing. Unknown fields are let pass. Throws a BundleError. */
export function parseManifest(text: string): Manifest {
  let json: Value;
  try {
    json = parseJson(text);
  } catch (error) {
    throw decodeError((error as Error).message);
  }
  const fields = (json === null ? {} : objectOf(json, 'the manifest')) as { readonly [name: string]: Value | undefined };
  const field = (name: string) => (Object.hasOwn(fields, name) && fields[name] !== null ? fields[name] : undefined);
  const regoVersion = field('rego_version');
  const fileRegoVersions = field('file_rego_versions');
  const metadata = field('metadata');
  return {
    revision: stringOf(field('revision') ?? '', 'revision'),
    roots: arrayOf(field('roots') ?? [''], 'roots').map((root) => trimSlashes(stringOf(root, 'roots'))),
    wasm: arrayOf(field('wasm') ?? [], 'wasm').map(parseResolver),
    ...(regoVersion !== undefined && { regoVersion: integerIn(regoVersion, 'rego_version') }),
    ...(fileRegoVersions !== undefined && {
      fileRegoVersions: new Map(
        Object.entries(objectOf(fileRegoVersions, 'file_rego_versions')).map(([file, v]) => [file, integerIn(v, 'file_rego_versions')]),
      ),
    }),
    ...(metadata !== undefined && { metadata: objectOf(metadata, 'metadata') }),
  };
}

function parseResolver(value: Value): WasmResolver {
  const { entrypoint, module, annotations } = objectOf(value, 'wasm');
  return {
    entrypoint: stringOf(entrypoint ?? '', 'wasm.entrypoint'),
    module: stringOf(module ?? '', 'wasm.module'),
    ...(annotations !== undefined && { annotations }),
  };
}

function decodeError(problem: string): BundleError {
  return new BundleError('syntax', `bundle load failed on manifest decode: ${problem}`, '/.manifest');
}

function wrongType(name: string, wanted: string, got: Value): BundleError {
  return decodeError(`${name} must be ${wanted} but got ${typeName(got)}`);
}

function objectOf(value: Value, name: string): PlainObject {
  if (!isObject(value)) throw wrongType(name, 'object', value);
  return value as PlainObject;
}

function arrayOf(value: Value, name: string): readonly Value[] {
  if (!isArray(value)) throw wrongType(name, 'array', value);
  return value;
}

function stringOf(value: Value, name: string): string {
  if (!isString(value)) throw wrongType(name, 'string', value);
  return value;
}

function integerIn(value: Value, name: string): number {
  const integer = isNumber(value) ? integerOf(value) : undefined;
  if (integer === undefined) throw wrongType(name, 'integer', value);
  return Number(integer);
}

function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

/** A manifest as JSON on one line, its fields in the reference's order. */
export function manifestJson(manifest: Manifest): string {
  const fields = [`"revision":${quote(manifest.revision)}`, `"roots":${toJson(manifest.roots)}`];
  if (manifest.wasm.length > 0) fields.push(`"wasm":[${manifest.wasm.map(resolverJson).join(',')}]`);
  if (manifest.regoVersion !== undefined) fields.push(`"rego_version":${manifest.regoVersion}`);
  if (manifest.fileRegoVersions !== undefined && manifest.fileRegoVersions.size > 0) {
    fields.push(`"file_rego_versions":${toJson(Object.fromEntries(manifest.fileRegoVersions))}`);
  }
  if (manifest.metadata !== undefined && Object.keys(manifest.metadata).length > 0) fields.push(`"metadata":${toJson(manifest.metadata)}`);
  return `{${fields.join(',')}}`;
}

function resolverJson({ entrypoint, module, annotations }: WasmResolver): string {
  const fields: string[] = [];
  if (entrypoint !== '') fields.push(`"entrypoint":${quote(entrypoint)}`);
  if (module !== '') fields.push(`"module":${quote(module)}`);
  if (annotations !== undefined) fields.push(`"annotations":${toJson(annotations)}`);
  return `{${fields.join(',')}}`;
}

/** A manifest as a document, as `system.bundle.manifest` has it. */
export function manifestValue(manifest: Manifest): PlainObject {
  return parseJson(manifestJson(manifest)) as PlainObject;
}

/** Whether one of two roots lies within the other. */
export function rootsOverlap(a: string, b: string): boolean {
  const x = a.split('/');
  const y = b.split('/');
  return contains(x, y) || contains(y, x);
}

/** Whether a path lies within one of the roots. */
export function rootsContain(roots: readonly string[], path: string): boolean {
  const segments = path.split('/');
  return roots.some((root) => contains(root.split('/'), segments));
}

function contains(root: readonly string[], path: readonly string[]): boolean {
  if (root.length === 1 && root[0] === '') return true;
  return root.length <= path.length && root.every((segment, i) => segment === path[i]);
}

/** Checks that a bundle keeps to its manifest. Throws a BundleError with the reference's sentence. */
export function checkManifest(bundle: Bundle): void {
  const { manifest } = bundle;
  checkRoots(manifest.roots);
  if (manifest.roots.includes('')) {
    checkWasm(bundle);
    return;
  }
  checkModules(bundle);
  checkWasm(bundle);
  for (const { path } of bundle.patch ?? []) {
    const trimmed = trimSlashes(path);
    if (!rootsContain(manifest.roots, trimmed)) throw outside(manifest, `data patch at path '${trimmed}'`, '/patch.json');
  }
  checkData(manifest, bundle.data);
}

function checkRoots(roots: readonly string[]): void {
  for (const [i, root] of roots.entries()) {
    for (const other of roots.slice(i + 1)) {
      if (rootsOverlap(root, other)) {
        throw new BundleError('manifest', `manifest has overlapped roots: '${root}' and '${other}'`, '/.manifest');
      }
    }
  }
}

function outside(manifest: Manifest, what: string, file?: string): BundleError {
  return new BundleError('roots', `manifest roots [${manifest.roots.join(' ')}] do not permit ${what}`, file);
}

function checkModules({ manifest, modules }: Bundle): void {
  for (const module of modules) {
    const path = packagePath(module.text);
    if (path !== undefined && !rootsContain(manifest.roots, slashPath(path))) {
      throw outside(manifest, `'${printPackage(path)}' in module '${module.path}'`, module.path);
    }
  }
}

function checkWasm({ manifest, wasm }: Bundle): void {
  const seen = new Set<string>();
  for (const { entrypoint, module } of manifest.wasm) {
    if (!wasm.some((file) => file.path === module || file.bundlePath === module)) {
      throw new BundleError('manifest', `manifest references wasm module '${module}' but the module file does not exist`, module);
    }
    if (!rootsContain(manifest.roots, entrypoint))
      throw outside(manifest, `'${entrypoint}' entrypoint for wasm module '${module}'`, module);
    if (seen.has(entrypoint)) {
      throw new BundleError('manifest', `entrypoint '${entrypoint}' cannot be used by more than one wasm module`, module);
    }
    seen.add(entrypoint);
  }
}

/** Goes down the data as far as roots may lie below it. A list of open places rather than recursion: data may nest deeply. */
function checkData(manifest: Manifest, data: PlainObject): void {
  const roots = manifest.roots.map((root) => root.split('/'));
  const open: { readonly path: readonly string[]; readonly node: Value }[] = [{ path: [], node: data }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { path, node } = place;
    if (path.length > 0 && roots.some((root) => contains(root, path))) continue;
    const leadsOn = path.length === 0 || roots.some((root) => path.includes(root[0]!));
    if (!isObject(node) || !leadsOn) {
      throw outside(manifest, `data at path '/${path.join('/')}' (hint: check bundle directory structure)`);
    }
    for (const [key, value] of Object.entries(node as PlainObject).reverse()) open.push({ path: [...path, keyName(key)], node: value });
  }
}

/**
 * The version of the language that a file of the bundle is written in: what `file_rego_versions` says of its path, else the bundle's, else
 * `fallback`. Throws a BundleError for a version that does not exist or a pattern that cannot be read.
 */
export function regoVersionOf(manifest: Manifest, bundlePath: string, fallback: 0 | 1): 0 | 1 {
  let version = manifest.regoVersion;
  for (const [pattern, own] of manifest.fileRegoVersions ?? []) {
    if (pathMatches(pattern, bundlePath)) {
      version = own;
      break;
    }
  }
  if (version === undefined) return fallback;
  if (version === 0 || version === 1) return version;
  throw new BundleError('manifest', `unknown bundle rego-version ${version} for file '${bundlePath}'`, bundlePath);
}

function pathMatches(pattern: string, path: string): boolean {
  try {
    return pathGlob(pattern)(path);
  } catch (error) {
    throw new BundleError('manifest', `failed to compile glob pattern ${pattern}: ${(error as Error).message}`, '/.manifest');
  }
}
