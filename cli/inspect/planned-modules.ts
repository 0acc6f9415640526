/** The plan of policies that were not built, with its debug information. */

import type { Module } from '../../compiler/ast/nodes.js';
import {
  annotatedEntrypoints,
  checkEntrypoints,
  distinctEntrypoints,
  type Entrypoint,
  packageSegments,
  parseEntrypoint,
  requestsFor,
} from '../../compiler/entrypoints.js';
import { compileOrThrow } from '../../compiler/pipeline.js';
import { debugInfo } from '../../compiler/plan/debug-info.js';
import { plan } from '../../compiler/plan/planner.js';
import type { CompileCapabilities } from '../../compiler/resolve/compile-options.js';
import { splitAddress } from '../../ir-schema/address.js';
import type { DebugInfo } from '../../ir-schema/debug-info.js';
import type { Policy } from '../../ir-schema/plan.js';
import type { Builtin } from '../../values/builtins/builtin.js';
import { builtins } from '../../values/builtins/registry.js';
import { parsePlace } from '../../views/inspect/places.js';

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
