/** Plans of bundles and files, loaded as programs. */

import { loadPlan, type Policy, UnknownMembers, verify } from '../ir-schema/index.js';
import { assembleLazily, type Executable, linkLoaded, loadLibraries } from '../runtime/index.js';
import type { Builtin } from '../values/index.js';
import type { Bundle } from './bundle/bundle.js';
import type { EvaluationTarget } from './evaluation/evaluate.js';
import { WalkedPlan, walkedStatements } from './evaluation/walked-plan.js';

/**
 * Plan → executable: normalised, validated, verified and linked. A program, whose functions are
 * assembled when they are first called; a plan that is walked at first, if it has at least
 * `walkedFrom` statements. Throws a PlanError or a VerifyError.
 */
export async function loadProgram(
  plan: unknown,
  builtins: ReadonlyMap<string, Builtin>,
  unknown?: UnknownMembers,
  walkedFrom = Infinity,
): Promise<Executable> {
  const policy: Policy = loadPlan(plan, unknown);
  const called = verify(policy, builtins);
  await loadLibraries(called, builtins);
  const make = () => linkLoaded(assembleLazily(policy, called), builtins);
  const statements = walkedStatements(policy);
  if (statements < walkedFrom) return make();
  return new WalkedPlan(policy, [...called], builtins, { make, isMadeWhole: false, statements });
}

/** How plans of bundles are loaded. */
export interface PlanLoading {
  /** See `Platform`. */
  readonly endsSoon: boolean;
  /** Called for a plan with members that are not known. */
  readonly onWarning?: ((warning: string) => void) | undefined;
}

/** Statements of a plan that takes some 30 ms to become a program. */
const longPlan = 2000;

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
  for (const { plans, answers } of bundles) {
    for (const { path, policy } of plans) {
      const unknown = new UnknownMembers();
      const executable = await loadProgram(policy, builtins, unknown, endsSoon ? 0 : longPlan);
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
