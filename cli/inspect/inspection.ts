/** Collects the facts about a bundle that `inspect` shows. */

import { documentText, type Module } from '../../compiler/index.js';
import { type Bundle, cleanPath, dirName, packagePathIn } from '../../engine/index.js';
import { type Func, type Policy, walkStatements } from '../../ir-schema/index.js';
import { builtins, capabilityOf, type PlainObject } from '../../values/index.js';
import { type AnnotationsRef, moduleAnnotations, wasmAnnotations } from './annotations.js';
import { policyManifest } from './plan-inputs.js';
import { requiredBy } from './required.js';

export interface Inspection {
  readonly bundle: Bundle;
  /** Whether it is a policy alone, which has no manifest. */
  readonly isPolicy: boolean;
  /** Files by the package or the path in `data` that they contribute to. */
  readonly namespaces: ReadonlyMap<string, readonly string[]>;
  readonly wasmModules: readonly PlainObject[];
  readonly annotations: readonly AnnotationsRef[];
  /** Built-ins and features that the policies need: on demand, since it compiles the policies. */
  readonly capabilities: () => Needed;
  readonly entrypoints: readonly string[];
  readonly functions: readonly FunctionInfo[];
  readonly builtins: readonly { readonly name: string; readonly available: boolean }[];
  readonly sizes: Readonly<Record<string, number>>;
}

interface Needed {
  readonly builtins: readonly PlainObject[];
  readonly keywords: readonly string[];
  readonly features: readonly string[];
}

interface FunctionInfo {
  readonly name: string;
  /** The path in Rego's notation, if the plan states it. */
  readonly path: string | undefined;
  /** The number of parameters besides `input` and `data`. */
  readonly parameters: number;
  readonly statements: number;
}

/**
 * Inspects a bundle.
 * @param policies its plans
 * @param modules its parsed policies
 */
export function inspectBundle(bundle: Bundle, policies: readonly Policy[], modules: readonly Module[]): Inspection {
  const called = calledBuiltins(policies);
  const statements = statementCounts(policies);
  return {
    bundle,
    isPolicy: bundle.manifest === policyManifest,
    namespaces: namespacesOf(bundle),
    wasmModules: bundle.wasm.map(({ path, url }) => ({
      entrypoints: bundle.manifest.wasm
        .filter(({ module }) => module === path)
        .map(({ entrypoint }) => documentText(entrypoint.split('/'))),
      path,
      url,
    })),
    annotations: [...moduleAnnotations(modules), ...wasmAnnotations(bundle)],
    capabilities: () => neededBy(modules, called),
    entrypoints: policies.flatMap((policy) => (policy.plans?.plans ?? []).map(({ name }) => name)),
    functions: policies.flatMap((policy) =>
      (policy.funcs?.funcs ?? []).map((func) => functionInfo(func, statements.get(func) ?? 0)),
    ),
    builtins: [...called.keys()].sort().map((name) => ({ name, available: builtins.has(name) })),
    sizes: sizesOf(
      bundle,
      policies,
      [...statements.values()].reduce((sum, n) => sum + n, 0),
    ),
  };
}

function namespacesOf(bundle: Bundle): Map<string, string[]> {
  const namespaces = new Map<string, string[]>();
  const add = (namespace: string, file: string) =>
    namespaces.set(namespace, [...(namespaces.get(namespace) ?? []), file]);
  for (const module of bundle.modules) {
    const path = packagePathIn(module.text);
    if (path !== undefined) add(documentText(path), cleanPath(module.path));
  }
  for (const { bundlePath, path } of bundle.dataFiles) {
    const place = dirName(bundlePath).slice(1);
    add(place === '' ? 'data' : `data.${place.replaceAll('/', '.')}`, cleanPath(path));
  }
  for (const { entrypoint, module } of bundle.manifest.wasm)
    add(`data.${entrypoint.replace(/^\//, '').replaceAll('/', '.')}`, module);
  return new Map([...namespaces].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The built-ins that plans call, with the plan's declarations. */
function calledBuiltins(policies: readonly Policy[]): Map<string, object> {
  const rows = policies.flatMap((policy) => policy.static?.builtin_funcs ?? []);
  return new Map(rows.map(({ name, decl }) => [name, decl ?? {}]));
}

function neededBy(modules: readonly Module[], called: ReadonlyMap<string, object>): Needed {
  const required = requiredBy(modules);
  const names = new Map([...required.builtins.map((name) => [name, {}] as const), ...called]);
  return { ...required, builtins: declarations(names) };
}

/**
 * Built-ins in the capabilities' format, by name: with our own declaration if we have the built-in,
 * otherwise with the given one.
 */
function declarations(needed: ReadonlyMap<string, object>): PlainObject[] {
  const names = [...needed.keys()].sort();
  return names.map((name) => {
    const row = builtins.get(name);
    return (row === undefined ? { name, decl: needed.get(name) } : capabilityOf(row)) as unknown as PlainObject;
  });
}

function statementCounts(policies: readonly Policy[]): Map<object, number> {
  const counts = new Map<object, number>();
  for (const policy of policies) {
    walkStatements(policy, (_statement, { owner }) => {
      const of = owner.kind === 'plan' ? owner.plan : owner.func;
      counts.set(of, (counts.get(of) ?? 0) + 1);
    });
  }
  return counts;
}

function functionInfo({ name, path, params }: Func, statements: number): FunctionInfo {
  return {
    name,
    path: path === undefined || path.length === 0 ? undefined : documentText(path.slice(1)),
    parameters: Math.max(0, (params?.length ?? 0) - 2),
    statements,
  };
}

function sizesOf(bundle: Bundle, policies: readonly Policy[], statements: number): Record<string, number> {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
  const bytes = (files: readonly { readonly bundlePath: string }[]) =>
    sum(files.map(({ bundlePath }) => bundle.files.get(bundlePath)?.length ?? 0));
  return {
    files: bundle.files.size,
    bytes: sum([...bundle.files.values()].map(({ length }) => length)),
    data_bytes: bytes(bundle.dataFiles),
    module_bytes: bytes(bundle.modules),
    plan_bytes: bytes(bundle.plans),
    plans: sum(policies.map((policy) => policy.plans?.plans?.length ?? 0)),
    functions: sum(policies.map((policy) => policy.funcs?.funcs?.length ?? 0)),
    statements,
    strings: sum(policies.map((policy) => policy.static?.strings?.length ?? 0)),
  };
}
