/** The policies of a bundle, compiled to plans of ours. Loaded for bundles alone. */
import type { Builtin } from '../../builtins/builtin.js';
import { withRows } from '../../builtins/declared-builtins.js';
import { builtins as ours } from '../../builtins/registry.js';
import type { Bundle } from '../../bundle/bundle.js';
import type { Module } from '../../compiler/ast/nodes.js';
import { walk } from '../../compiler/ast/walk.js';
import { annotatedEntrypoints } from '../../compiler/entrypoints.js';
import { compileOrThrow } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import type { Compiled } from '../../compiler/resolve/compiled.js';
import { rulesRead } from '../../compiler/resolve/tree.js';
import { nowhere } from '../../compiler/source/location.js';
import type { Target } from '../../engine/evaluation/evaluate.js';
import { loadEntrypoints } from '../../engine/load-program.js';
import { moduleVersion, parseBundleModule } from '../../engine/policies/bundles/bundle-modules.js';
import { assemble } from '../../runtime/bytecode/assemble.js';
import { link } from '../../runtime/codegen/link.js';
import type { Evaluation } from '../../runtime/evaluation/evaluation.js';
import { type Json, toPlain } from '../../values/json/json.js';
import type { Value } from '../../values/value.js';
import { type CustomBuiltins, customRowOf } from './custom-builtins.js';
import { documentValue } from './document.js';
import { onlyCustom } from './host-builtins.js';
import { OpaWasmError } from './opa-wasm-error.js';
import type { PolicyCode } from './policy-code.js';

class PlanCode implements PolicyCode {
  readonly entrypoints: Readonly<Record<string, number>>;
  readonly #targets: readonly Target[];
  #data: Value;

  constructor(targets: ReadonlyMap<string, Target>, data: Value) {
    this.entrypoints = Object.fromEntries([...targets.keys()].map((name, i) => [name, i]));
    this.#targets = [...targets.values()];
    this.#data = data;
  }

  setData(data: unknown): void {
    this.#data = documentValue(data, 'data') ?? {};
  }

  run(entrypoint: number, input: unknown, evaluation: Evaluation): Json {
    const { executable, plan } = this.#targets[entrypoint]!;
    const results = executable.run(plan, documentValue(input, 'input'), this.#data, evaluation);
    return results.map(toPlain);
  }
}

/**
 * A bundle's policies, or its plans where it has no policies. Rejects with CompileErrors, a
 * BundleError, a PlanError or an OpaWasmError.
 */
export async function planCode(bundle: Bundle, custom: CustomBuiltins): Promise<PolicyCode> {
  const targets =
    bundle.modules.length > 0 ? await compiledTargets(bundle, custom) : await plannedTargets(bundle, custom);
  return new PlanCode(targets, bundle.data);
}

async function plannedTargets(bundle: Bundle, custom: CustomBuiltins): Promise<ReadonlyMap<string, Target>> {
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

async function compiledTargets(bundle: Bundle, custom: CustomBuiltins): Promise<ReadonlyMap<string, Target>> {
  const reading = { language: 'v1' } as const;
  const modules = new Map(
    bundle.modules.map((file) => [file.path, parseBundleModule(file, moduleVersion(bundle, file, reading), reading)]),
  );
  const builtins = withRows(ours, customRows([...modules.values()], custom));
  const compiled = compileOrThrow({ modules, options: { builtins } });
  const names = entrypointNames(bundle, [...modules.values()]);
  const requests = names.map((name) => ({ name, path: rulePath(compiled, name) }));
  const executable = await link(assemble(plan(compiled, requests)), builtins);
  return new Map(names.map((name) => [name, { executable, plan: executable.entrypoints.get(name)! }]));
}

/** The entrypoints of the WebAssembly beside the policies, or those that annotations name. */
function entrypointNames({ manifest }: Bundle, modules: readonly Module[]): readonly string[] {
  const compiled = manifest.wasm.map(({ entrypoint }) => entrypoint);
  const names = compiled.length > 0 ? compiled : annotatedEntrypoints(modules).map(({ name }) => name);
  if (names.length > 0) return names;
  throw new OpaWasmError(
    'invalid_policy',
    'the bundle has no entrypoint: build it with -t wasm and -e, or annotate rules with entrypoint: true',
  );
}

/** Names have slashes between the parts, and may also have points. */
function rulePath(compiled: Compiled, name: string): readonly string[] {
  const paths = [name.split('/'), name.split(/[/.]/)];
  const found = paths.find((path) => isRule(compiled, path));
  if (found === undefined)
    throw new OpaWasmError('invalid_policy', `entrypoint ${JSON.stringify(name)} of the bundle is no rule`);
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
