/** Checks that the content of a bundle keeps to its manifest. */

import { isObject, keyName, type PlainObject, type Steps, type Value } from '../../values/index.js';
import type { Bundle } from './bundle.js';
import { BundleError } from './bundle-error.js';
import { trimSlashes } from './bundle-paths.js';
import type { Manifest } from './manifest.js';
import { packagePathIn, packageText, slashPath } from './package-path.js';
import { rootContains, rootsContain, rootsOverlap } from './roots.js';

/**
 * Checks that a bundle keeps to its manifest, in steps. Throws a BundleError with the reference's
 * sentence.
 */
export function* checkManifest(bundle: Bundle): Steps {
  const { manifest } = bundle;
  checkRoots(manifest.roots);
  if (manifest.roots.includes('')) {
    checkWasm(bundle);
    return;
  }
  yield* checkModules(bundle);
  checkWasm(bundle);
  for (const { path } of bundle.patch ?? []) {
    const trimmed = trimSlashes(path);
    if (!rootsContain(manifest.roots, trimmed))
      throw outside(manifest, `data patch at path '${trimmed}'`, '/patch.json');
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

function* checkModules({ manifest, modules }: Bundle): Steps {
  for (const module of modules) {
    const path = packagePathIn(module.text);
    if (path !== undefined && !rootsContain(manifest.roots, slashPath(path))) {
      throw outside(manifest, `'${packageText(path)}' in module '${module.path}'`, module.path);
    }
    yield;
  }
}

function checkWasm({ manifest, wasm }: Bundle): void {
  const seen = new Set<string>();
  for (const { entrypoint, module } of manifest.wasm) {
    if (!wasm.some((file) => file.path === module || file.bundlePath === module)) {
      throw new BundleError(
        'manifest',
        `manifest references wasm module '${module}' but the module file does not exist`,
        module,
      );
    }
    if (!rootsContain(manifest.roots, entrypoint))
      throw outside(manifest, `'${entrypoint}' entrypoint for wasm module '${module}'`, module);
    if (seen.has(entrypoint)) {
      throw new BundleError(
        'manifest',
        `entrypoint '${entrypoint}' cannot be used by more than one wasm module`,
        module,
      );
    }
    seen.add(entrypoint);
  }
}

/** Walks the data down to the roots. It does so without recursion, as data may nest deeply. */
function checkData(manifest: Manifest, data: PlainObject): void {
  const roots = manifest.roots.map((root) => root.split('/'));
  const open: { readonly path: readonly string[]; readonly node: Value }[] = [{ path: [], node: data }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { path, node } = place;
    if (path.length > 0 && roots.some((root) => rootContains(root, path))) continue;
    const leadsOn = path.length === 0 || roots.some(([first = '']) => path.includes(first));
    if (!isObject(node) || !leadsOn) {
      throw outside(manifest, `data at path '/${path.join('/')}' (hint: check bundle directory structure)`);
    }
    for (const [key, value] of Object.entries(node as PlainObject).reverse())
      open.push({ path: [...path, keyName(key)], node: value });
  }
}
