/** Merges bundles: each adds the data within its roots, and roots must not overlap. */

import { allAtOnce, type PlainObject, sortStrings } from '../../values/index.js';
import type { Bundle } from './bundle.js';
import { BundleError } from './bundle-error.js';
import { mergeDocuments, readAt, treeDocumentAt } from './data-trees.js';
import { type Manifest, regoVersionOf } from './manifest.js';
import { checkManifest } from './manifest-check.js';
import { rootsOverlap } from './roots.js';

/** A bundle and its name: its path or URL. */
export interface NamedBundle {
  readonly name: string;
  readonly bundle: Bundle;
}

/**
 * Several bundles as one. Its revision is empty, as the bundles may have several. Language versions
 * are given by file. Throws a BundleError where roots overlap.
 */
export function mergeBundles(bundles: readonly NamedBundle[]): Bundle {
  const [first, ...others] = bundles;
  if (first !== undefined && others.length === 0) return first.bundle;
  checkOverlap(bundles);
  const all = bundles.map(({ bundle }) => bundle);
  let data: PlainObject = {};
  for (const bundle of all) {
    for (const root of bundle.manifest.roots) {
      const path = root === '' ? [] : root.split('/');
      const value = readAt(bundle.data, path);
      const merged = value === undefined ? data : mergeDocuments(data, treeDocumentAt(path, value) ?? {});
      if (merged === undefined) throw new BundleError('conflict', `failed to insert data file from path ${root}`);
      data = merged;
    }
  }
  const versions = new Map(all.flatMap(fileVersions));
  const manifest: Manifest = {
    revision: '',
    roots: all.flatMap((bundle) => bundle.manifest.roots),
    wasm: all.flatMap((bundle) => bundle.manifest.wasm),
    ...(versions.size > 0 && { fileRegoVersions: versions }),
  };
  const merged: Bundle = {
    manifest,
    data,
    dataFiles: all.flatMap((bundle) => bundle.dataFiles),
    modules: all.flatMap((bundle) => bundle.modules),
    plans: all.flatMap((bundle) => bundle.plans),
    wasm: all.flatMap((bundle) => bundle.wasm),
    signatures: undefined,
    patch: undefined,
    files: new Map(
      bundles.flatMap(({ name, bundle }) =>
        [...bundle.files].map(([path, bytes]) => [`${name}${path}`, bytes] as const),
      ),
    ),
  };
  allAtOnce(checkManifest(merged));
  return merged;
}

/**
 * The language versions of files, if the bundle gives any. Paths are escaped, as the keys are
 * patterns.
 */
function fileVersions({ manifest, modules }: Bundle): [string, number][] {
  if (manifest.regoVersion === undefined && manifest.fileRegoVersions === undefined) return [];
  return modules.map(({ bundlePath }) => [
    bundlePath.replace(/[*?[\]{}\\]/g, '\\$&'),
    regoVersionOf(manifest, bundlePath, 1),
  ]);
}

/** Throws a BundleError that names overlapping bundles and roots. */
export function checkOverlap(bundles: readonly NamedBundle[]): void {
  const colliding = new Set<string>();
  const conflicts = new Set<string>();
  for (const [i, one] of bundles.entries()) {
    for (const other of bundles.slice(i + 1)) {
      for (const a of one.bundle.manifest.roots) {
        for (const b of other.bundle.manifest.roots) {
          if (!rootsOverlap(a, b)) continue;
          colliding.add(one.name).add(other.name);
          conflicts.add(a === b ? `root ${a} is in multiple bundles` : sortStrings([a, b]).join(' overlaps '));
        }
      }
    }
  }
  if (colliding.size === 0) return;
  const names = sortStrings([...colliding]).join(', ');
  const everything = bundles.filter(({ bundle }) => bundle.manifest.roots.includes('')).map(({ name }) => name);
  if (everything.length > 0) {
    throw new BundleError(
      'roots',
      `bundles [${names}] have overlapping roots and cannot be activated simultaneously because bundle(s) [${sortStrings([...new Set(everything)]).join(', ')}] specify empty root paths ('') which overlap with any other bundle root`,
    );
  }
  const reasons = sortStrings([...conflicts]).join(', ');
  throw new BundleError('roots', `detected overlapping roots in manifests for these bundles: [${names}] (${reasons})`);
}
