import type { Policy } from '../ir-schema/plan.js';
import { loadPlan } from '../ir-schema/validate.js';
import type { Builtin } from '../runtime/builtins/builtin.js';
import type { Bundle } from '../runtime/bundle/bundle.js';
import { assemble, assembleSteps } from '../runtime/bytecode/assemble.js';
import type { Executable } from '../runtime/evaluation/executable.js';
import { verify } from '../runtime/lowering/verify.js';
import { allAtOnce, inSlices, type Steps } from '../runtime/values/steps.js';
import { link, linkLoaded } from '../runtime/vm/link.js';
import type { Target } from './evaluation/evaluate.js';

/**
 * Plan → program, ready to run: normalised, validated, verified, assembled and linked. Throws a
 * PlanError or a VerifyError.
 */
export async function prepare(plan: unknown, builtins: ReadonlyMap<string, Builtin>): Promise<Executable> {
  const policy: Policy = loadPlan(plan);
  verify(policy, builtins);
  return await link(assemble(policy), builtins);
}

/**
 * The entrypoints of the plans of some bundles, by name.
 * @param conflict the error for a name that two plans have
 */
export async function planTargets(
  bundles: Iterable<Bundle>,
  builtins: ReadonlyMap<string, Builtin>,
  conflict: (message: string) => Error,
): Promise<ReadonlyMap<string, Target>> {
  const targets = new Map<string, Target>();
  for (const { plans } of bundles) {
    for (const { path, policy } of plans) {
      const executable = await prepare(policy, builtins);
      for (const [name, plan] of executable.entrypoints) {
        if (targets.has(name)) throw conflict(`${path}: entrypoint ${name} is in another plan already`);
        targets.set(name, { executable, plan });
      }
    }
  }
  return targets;
}

/** The program of a plan that the planner makes without waiting; it needs no checks. */
export function prepareAtOnce(planning: Steps<Policy>, builtins: ReadonlyMap<string, Builtin>): Executable {
  return linkLoaded(assemble(allAtOnce(planning)), builtins);
}

/** The same in slices: others have their turn every few milliseconds. */
export async function prepareInSlices(planning: Steps<Policy>, builtins: ReadonlyMap<string, Builtin>): Promise<Executable> {
  return await link(await inSlices(assembleSteps(await inSlices(planning))), builtins);
}
