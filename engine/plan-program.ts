/** Plans for callers with requests of their own, such as probes. Loaded when first used. */

import type { Builtin } from '../builtins/builtin.js';
import { withRows } from '../builtins/declared.js';
import { type PlanOptions, type PlanRequest, plan } from '../compiler/plan/planner.js';
import type { Compiled } from '../compiler/resolve/compiled.js';
import { assemble } from '../runtime/bytecode/assemble.js';
import { link, linkCold } from '../runtime/codegen/link.js';
import type { EngineContext } from '../runtime/evaluation/context.js';
import type { PlainObject } from '../values/value.js';
import { PreparedProgram } from './prepared-program.js';

export async function planProgram(
  compiled: Compiled,
  requests: readonly PlanRequest[],
  options: PlanOptions,
  builtins: ReadonlyMap<string, Builtin>,
  data: PlainObject,
  context: EngineContext,
): Promise<PreparedProgram> {
  const policy = plan(compiled, requests, options);
  const rows = withRows(builtins, options.builtins ?? []);
  // A cold program may begin a run again, which probes would count twice.
  const executable = options.probes === undefined ? await linkCold(policy, rows) : await link(assemble(policy), rows);
  return new PreparedProgram(executable, data, context);
}
