/** Shows the differences of two plans. */
import type { OptimizationLevel } from '../../compiler/index.js';
import { loadPlan, type Policy } from '../../ir-schema/index.js';
import { diffPlans, diffText, PlanView, UnknownName } from '../../views/index.js';
import { buildBundle } from '../bundles/build-bundle.js';
import { exitCodes, usageError } from '../exit.js';
import type { FlagValues } from '../flags.js';
import type { Io } from '../io.js';
import { orderedJson } from '../output/ordered-json.js';
import { parsedModules } from './modules.js';
import { bundleAt, plansOf } from './plan-inputs.js';
import { plannedModules } from './planned-modules.js';

/**
 * Compares two paths: plans, bundles, or policies, which are planned, for the entrypoints of a plan
 * on the other side. With `-O` it compares the policies of one path without and with the optimizer.
 * @param rest the second path, then names of plans and functions
 * @returns the exit code: 1 if there are differences
 */
export async function showDiff(first: string, rest: readonly string[], flags: FlagValues, io: Io): Promise<number> {
  const [policyA, policyB] = await comparedPlans(first, rest, flags, io);
  const wanted = wantedOwners([policyA, policyB], rest.slice(1));
  const diff = diffPlans(policyA, policyB, wanted && (({ kind, name }) => wanted.has(`${kind} ${name}`)));
  io.stdout(flags.text('format') === 'json' ? orderedJson(diff) : diffText(diff));
  return diff.changes.length > 0 ? exitCodes.failure : exitCodes.ok;
}

/** The two plans that `--diff` compares: see `showDiff`. */
export async function comparedPlans(
  first: string,
  rest: readonly string[],
  flags: FlagValues,
  io: Io,
): Promise<[Policy, Policy]> {
  const level = levelOf(flags);
  const [second, ...names] = rest;
  if (second === undefined && level === undefined) throw usageError('--diff needs two paths, or -O');
  const other = second ?? first;
  const [planA, planB] = [await builtPlan(first, io), await builtPlan(other, io)];
  // One path is compared with itself at a level.
  const [levelA, levelB] = [second === undefined ? 0 : (level ?? 0), level ?? 0] as const;
  const policyA = planA ?? (await policyOf(first, { other: planB, optimization: levelA, names }, flags, io));
  const policyB = planB ?? (await policyOf(other, { other: policyA, optimization: levelB, names }, flags, io));
  return [policyA, policyB];
}

function levelOf(flags: FlagValues): OptimizationLevel | undefined {
  const level = flags.number('optimize');
  if (level !== undefined && (level < 0 || level > 2)) throw usageError('--optimize must be 0, 1 or 2');
  return level as OptimizationLevel | undefined;
}

/** The plan of a path; undefined where there are policies only. */
async function builtPlan(path: string, io: Io): Promise<Policy | undefined> {
  const plans = plansOf({ bundle: await bundleAt(path, io), path }, () => [], io);
  if (plans.length > 1)
    throw new Error(`${path}: there are ${plans.length} plans: ${plans.map((plan) => plan.path).join(', ')}`);
  return plans[0]?.policy;
}

interface WantedPlan {
  /** The other plan, in which the names are. */
  readonly other: Policy | undefined;
  readonly optimization: OptimizationLevel;
  /** Where there is no other. */
  readonly names: readonly string[];
}

/** The plan of policies, at a level. */
async function policyOf(
  path: string,
  { other, optimization, names }: WantedPlan,
  flags: FlagValues,
  io: Io,
): Promise<Policy> {
  const version = flags.on('v0-compatible') ? 0 : 1;
  const modules = parsedModules(path, await bundleAt(path, io), version);
  if (modules.length === 0) throw new Error(`${path}: there is no plan, and no policy to plan`);
  const given = other?.plans?.plans?.map(({ name }) => name) ?? names;
  const plain = plannedModules(modules, given).policy;
  if (optimization === 0) return plain;
  const { bundle } = await buildBundle({
    paths: [path],
    target: 'plan',
    entrypoints: (plain.plans?.plans ?? []).map(({ name }) => name),
    version: version === 0 ? 'v0' : 'v1',
    optimization,
    pruneUnused: true,
  });
  // The target is a plan.
  return loadPlan(bundle.plans[0]!.policy);
}

/** The plans and functions of names, of either plan; all without a name. */
function wantedOwners(policies: readonly Policy[], names: readonly string[]): ReadonlySet<string> | undefined {
  if (names.length === 0) return undefined;
  const wanted = new Set<string>();
  let unknown: UnknownName | undefined;
  for (const policy of policies) {
    const view = new PlanView(policy);
    for (const name of names) {
      try {
        for (const owner of view.select([name])) wanted.add(`${owner.kind} ${owner.name}`);
      } catch (error) {
        if (!(error instanceof UnknownName)) throw error;
        unknown ??= error;
      }
    }
  }
  if (wanted.size === 0 && unknown !== undefined) throw unknown;
  return wanted;
}
