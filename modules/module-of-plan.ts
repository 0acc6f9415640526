/** A plan and the policies that it was planned from → the text of a module and its declarations. */
import type { Builtin } from '../builtins/builtin.js';
import { compileErrors } from '../compiler/diagnostics/render.js';
import type { Entrypoint } from '../compiler/entrypoints.js';
import type { Compiled } from '../compiler/resolve/compiled.js';
import { buildInfo } from '../engine/build-info.js';
import type { Policy } from '../ir-schema/plan.js';
import { verify } from '../ir-schema/verify/verify.js';
import { assemble } from '../runtime/bytecode/assemble.js';
import type { ModuleFormat } from '../runtime/codegen/module/module-exports.js';
import { moduleText } from '../runtime/codegen/module/module-text.js';
import type { ModuleUnits } from '../runtime/codegen/module/module-units.js';
import type { Value } from '../values/value.js';
import { refusedCalls } from './refused-builtins.js';
import { declarationsText } from './types/declarations.js';

interface PlannedModule {
  readonly entrypoints: readonly Entrypoint[];
  readonly data: Value;
  readonly revision: string | undefined;
  readonly format: ModuleFormat;
  /** The comment in the first line. */
  readonly title: string;
  readonly units: ModuleUnits;
  readonly builtins: ReadonlyMap<string, Builtin>;
}

/** @throws CompileErrors for built-ins that cannot go into a module */
export function moduleOfPlan(
  policy: Policy,
  compiled: Compiled,
  { title: text, ...module }: PlannedModule,
): { readonly text: string; readonly declarations: string } {
  const refused = refusedCalls(policy, module.units);
  if (refused.length > 0) throw compileErrors(refused);
  verify(policy, module.builtins);
  const title = text.replaceAll(/[\r\n\u2028\u2029]/g, ' ');
  const runtime = { env: {}, version: buildInfo.version };
  return {
    text: moduleText({ ...module, title, program: assemble(policy), runtime }),
    declarations: declarationsText(module.entrypoints, compiled, title),
  };
}
