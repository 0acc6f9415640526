/** Plans for callers with requests of their own, such as probes. Loaded when first used. */

import { type Compiled, type PlanOptions, type PlanRequest, plan } from '../compiler/index.js';
import type { Policy } from '../ir-schema/index.js';
import { assemble, type EngineContext, link, linkCold, loadLibraries } from '../runtime/index.js';
import { type Builtin, type PlainObject, withRows } from '../values/index.js';
import { WalkedPlan } from './evaluation/walked-plan.js';
import { PreparedProgram } from './prepared-program.js';

/** The built-ins, documents and context of the program. */
export interface Surroundings {
  readonly builtins: ReadonlyMap<string, Builtin>;
  readonly data: PlainObject;
  readonly context: EngineContext;
}

export async function planProgram(
  compiled: Compiled,
  requests: readonly PlanRequest[],
  options: PlanOptions,
  surroundings: Surroundings,
): Promise<PreparedProgram> {
  return await programOf(plan(compiled, requests, options), options, surroundings);
}

/** A program of plans that were made with the same options. */
export async function programOf(
  policy: Policy,
  options: Pick<PlanOptions, 'builtins' | 'probes'>,
  { builtins, data, context }: Surroundings,
): Promise<PreparedProgram> {
  const rows = withRows(builtins, options.builtins ?? []);
  // A walk may begin a run again, and so may a cold program: probes would count twice.
  const executable = options.probes === undefined ? await walked(policy, rows) : await link(assemble(policy), rows);
  return new PreparedProgram(executable, data, context);
}

/** A walk for plans that take a moment together, and a cold program for all that take longer. */
async function walked(policy: Policy, rows: ReadonlyMap<string, Builtin>): Promise<WalkedPlan> {
  const called = (policy.static?.builtin_funcs ?? []).map(({ name }) => name);
  await loadLibraries(called, rows);
  return new WalkedPlan(policy, called, rows, { make: () => linkCold(policy, rows), isMadeWhole: true });
}
