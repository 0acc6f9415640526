/** `build -t js`: a bundle with a plan → the files of a JavaScript module. */

import { buildInfo } from '../../engine/index.js';
import type { Policy } from '../../ir-schema/index.js';
import { moduleOfPlan, readModuleUnits } from '../../library/parts.js';
import { builtins } from '../../values/index.js';
import type { Built } from '../bundles/build-bundle.js';
import type { ModuleOutput } from './module-output.js';

/**
 * The texts of a module's files by their paths. Throws CompileErrors for built-ins that cannot go
 * into a module.
 */
export function moduleFiles(
  { bundle, entrypoints, compiled }: Built,
  output: ModuleOutput,
): ReadonlyMap<string, string> {
  const title = `Built by writ ${buildInfo.version} with build -t js: ${entrypoints.map(({ name }) => name).join(', ')}`;
  const { text, declarations } = moduleOfPlan(bundle.plans[0]!.policy as Policy, compiled, {
    entrypoints,
    data: bundle.data,
    revision: bundle.manifest.revision || undefined,
    format: output.format,
    title,
    units: readModuleUnits(),
    builtins,
  });
  return new Map([
    [output.path, text],
    [output.declarations, declarations],
  ]);
}
