/** A plan and the policies that it was planned from → the text of a module and its declarations. */
import type { Builtin } from '../builtins/builtin.js';
import { compileErrors } from '../compiler/diagnostics/render.js';
import type { Entrypoint } from '../compiler/entrypoints.js';
import type { Compiled } from '../compiler/resolve/compiled.js';
import { buildInfo } from '../engine/build-info.js';
import type { Policy } from '../ir-schema/plan.js';
import { verify } from '../ir-schema/verify/verify.js';
import { assemble, assembleListed } from '../runtime/bytecode/assemble.js';
import type { ModuleExports } from '../runtime/codegen/module/module-exports.js';
import { type ModuleRequest, moduleText } from '../runtime/codegen/module/module-text.js';
import type { ModuleUnits } from '../runtime/codegen/module/module-units.js';
import { mappedText, type SourceMap } from '../runtime/codegen/module/source-map.js';
import type { Value } from '../values/value.js';
import { refusedCalls } from './refused-builtins.js';
import { declarationsText } from './types/declarations.js';

interface PlannedModule extends ModuleExports, Pick<ModuleRequest, 'live'> {
  readonly entrypoints: readonly Entrypoint[];
  readonly data: Value;
  /** The comment in the first line. */
  readonly title: string;
  readonly units: ModuleUnits;
  readonly builtins: ReadonlyMap<string, Builtin>;
  /** The texts of the policies by name, for a source map; without it there is none. */
  readonly sources?: ReadonlyMap<string, string> | undefined;
}

interface ModuleTexts {
  readonly text: string;
  readonly map: SourceMap | undefined;
  readonly declarations: string;
}

/** @throws CompileErrors for built-ins that cannot go into a module */
export function moduleOfPlan(policy: Policy, compiled: Compiled, { title: text, sources, ...module }: PlannedModule): ModuleTexts {
  const refused = refusedCalls(policy, module.units);
  if (refused.length > 0) throw compileErrors(refused);
  verify(policy, module.builtins);
  const title = text.replaceAll(/[\r\n\u2028\u2029]/g, ' ');
  const request = { ...module, title, runtime: { env: {}, version: buildInfo.version } };
  const declarations = declarationsText(module.entrypoints, compiled, title, module.package);
  if (sources === undefined) return { text: moduleText({ ...request, program: assemble(policy) }), map: undefined, declarations };
  const program = assembleListed(policy);
  return { ...mappedText(moduleText({ ...request, program }), program, sources), declarations };
}
