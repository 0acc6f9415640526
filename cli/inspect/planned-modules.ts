/** The plan of policies that were not built, to list it. */

import type { Module } from '../../compiler/ast/nodes.js';
import { annotatedEntrypoints, type Entrypoint, stringsOf } from '../../compiler/entrypoints.js';
import { compileOrThrow } from '../../compiler/pipeline.js';
import { plan } from '../../compiler/plan/planner.js';
import type { Policy } from '../../ir-schema/plan.js';
import { checkEntrypoints, distinctEntrypoints, parseEntrypoint, requestsFor } from '../bundles/entrypoints.js';

/**
 * Plans the entrypoint of a name (`authz/allow`), otherwise the annotated entrypoints, otherwise
 * all packages. A name that begins with `data.` is that of a function. Throws CompileErrors for
 * policies that do not compile, and an Error for an entrypoint without rules.
 */
export function plannedModules(modules: readonly Module[], name: string | undefined): Policy {
  const compiled = compileOrThrow({ modules: new Map(modules.map((module) => [module.source.file, module])), options: { print: true } });
  const isEntrypoint = name !== undefined && !/^(?:data|g\d+)\./.test(name);
  const entrypoints = isEntrypoint ? [parseEntrypoint(name)] : ownEntrypoints(modules);
  checkEntrypoints(compiled, entrypoints);
  return plan(compiled, requestsFor(entrypoints));
}

function ownEntrypoints(modules: readonly Module[]): Entrypoint[] {
  const annotated = annotatedEntrypoints(modules);
  if (annotated.length > 0) return annotated;
  const packages = modules
    .filter(({ rules }) => rules.length > 0)
    .map((module) => {
      const path = stringsOf(module.package.path)!;
      return { name: path.join('/'), path };
    });
  return distinctEntrypoints(packages);
}
