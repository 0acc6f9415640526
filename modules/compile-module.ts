/** Policy texts → the text of a JavaScript module and its declarations, in memory. */
import { builtins } from '../builtins/registry.js';
import type { Module } from '../compiler/ast/nodes.js';
import { CompileErrors, type Diagnostic } from '../compiler/diagnostics/diagnostics.js';
import { compileErrors } from '../compiler/diagnostics/render.js';
import { checkEntrypoints, type Entrypoint, parseEntrypoint, requestsFor } from '../compiler/entrypoints.js';
import { compileOrThrow } from '../compiler/pipeline.js';
import { plan } from '../compiler/plan/planner.js';
import type { Compiled } from '../compiler/resolve/compiled.js';
import type { CompileCapabilities } from '../compiler/resolve/options.js';
import { parseModule } from '../compiler/syntax/parse.js';
import { buildInfo } from '../engine/build-info.js';
import type { ModuleFormat } from '../runtime/codegen/module/module-exports.js';
import type { ModuleUnits } from '../runtime/codegen/module/module-units.js';
import { isObject, type PlainObject, type Value } from '../values/value.js';
import { moduleOfPlan } from './module-of-plan.js';

/** Policies that are compiled together, and the documents beside them. */
export interface ModuleSources {
  /** Texts by file name; names order the files, and stand in messages. */
  readonly policies: ReadonlyMap<string, string>;
  /** The base documents of the module. */
  readonly data?: PlainObject | undefined;
  /** JSON Schemas: `schema` is that of the input, `schema.x` one that annotations name. */
  readonly schemas?: ReadonlyMap<string, unknown> | undefined;
  readonly capabilities?: CompileCapabilities | undefined;
  /** The language of files that do not say it. Default: v1. */
  readonly regoVersion?: 'v0' | 'v1' | undefined;
}

export interface ModuleOptions {
  /** Paths such as `authz/allow`. */
  readonly entrypoints: readonly string[];
  /** Default: es. */
  readonly format?: ModuleFormat | undefined;
  readonly revision?: string | undefined;
  /** The runtime of modules: `readModuleUnits()`. */
  readonly units: ModuleUnits;
}

interface CompiledModule {
  readonly text: string;
  /** The declarations for TypeScript. */
  readonly declarations: string;
}

/** A module, or the errors for which there is none. */
export type ModuleOutcome =
  | { readonly module: CompiledModule; readonly diagnostics: readonly Diagnostic[] }
  | { readonly module: undefined; readonly diagnostics: readonly Diagnostic[] };

/**
 * Compiles policies to a module. Reads no files.
 * @example
 * const sources = { policies: new Map([['authz.rego', text]]), data: { admins: ['ann'] } };
 * const { module, diagnostics } = compileModule(sources, { entrypoints: ['authz/allow'], units });
 * @throws an Error for an entrypoint without rules
 */
export function compileModule(sources: ModuleSources, options: ModuleOptions): ModuleOutcome {
  try {
    const compiled = compileSources(sources);
    const entrypoints = options.entrypoints.map(parseEntrypoint);
    return { module: moduleOf(compiled, entrypoints, sources.data ?? {}, options), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    return { module: undefined, diagnostics: error.diagnostics };
  }
}

/** @throws CompileErrors */
function compileSources({ policies, data = {}, schemas, capabilities, regoVersion = 'v1' }: ModuleSources): Compiled {
  const parse = { regoVersion, ...(capabilities && { capabilities }) };
  const modules = new Map<string, Module>();
  const errors: Diagnostic[] = [];
  for (const [name, text] of policies) {
    try {
      modules.set(name, parseModule(name, text, parse));
    } catch (error) {
      if (!(error instanceof CompileErrors)) throw error;
      errors.push(...error.diagnostics);
    }
  }
  if (errors.length > 0) throw compileErrors(errors);
  const options = {
    print: true,
    schemaAnnotations: true,
    dataExists: (path: readonly string[]) => exists(data, path),
    ...(schemas && { schemas }),
    ...(capabilities && { capabilities }),
  };
  return compileOrThrow({ modules, options });
}

function moduleOf(
  compiled: Compiled,
  entrypoints: readonly Entrypoint[],
  data: PlainObject,
  { format = 'es', revision, units }: ModuleOptions,
): CompiledModule {
  checkEntrypoints(compiled, entrypoints);
  const names = entrypoints.map(({ name }) => name).join(', ');
  const title = `Built by writ ${buildInfo.version}: ${names}`;
  return moduleOfPlan(plan(compiled, requestsFor(entrypoints)), compiled, { entrypoints, data, revision, format, title, units, builtins });
}

function exists(data: Value, path: readonly string[]): boolean {
  let value: Value | undefined = data;
  for (const key of path) {
    if (value === undefined || !isObject(value) || !Object.hasOwn(value, key)) return false;
    value = (value as PlainObject)[key];
  }
  return value !== undefined;
}
