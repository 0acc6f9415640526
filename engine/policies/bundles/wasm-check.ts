/** The check that a bundle's rules are in its Rego: WebAssembly is not run where bundles decide. */
import type { Module } from '../../../compiler/index.js';
import { BundleError } from '../../bundle/bundle-error.js';
import type { WasmResolver } from '../../bundle/manifest.js';
import { wasmWithoutRules } from './wasm-entrypoints.js';

/** Throws a BundleError for a bundle whose rules are in WebAssembly alone. */
export function checkWasmRules(wasm: readonly WasmResolver[], modules: Iterable<Module>): void {
  const missing = wasmWithoutRules(wasm, modules);
  if (missing.length === 0) return;
  const names = missing.map(({ entrypoint }) => JSON.stringify(entrypoint)).join(', ');
  throw new BundleError(
    'wasm',
    `the rules of ${names} are only in the bundle's WebAssembly, which is not run here: ` +
      'build the bundle as Rego or as a plan (without -t wasm, or with -t plan), or run it by writ/opa-wasm',
    missing[0]?.module,
  );
}
