/** `build -t js`: a bundle with a plan → the files of a JavaScript module. */

import { builtins } from '../../builtins/registry.js';
import { compileErrors } from '../../compiler/diagnostics/render.js';
import type { Entrypoint } from '../../compiler/entrypoints.js';
import { buildInfo } from '../../engine/build-info.js';
import type { Policy } from '../../ir-schema/plan.js';
import { verify } from '../../ir-schema/verify/verify.js';
import { assemble } from '../../runtime/bytecode/assemble.js';
import { moduleText } from '../../runtime/codegen/module/module-text.js';
import type { Built } from '../bundles/build-bundle.js';
import type { ModuleOutput } from './module-output.js';
import { refusedCalls } from './refused-builtins.js';
import { declarationsText } from './types/declarations.js';
import { readModuleUnits } from './units-file.js';

/**
 * The texts of a module's files by their paths. Throws CompileErrors for built-ins that cannot go
 * into a module.
 */
export function moduleFiles({ bundle, entrypoints, compiled }: Built, output: ModuleOutput): ReadonlyMap<string, string> {
  const policy = bundle.plans[0]!.policy as Policy;
  const units = readModuleUnits();
  const refused = refusedCalls(policy, units);
  if (refused.length > 0) throw compileErrors(refused);
  verify(policy, builtins);
  const title = titleOf(entrypoints);
  const text = moduleText({
    program: assemble(policy),
    builtins,
    units,
    entrypoints,
    data: bundle.data,
    revision: bundle.manifest.revision || undefined,
    format: output.format,
    runtime: { env: {}, version: buildInfo.version },
    title,
  });
  return new Map([
    [output.path, text],
    [output.declarations, declarationsText(entrypoints, compiled, title)],
  ]);
}

function titleOf(entrypoints: readonly Entrypoint[]): string {
  return `Built by writ ${buildInfo.version} with build -t js: ${entrypoints.map(({ name }) => name).join(', ')}`.replaceAll(
    /[\r\n\u2028\u2029]/g,
    ' ',
  );
}
