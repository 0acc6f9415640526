/** Policy texts → the text of a JavaScript module and its declarations, in memory. */

import type { CompileCapabilities, Compiled, Diagnostic, Module, Schemas } from '../../compiler/index.js';
import {
  CompileErrors,
  checkEntrypoints,
  compileErrors,
  compileOrThrow,
  parseEntrypoint,
  parseModule,
  plan,
  requestsFor,
  schemaDocuments,
} from '../../compiler/index.js';
import { buildInfo } from '../../engine/index.js';
import type { ModuleFormat, ModuleUnits } from '../../runtime/index.js';
import { builtins, isObject, type PlainObject, type Value } from '../../values/index.js';
import { type ModuleTexts, moduleOfPlan } from './module-of-plan.js';
import { packageOf, rulesOfPackage } from './package-rules.js';
import { fileTitle } from './types/file-title.js';

/** Policies that are compiled together, and the documents beside them. */
export interface ModuleSources {
  /** Texts by file name; names order the files, and stand in messages. */
  readonly policies: ReadonlyMap<string, string>;
  /** The base documents of the module. */
  readonly data?: PlainObject | undefined;
  /**
   * Schemas as `Engine.open` takes them; or JSON Schemas by name: `schema` is that of the input,
   * `schema.x` one that annotations name.
   */
  readonly schemas?: Schemas | ReadonlyMap<string, unknown> | undefined;
  readonly capabilities?: CompileCapabilities | undefined;
  /** The language of files that do not say it. Default: v1. */
  readonly regoVersion?: 'v0' | 'v1' | undefined;
}

/** The exports of the module. */
type Exported =
  /** The rules of a policy file's package, by their names. */
  | { readonly file: string; readonly entrypoints?: undefined }
  /** Documents at paths such as `authz/allow`, by the segments of their paths. */
  | { readonly entrypoints: readonly string[]; readonly file?: undefined };

export type CompileModuleOptions = Exported & {
  /** Default: es. */
  readonly format?: ModuleFormat | undefined;
  readonly revision?: string | undefined;
  /** The runtime of modules: `readModuleUnits()`. */
  readonly units: ModuleUnits;
  /** For a source map: the texts of the policies by name. */
  readonly sources?: ReadonlyMap<string, string> | undefined;
  /** See `ModuleRequest`. */
  readonly live?: string | undefined;
};

/** A module, or the errors for which there is none. */
type ModuleOutcome =
  | {
      readonly module: ModuleTexts;
      /** Rules of the file that the module does not export, because no module can. */
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly module: undefined; readonly diagnostics: readonly Diagnostic[] };

/**
 * Compiles policies to a module. Reads no files.
 * @example
 * const sources = { policies: new Map([['authz.rego', text]]), data: { admins: ['ann'] } };
 * const { module, diagnostics } = compileModule(sources, { file: 'authz.rego', units });
 * @throws an Error for an entrypoint without rules, and for a file that is none of the policies
 */
export function compileModule(sources: ModuleSources, options: CompileModuleOptions): ModuleOutcome {
  try {
    return moduleOf(compilePolicies(sources), options);
  } catch (error) {
    if (!(error instanceof CompileErrors)) throw error;
    return { module: undefined, diagnostics: error.diagnostics };
  }
}

/** Compiled policies, for the modules of several of their files. */
interface CompiledPolicies {
  readonly compiled: Compiled;
  readonly data: PlainObject;
}

/** @throws CompileErrors */
function compilePolicies({
  policies,
  data = {},
  schemas,
  capabilities,
  regoVersion = 'v1',
}: ModuleSources): CompiledPolicies {
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
    ...(schemas && { schemas: schemaDocuments(schemas) }),
    ...(capabilities && { capabilities }),
  };
  return { compiled: compileOrThrow({ modules, options }), data };
}

/**
 * As `compileModule`, of policies that are compiled already.
 * @throws CompileErrors as well
 */
function moduleOf(
  { compiled, data }: CompiledPolicies,
  options: CompileModuleOptions,
): ModuleOutcome & { readonly module: ModuleTexts } {
  const { format = 'es', revision, units, live, sources, file } = options;
  const planned = { data, revision, format, units, builtins, live, sources };
  if (file === undefined) {
    const entrypoints = options.entrypoints.map(parseEntrypoint);
    checkEntrypoints(compiled, entrypoints);
    const title = `Built by writ ${buildInfo.version}: ${entrypoints.map(({ name }) => name).join(', ')}`;
    const policy = plan(compiled, requestsFor(entrypoints));
    return { module: moduleOfPlan(policy, compiled, { ...planned, entrypoints, title }), diagnostics: [] };
  }
  const { path, entrypoints, refused } = rulesOfPackage(compiled, packageOf(compiled, file));
  const title = fileTitle(file);
  const policy = plan(compiled, requestsFor(entrypoints));
  const module = moduleOfPlan(policy, compiled, { ...planned, entrypoints, package: path, refused, title });
  return { module, diagnostics: [...refused.values()] };
}

function exists(data: Value, path: readonly string[]): boolean {
  let value: Value | undefined = data;
  for (const key of path) {
    if (value === undefined || !isObject(value) || !Object.hasOwn(value, key)) return false;
    value = (value as PlainObject)[key];
  }
  return value !== undefined;
}
