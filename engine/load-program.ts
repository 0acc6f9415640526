/** Plans of bundles and files, loaded as programs. */

import { loadPlan, type Policy, UnknownMembers, verify } from '../ir-schema/index.js';
import { assembleLazily, type Executable, linkLazily, linkLoaded, loadLibraries } from '../runtime/index.js';
import type { Builtin } from '../values/index.js';
import type { Bundle } from './bundle/bundle.js';
import type { EvaluationTarget } from './evaluation/evaluate.js';
import { WalkedPlan } from './evaluation/walked-plan.js';

/**
 * Plan → program, ready to run: normalised, validated, verified and linked. Its functions are
 * assembled when they are first called. Throws a
 * PlanError or a VerifyError.
 */
export async function loadProgram(
  plan: unknown,
  builtins: ReadonlyMap<string, Builtin>,
  unknown?: UnknownMembers,
): Promise<Executable> {
  const policy: Policy = loadPlan(plan, unknown);
  return await linkLazily(policy, verify(policy, builtins), builtins);
}

/** A plan for a process that ends soon (`Platform.endsSoon`): no program is made yet. */
export async function walkedPlan(
  plan: unknown,
  builtins: ReadonlyMap<string, Builtin>,
  unknown?: UnknownMembers,
): Promise<Executable> {
  const policy: Policy = loadPlan(plan, unknown);
  const called = verify(policy, builtins);
  await loadLibraries(called, builtins);
  return new WalkedPlan(policy, [...called], builtins, () => linkLoaded(assembleLazily(policy, called), builtins));
}

/** How plans of bundles are loaded. */
export interface PlanLoading {
  /** See `Platform`. */
  readonly endsSoon: boolean;
  /** Called for a plan with members that are not known. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

interface PlannedBundle extends Pick<Bundle, 'plans'> {
  /** Whether an entrypoint of its plans counts. Default: all do. */
  readonly answers?: (entrypoint: string) => boolean;
}

/**
 * The entrypoints of the plans of some bundles, by name.
 * @param conflict the error for a name that two plans have
 */
export async function loadEntrypoints(
  bundles: Iterable<PlannedBundle>,
  builtins: ReadonlyMap<string, Builtin>,
  conflict: (message: string) => Error,
  { endsSoon, onWarning }: PlanLoading,
): Promise<ReadonlyMap<string, EvaluationTarget>> {
  const targets = new Map<string, EvaluationTarget>();
  const load = endsSoon ? walkedPlan : loadProgram;
  for (const { plans, answers } of bundles) {
    for (const { path, policy } of plans) {
      const unknown = new UnknownMembers();
      const executable = await load(policy, builtins, unknown);
      const warning = unknown.summary();
      if (warning !== undefined) onWarning?.(`${path}: ${warning}`);
      for (const [name, plan] of executable.entrypoints) {
        if (answers?.(name) === false) continue;
        if (targets.has(name)) throw conflict(`${path}: entrypoint ${name} is in another plan already`);
        targets.set(name, { executable, plan });
      }
    }
  }
  return targets;
}
