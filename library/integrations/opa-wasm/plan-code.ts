/** The policies of a bundle, compiled to plans of ours. Loaded for bundles alone. */

import type { Compiled, Module, RuleTree } from '../../../compiler/index.js';
import { annotatedEntrypoints, compileOrThrow, nowhere, plan, rulesRead, walk } from '../../../compiler/index.js';
import type { Bundle, EvaluationTarget, WasmFile } from '../../../engine/index.js';
import { loadEntrypoints, moduleVersion, parseBundleModule, wasmWithoutRules } from '../../../engine/index.js';
import type { Policy } from '../../../ir-schema/index.js';
import { assemble, type Evaluation, link } from '../../../runtime/index.js';
import type { Builtin, Value } from '../../../values/index.js';
import { type Json, builtins as ours, plainCopy, sortStrings, withRows } from '../../../values/index.js';
import { type CustomBuiltins, customRowOf } from './custom-builtins.js';
import { documentCopy, documentValue } from './document.js';
import { onlyCustom } from './host-builtins.js';
import { noRule, OpaWasmError } from './opa-wasm-error.js';
import type { PolicyCode } from './policy-code.js';

class PlanCode implements PolicyCode {
  readonly entrypoints: Readonly<Record<string, number>>;
  readonly #targets: readonly EvaluationTarget[];
  readonly hasDefault: boolean;
  #data: Value;

  /** @param isDeclared whether the entrypoints have an order that users know */
  constructor(targets: ReadonlyMap<string, EvaluationTarget>, data: Value, isDeclared = true) {
    this.hasDefault = isDeclared || targets.size === 1;
    this.entrypoints = Object.fromEntries([...targets.keys()].map((name, i) => [name, i]));
    this.#targets = [...targets.values()];
    this.#data = data;
  }

  setData(data: unknown): void {
    this.#data = documentCopy(data, 'data') ?? {};
  }

  run(entrypoint: number, input: unknown, evaluation: Evaluation): Json {
    const { executable, plan } = this.#targets[entrypoint]!;
    const results = executable.run(plan, documentValue(input, 'input'), this.#data, evaluation);
    return results.map(plainCopy);
  }
}

/**
 * A bundle's policies, or its plans where it has no policies; the file of WebAssembly that answers
 * instead where that alone has rules of entrypoints. Rejects with CompileErrors, a BundleError, a
 * PlanError or an OpaWasmError.
 */
export async function planCode(bundle: Bundle, custom: CustomBuiltins): Promise<PolicyCode | WasmFile> {
  if (bundle.modules.length === 0) return new PlanCode(await plannedTargets(bundle, custom), bundle.data);
  const modules = parsedModules(bundle);
  const alone = wasmWithoutRules(bundle.manifest.wasm, modules.values());
  if (alone.length > 0) return wasmFileOf(bundle, alone);
  const { targets, isDeclared } = await compiledTargets(bundle, modules, custom);
  return new PlanCode(targets, bundle.data, isDeclared);
}

/** The file that has some entrypoints. Throws an OpaWasmError where they are in several. */
function wasmFileOf({ wasm, manifest }: Bundle, alone: Bundle['manifest']['wasm']): WasmFile {
  const names = new Set(alone.map(({ module }) => module));
  const [file] = wasm.filter(({ path, bundlePath }) => names.has(path) || names.has(bundlePath));
  if (file !== undefined && manifest.wasm.every(({ module }) => module === file.path || module === file.bundlePath))
    return file;
  throw new OpaWasmError('invalid_policy', 'the bundle has its entrypoints in several files of WebAssembly');
}

async function plannedTargets(bundle: Bundle, custom: CustomBuiltins): Promise<ReadonlyMap<string, EvaluationTarget>> {
  const declared = bundle.plans.flatMap(({ policy }) => builtinsOf(policy));
  const rows = onlyCustom(custom).map(([name, body]) =>
    customRowOf(name, body, declared.find((row) => row.name === name)?.operands ?? 0),
  );
  const conflict = (message: string) => new OpaWasmError('invalid_policy', message);
  return await loadEntrypoints([bundle], withRows(ours, rows), conflict, { endsSoon: false });
}

/** The built-ins that a plan declares; it need not be well formed. */
function builtinsOf(policy: unknown): { readonly name: unknown; readonly operands: number }[] {
  const declared = (policy as { readonly static?: { readonly builtin_funcs?: unknown } } | null)?.static?.builtin_funcs;
  if (!Array.isArray(declared)) return [];
  return (declared as ({ readonly name?: unknown; readonly decl?: { readonly args?: unknown } } | null)[]).map(
    (row) => ({
      name: row?.name,
      operands: Array.isArray(row?.decl?.args) ? row.decl.args.length : 0,
    }),
  );
}

function parsedModules(bundle: Bundle): ReadonlyMap<string, Module> {
  const reading = { language: 'v1' } as const;
  return new Map(
    bundle.modules.map((file) => [file.path, parseBundleModule(file, moduleVersion(bundle, file, reading), reading)]),
  );
}

interface CompiledTargets {
  readonly targets: ReadonlyMap<string, EvaluationTarget>;
  /** Whether the bundle says which of them are entrypoints, and in which order. */
  readonly isDeclared: boolean;
}

async function compiledTargets(
  bundle: Bundle,
  modules: ReadonlyMap<string, Module>,
  custom: CustomBuiltins,
): Promise<CompiledTargets> {
  const builtins = withRows(ours, customRows([...modules.values()], custom));
  const compiled = compileOrThrow({ modules, options: { builtins } });
  const declared = declaredNames(bundle, [...modules.values()]);
  // `build -e` leaves no trace in a bundle of Rego: each rule can be asked by its path.
  const names = bundle.manifest.wasm.length > 0 ? declared : [...new Set([...declared, ...documentNames(compiled)])];
  if (names.length === 0) throw new OpaWasmError('invalid_policy', 'the bundle has no rule that can be asked');
  const requests = names.map((name) => ({ name, path: rulePath(compiled, name) }));
  const executable = await link(assemble(plan(compiled, requests)), builtins);
  return {
    targets: new Map(names.map((name) => [name, { executable, plan: executable.entrypoints.get(name)! }])),
    isDeclared: declared.length > 0,
  };
}

/** The entrypoints of the WebAssembly or the plan beside the policies, or those of annotations. */
function declaredNames({ manifest, plans }: Bundle, modules: readonly Module[]): readonly string[] {
  const compiled = manifest.wasm.map(({ entrypoint }) => entrypoint);
  if (compiled.length > 0) return compiled;
  const planned = plans.flatMap(({ policy }) => (policy as Policy).plans?.plans?.map(({ name }) => name) ?? []);
  return planned.length > 0 ? planned : annotatedEntrypoints(modules).map(({ name }) => name);
}

/** The paths of all rules that are documents. */
function documentNames({ ruleTree }: Compiled): readonly string[] {
  return sortStrings([...new Set([...documentPaths(ruleTree)].map((path) => path.join('/')))]);
}

function* documentPaths({ rules, children }: RuleTree, path: readonly string[] = []): Iterable<readonly string[]> {
  if (rules.some(({ rule }) => rule.head.args === undefined)) yield path;
  for (const child of children.values())
    if (child.key.type === 'string') yield* documentPaths(child, [...path, child.key.value]);
}

/** Names have slashes between the parts, and may also have points. */
function rulePath(compiled: Compiled, name: string): readonly string[] {
  const paths = [name.split('/'), name.split(/[/.]/)];
  const found = paths.find((path) => isRule(compiled, path));
  if (found === undefined) throw noRule(name);
  return found;
}

function isRule({ ruleTree }: Compiled, path: readonly string[]): boolean {
  const root = { type: 'var', loc: nowhere, name: 'data' } as const;
  return (
    rulesRead(ruleTree, [root, ...path.map((value) => ({ type: 'string', loc: nowhere, value }) as const)]).length > 0
  );
}

/** Rows of the caller's functions, with as many operands as the shortest call of each has. */
function customRows(modules: readonly Module[], custom: CustomBuiltins): Builtin[] {
  const operands = new Map<string, number>();
  for (const module of modules) {
    walk(module, (node) => {
      const isCall = node.type === 'call' || (node.type === 'expr' && node.kind === 'call');
      if (!isCall) return;
      const name = node.operator.terms
        .map((term) => (term.type === 'var' ? term.name : term.type === 'string' ? term.value : ''))
        .join('.');
      operands.set(name, Math.min(node.args.length, operands.get(name) ?? Infinity));
    });
  }
  return onlyCustom(custom).map(([name, body]) => customRowOf(name, body, operands.get(name) ?? 0));
}
