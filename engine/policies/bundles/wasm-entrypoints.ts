/**
 * Entrypoints of WebAssembly in bundles. The reference takes the rules of entrypoints, and of what
 * reads them, out of the Rego beside it. Without them `not data.authz.denied` would hold.
 */

import { constantKeys, isRoot, type Module, packageKeys, type Term } from '../../../compiler/index.js';
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
  const lacks = (path: string) =>
    !rules.some((rule) => rule.startsWith(path) || path.startsWith(rule)) ||
    (taken.includes(path) && !rules.includes(path));
  // Names may also have points between the parts.
  return wasm.filter(({ entrypoint }) => ['/', /[/.]/].every((between) => lacks(pathText(entrypoint.split(between)))));
}

/** A path as a text that begins with those of the paths above it. */
function pathText(parts: readonly string[]): string {
  return parts.map((part) => part && `${part}\0`).join('');
}

/** No path of an entrypoint has a key that is no text. */
function keysText(keys: readonly Term[]): string {
  return pathText(keys.map((key) => (key.type === 'string' ? key.value : '\0')));
}

function rulePaths({ package: own, rules }: Module): string[] {
  const above = keysText(packageKeys(own));
  return rules.map(({ head: { ref } }) => {
    const [first] = ref;
    return above + (first?.type === 'var' ? pathText([first.name]) : '') + keysText(constantKeys(ref));
  });
}

/**
 * Paths in a module's own package that it imports. The reference writes such an import for each
 * entrypoint whose rules it takes out; rules of the same name with longer paths stay.
 */
function importsOfOwn({ package: own, imports }: Module): string[] {
  const above = keysText(packageKeys(own));
  return imports.flatMap(({ path: { terms } }) => {
    const [root, ...rest] = terms;
    const path = keysText(rest);
    return isRoot(root, 'data') && path !== above && path.startsWith(above) ? [path] : [];
  });
}
