/** `.manifest`: a bundle's revision, its roots, and the language versions of its files. */

import { type PlainObject, parseJson, quote, toJson, type Value } from '../../values/index.js';
import { BundleError } from './bundle-error.js';
import { pathGlob } from './glob.js';

/** The decision that a Wasm module of the bundle makes. */
export interface WasmResolver {
  readonly entrypoint: string;
  readonly module: string;
  readonly annotations?: Value;
}

export interface Manifest {
  readonly revision: string;
  /**
   * The paths below `data` that the bundle owns, without outer slashes. The default, `['']`, is
   * everything.
   */
  readonly roots: readonly string[];
  readonly wasm: readonly WasmResolver[];
  readonly regoVersion?: number;
  /** Versions of single files, by patterns of their paths. */
  readonly fileRegoVersions?: ReadonlyMap<string, number>;
  readonly metadata?: PlainObject;
}

export const emptyManifest: Manifest = { revision: '', roots: [''], wasm: [] };

/** Whether a manifest equals an absent one. */
export function isEmptyManifest(manifest: Manifest): boolean {
  return manifestJson(manifest) === manifestJson(emptyManifest);
}

/** A manifest as JSON on one line, its fields in the reference's order. */
export function manifestJson(manifest: Manifest): string {
  const fields = [`"revision":${quote(manifest.revision)}`, `"roots":${toJson(manifest.roots)}`];
  if (manifest.wasm.length > 0) fields.push(`"wasm":[${manifest.wasm.map(resolverJson).join(',')}]`);
  if (manifest.regoVersion !== undefined) fields.push(`"rego_version":${manifest.regoVersion}`);
  if (manifest.fileRegoVersions !== undefined && manifest.fileRegoVersions.size > 0) {
    fields.push(`"file_rego_versions":${toJson(Object.fromEntries(manifest.fileRegoVersions))}`);
  }
  if (manifest.metadata !== undefined && Object.keys(manifest.metadata).length > 0)
    fields.push(`"metadata":${toJson(manifest.metadata)}`);
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

/**
 * The language version of a file: the one that `file_rego_versions` gives its path, else the
 * bundle's, else `fallback`. Throws a BundleError for a version that does not exist and for a bad
 * pattern.
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
    throw new BundleError(
      'manifest',
      `failed to compile glob pattern ${pattern}: ${(error as Error).message}`,
      '/.manifest',
    );
  }
}
