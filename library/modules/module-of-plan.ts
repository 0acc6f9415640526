/** A plan and the policies that it was planned from → the text of a module and its declarations. */

import { type Compiled, compileErrors, type Diagnostic, type Entrypoint } from '../../compiler/index.js';
import { buildInfo } from '../../engine/index.js';
import { type Policy, verify } from '../../ir-schema/index.js';
import type { ModuleExports, ModuleRequest, ModuleUnits, SourceMap } from '../../runtime/index.js';
import { assemble, assembleListed, mappedText, moduleText } from '../../runtime/index.js';
import type { Builtin, Value } from '../../values/index.js';
import { refusedCalls } from './refused-builtins.js';
import { declarationsText } from './types/declarations.js';
import { packageDeclarations } from './types/package-declarations.js';

interface PlannedModule extends ModuleExports, Pick<ModuleRequest, 'live' | 'sharedRuntime'> {
  readonly entrypoints: readonly Entrypoint[];
  /** The rules of a package that no module can have: see `rulesOfPackage`. */
  readonly refused?: ReadonlyMap<string, Diagnostic>;
  readonly data: Value;
  /** The comment in the first line. */
  readonly title: string;
  readonly units: ModuleUnits;
  readonly builtins: ReadonlyMap<string, Builtin>;
  /** The texts of the policies by name, for a source map; without it there is none. */
  readonly sources?: ReadonlyMap<string, string> | undefined;
}

export interface ModuleTexts {
  readonly text: string;
  readonly map: SourceMap | undefined;
  /** The declarations for TypeScript. */
  readonly declarations: string;
}

/** @throws CompileErrors for built-ins that cannot go into a module */
export function moduleOfPlan(
  policy: Policy,
  compiled: Compiled,
  { sources, refused = new Map(), ...module }: PlannedModule,
): ModuleTexts {
  const calls = refusedCalls(policy);
  if (calls.length > 0) throw compileErrors(calls);
  verify(policy, module.builtins);
  const title = module.title.replaceAll(/[\r\n\u2028\u2029]/g, ' ');
  const { entrypoints, package: path } = module;
  const declarations =
    path === undefined
      ? declarationsText(entrypoints, compiled, title)
      : packageDeclarations({ path, entrypoints, refused }, compiled, title);
  const request = { ...module, title, runtime: { env: {}, version: buildInfo.version } };
  if (sources === undefined)
    return { text: moduleText({ ...request, program: assemble(policy) }), map: undefined, declarations };
  const program = assembleListed(policy);
  return { ...mappedText(moduleText({ ...request, program }), program, sources), declarations };
}
