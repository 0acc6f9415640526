/**
 * Entrypoints of WebAssembly in bundles. The reference takes the rules of entrypoints, and of what
 * reads them, out of the Rego beside it. Without them `not data.authz.denied` would hold.
 */

import type { Module } from '../../../compiler/index.js';
import { constantKeys, packageKeys } from '../../../compiler/index.js';
import { BundleError } from '../../bundle/bundle-error.js';
import type { WasmResolver } from '../../bundle/manifest.js';

/**
 * The entrypoints that only the WebAssembly answers: no rule is at, above or below them, or none is
 * at them and a module says that one was taken out.
 */
export function wasmWithoutRules(wasm: readonly WasmResolver[], modules: Iterable<Module>): readonly WasmResolver[] {
  if (wasm.length === 0) return [];
  const all = [...modules];
  const rules = all.flatMap(rulePaths);
  const taken = all.flatMap(importsOfOwn);
  const lacks = (path: readonly string[]) =>
    !rules.some((rule) => meet(path, rule)) ||
    (taken.some((from) => isSame(path, from)) && !rules.some((rule) => isSame(path, rule)));
  return wasm.filter(({ entrypoint }) => namesOf(entrypoint).every(lacks));
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

/**
 * Paths in a module's own package that it imports. The reference writes such an import for each
 * entrypoint whose rules it takes out; rules of the same name with longer paths stay.
 */
function importsOfOwn(module: Module): string[][] {
  const keys = packageKeys(module.package).map(({ value }) => value);
  return module.imports.flatMap(({ path: { terms } }) => {
    const [root, ...rest] = terms;
    if (root?.type !== 'var' || root.name !== 'data') return [];
    const path = rest.flatMap((key) => (key.type === 'string' ? [key.value] : []));
    return keys.every((key, i) => key === path[i]) ? [path] : [];
  });
}

const isSame = (a: readonly string[], b: readonly string[]) => a.length === b.length && meet(a, b);

/** Whether one path is the other's, or leads to it. */
function meet(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.every((part, i) => part === long[i]);
}

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
