/** The plan of policies that were not built, with its debug information. */

import type { CompileCapabilities, Entrypoint, Module } from '../../compiler/index.js';
import {
  annotatedEntrypoints,
  checkEntrypoints,
  compileOrThrow,
  debugInfo,
  distinctEntrypoints,
  packageSegments,
  parseEntrypoint,
  plan,
  requestsFor,
} from '../../compiler/index.js';
import { type DebugInfo, type Policy, splitAddress } from '../../ir-schema/index.js';
import { type Builtin, builtins } from '../../values/index.js';
import { parsePlace } from '../../views/index.js';

/** Functions of the host that policies may call. */
export interface DeclaredBuiltins {
  readonly capabilities?: CompileCapabilities | undefined;
  /** All built-ins, with those that the capabilities declare. */
  readonly available?: ReadonlyMap<string, Builtin>;
}

/**
 * Plans the entrypoints of names (`authz/allow`), otherwise the annotated entrypoints, otherwise
 * all packages. Throws CompileErrors for policies that do not compile, and an Error for an
 * entrypoint without rules.
 */
export function plannedModules(
  modules: readonly Module[],
  names: readonly string[],
  { capabilities, available }: DeclaredBuiltins = {},
): { readonly policy: Policy; readonly debug: DebugInfo } {
  const options = { print: true, ...(capabilities && { capabilities, ...(available && { builtins: available }) }) };
  const compiled = compileOrThrow({ modules: new Map(modules.map((module) => [module.source.file, module])), options });
  const named = names.flatMap(entrypointOf).map(parseEntrypoint);
  const entrypoints = named.length > 0 ? named : ownEntrypoints(modules);
  checkEntrypoints(compiled, entrypoints);
  const policy = plan(compiled, requestsFor(entrypoints), { notes: true });
  return { policy, debug: debugInfo(policy, compiled) };
}

/** The entrypoint that a name means; none for functions, built-ins, patterns and places. */
function entrypointOf(name: string): string[] {
  const owner = splitAddress(name)?.owner ?? name;
  const isOther = /^(?:data|g\d+)\.|\*/.test(owner) || builtins.has(owner) || parsePlace(owner) !== undefined;
  return isOther ? [] : [owner];
}

function ownEntrypoints(modules: readonly Module[]): Entrypoint[] {
  const annotated = annotatedEntrypoints(modules);
  if (annotated.length > 0) return annotated;
  const packages = modules
    .filter(({ rules }) => rules.length > 0)
    .map((module) => {
      const path = packageSegments(module);
      return { name: path.join('/'), path };
    });
  return distinctEntrypoints(packages);
}
