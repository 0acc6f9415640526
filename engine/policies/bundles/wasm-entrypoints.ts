/**
 * Entrypoints of WebAssembly in bundles. The reference takes the rules of entrypoints, and of what
 * reads them, out of the Rego beside it. Without them `not data.authz.denied` would hold.
 */

import type { Module } from '../../../compiler/ast/nodes.js';
import { constantKeys, packageKeys } from '../../../compiler/resolve/tree.js';
import { BundleError } from '../../bundle/bundle-error.js';
import type { WasmResolver } from '../../bundle/manifest.js';

/** The entrypoints that only the WebAssembly answers: no rule is at, above or below them. */
export function withoutRules(wasm: readonly WasmResolver[], modules: Iterable<Module>): readonly WasmResolver[] {
  if (wasm.length === 0) return [];
  const paths = [...modules].flatMap(rulePaths);
  return wasm.filter(({ entrypoint }) => !namesOf(entrypoint).some((path) => paths.some((rule) => meet(path, rule))));
}

/** The path of an entrypoint; names may also have points between the parts. */
function namesOf(entrypoint: string): readonly (readonly string[])[] {
  const parts = (separator: string | RegExp) => entrypoint.split(separator).filter((part) => part !== '');
  return [parts('/'), parts(/[/.]/)];
}

function rulePaths(module: Module): string[][] {
  const keys = packageKeys(module.package).map(({ value }) => value);
  return module.rules.map(({ head: { ref } }) => {
    const [first] = ref;
    const name = first?.type === 'var' ? [first.name] : [];
    return [...keys, ...name, ...constantKeys(ref).map((key) => (key.type === 'string' ? key.value : ''))];
  });
}

/** Whether one path is the other's, or leads to it. */
function meet(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.every((part, i) => part === long[i]);
}

/** Throws a BundleError for a bundle whose rules are in WebAssembly alone. */
export function checkWasmRules(wasm: readonly WasmResolver[], modules: Iterable<Module>): void {
  const missing = withoutRules(wasm, modules);
  if (missing.length === 0) return;
  const names = missing.map(({ entrypoint }) => JSON.stringify(entrypoint)).join(', ');
  throw new BundleError(
    'wasm',
    `the rules of ${names} are only in the bundle's WebAssembly, which is not run here: ` +
      'build the bundle as Rego or as a plan (without -t wasm, or with -t plan), or run it by writ/opa-wasm',
    missing[0]?.module,
  );
}
