import type { Policy } from '../ir-schema/plan.js';
import { loadPlan } from '../ir-schema/validate.js';
import type { Builtin } from '../runtime/builtins/builtin.js';
import { assemble, assembleSteps } from '../runtime/bytecode/assemble.js';
import type { Executable } from '../runtime/evaluation/executable.js';
import { verify } from '../runtime/lowering/verify.js';
import { inSlices, type Steps } from '../runtime/values/steps.js';
import { link } from '../runtime/vm/link.js';

/** Plan → program, ready to run: normalised, validated, verified, assembled and linked. Throws a PlanError or a VerifyError. */
export async function prepare(plan: unknown, builtins: ReadonlyMap<string, Builtin>): Promise<Executable> {
  const policy: Policy = loadPlan(plan);
  verify(policy, builtins);
  return await link(assemble(policy), builtins);
}

/** The same for a plan that the planner has just made: it needs no door. */
export async function preparePlanned(policy: Policy, builtins: ReadonlyMap<string, Builtin>): Promise<Executable> {
  return await link(assemble(policy), builtins);
}

/** The same for one that it is about to make. Others have their turn every few milliseconds. */
export async function prepareInSlices(planning: Steps<Policy>, builtins: ReadonlyMap<string, Builtin>): Promise<Executable> {
  return await link(await inSlices(assembleSteps(await inSlices(planning))), builtins);
}
