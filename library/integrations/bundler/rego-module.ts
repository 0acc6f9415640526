/** A policy file of a project → the JavaScript module of its package. */
import { relative, resolve } from 'node:path';
import type { Compiled, Entrypoint } from '../../../compiler/index.js';
import {
  checkEntrypoints,
  compileErrors,
  compileOrThrow,
  documentText,
  excerptOf,
  parseEntrypoint,
  plan,
  requestsFor,
} from '../../../compiler/index.js';
import { readAt } from '../../../engine/index.js';
import type { ModuleFormat, ModuleUnits, SourceMap } from '../../../runtime/index.js';
import { beginsWith, builtins, type PlainObject, withDeclared } from '../../../values/index.js';
import { moduleOfPlan } from '../../modules/module-of-plan.js';
import { type PackageRules, rulesOfPackage } from '../../modules/package-rules.js';
import { fileTitle } from '../../modules/types/file-title.js';
import { readModuleUnits } from '../../modules/units-file.js';
import { type RegoOptions, RegoOptionsError } from './options.js';
import { type PolicySet, policyFolders, policySet } from './policy-set.js';
import { excerptPlace, type Problem, problemsOf } from './problems.js';
import { capabilities, documents, ProjectReading, projectSchemas } from './project-files.js';

export interface RegoModuleRequest {
  /** The absolute path of the policy. */
  readonly file: string;
  /** The folder that paths of options and names of policies are relative to. */
  readonly root: string;
  readonly options: RegoOptions;
  readonly format: ModuleFormat;
  /** Gives the text of `ModuleRequest.live` for the names of the entrypoints. */
  readonly live?: ((entrypoints: string) => string) | undefined;
  /** See `ModuleRequest`. */
  readonly sharedRuntime?: string | undefined;
}

export interface RegoModule {
  readonly text: string;
  readonly map: SourceMap;
  readonly declarations: string;
  readonly warnings: readonly Problem[];
}

/** The module, or the errors for which there is none. */
export interface RegoOutcome {
  /** Absolute paths; a change of one may change the outcome. */
  readonly files: readonly string[];
  /** A file that is added to one of these, or below it, may change the outcome. */
  readonly folders: readonly string[];
  readonly module: RegoModule | undefined;
  readonly problems: readonly Problem[];
}

/** A table of the package, once it is read. */
let units: ModuleUnits | undefined;

/** Compiles a policy file, with the other files that it needs, to the module of its package. */
export function regoModule(request: RegoModuleRequest): RegoOutcome {
  const reading = new ProjectReading();
  const read = () => ({ files: [...reading.files], folders: [...reading.folders] });
  const pathOf = (name: string) => resolve(request.root, name);
  try {
    const module = compiledModule(request, reading);
    return { module, problems: [], ...read() };
  } catch (error) {
    if (error instanceof RegoOptionsError)
      return { module: undefined, problems: [{ message: error.message, place: undefined }], ...read() };
    return { module: undefined, problems: problemsOf(error, pathOf), ...read() };
  }
}

function compiledModule(
  { file, root, options, format, live, sharedRuntime }: RegoModuleRequest,
  reading: ProjectReading,
): RegoModule {
  const allowed = capabilities(root, options, reading);
  const nameOf = (path: string) => relative(root, path).replaceAll('\\', '/');
  const parse = { regoVersion: options.v0Compatible ? 'v0' : 'v1', ...(allowed && { capabilities: allowed }) } as const;
  const set = policySet(file, policyFolders(file, root, options.policies), parse, nameOf, reading);
  const data = documents(root, options.data, reading);
  const described = projectSchemas(root, options.schemas, reading);
  const compiled = compileOrThrow({
    modules: set.modules,
    options: {
      print: true,
      schemaAnnotations: true,
      dataExists: (path) => readAt(data, path) !== undefined,
      ...(described && { schemas: described }),
      ...(allowed && { capabilities: allowed, builtins: withDeclared(builtins, allowed) }),
      ...(options.strict && { strict: true }),
    },
  });
  const { entrypoints, refused } = rulesOf(compiled, set.package, options.entrypoints ?? []);
  if (entrypoints.length === 0) {
    if (refused.size > 0) throw compileErrors([...refused.values()]);
    throw new RegoOptionsError(`${nameOf(file)}: package ${set.package.join('.')} has no rules to import`);
  }
  units ??= readModuleUnits();
  const { text, map, declarations } = moduleOfPlan(plan(compiled, requestsFor(entrypoints)), compiled, {
    entrypoints,
    package: set.package,
    refused,
    data,
    revision: undefined,
    format,
    title: fileTitle(nameOf(file)),
    units,
    builtins,
    sources: set.texts,
    sharedRuntime,
    live: live?.(entrypoints.map(({ name }) => name).join()),
  });
  const sources = map!.sources.map((name) => resolve(root, name));
  const warnings = [...unknownImports(set, data, root), ...leftOut(refused, (name) => resolve(root, name))];
  return { text, map: { ...map!, sources }, declarations, warnings };
}

/** The rules of the package; where the options name some of them, these. */
function rulesOf(compiled: Compiled, path: readonly string[], named: readonly string[]): PackageRules {
  const rules = rulesOfPackage(compiled, path);
  const own = named.map(parsedEntrypoint).filter((one) => one.path.length > path.length && beginsWith(one.path, path));
  if (own.length === 0) return rules;
  try {
    checkEntrypoints(compiled, own);
  } catch (error) {
    throw new RegoOptionsError((error as Error).message, { cause: error });
  }
  const names = new Set(own.map(({ name }) => name));
  const refused = new Map([...rules.refused].filter(([name]) => names.has(name)));
  return { path, entrypoints: own.filter(({ name }) => !refused.has(name)), refused };
}

function parsedEntrypoint(name: string): Entrypoint {
  try {
    return parseEntrypoint(name);
  } catch (error) {
    throw new RegoOptionsError((error as Error).message, { cause: error });
  }
}

function unknownImports(set: PolicySet, data: PlainObject, root: string): readonly Problem[] {
  return set.unknownImports
    .filter(({ path }) => readAt(data, path) === undefined)
    .map(({ path, loc }) => {
      const message = `no policy and no data is at ${documentText(path)}: name its folder in the option policies, or its data in the option data`;
      return { message, place: excerptPlace(resolve(root, loc.source.file), excerptOf(loc)) };
    });
}

/** Rules that no module can have are not exported; their declarations say why. */
function leftOut(refused: PackageRules['refused'], pathOf: (name: string) => string): readonly Problem[] {
  return [...refused].map(([name, complaint]) => {
    const { message, place } = problemsOf(compileErrors([complaint]), pathOf)[0]!;
    return { message: `${name} is left out: ${message}`, place };
  });
}
