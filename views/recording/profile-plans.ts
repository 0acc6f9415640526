/** Profiles the evaluation of plans: by statement, and by program. */

import type { RunSetting } from '../../engine/index.js';
import type { FlameSource } from './flame.js';
import { observedRun } from './observed-run.js';
import type { ProfiledRun } from './profile-document.js';
import { profileReport } from './profile-report.js';
import { programProfile } from './program-profile.js';
import type { PlanRun } from './record.js';
import { StatementProfile } from './statement-profile.js';
import { medianProfile } from './time-spread.js';

export interface ProfiledPlan extends FlameSource {
  readonly run: ProfiledRun;
}

/** Evaluations that are not counted: their code is not compiled yet. */
const warmUp = { least: 2, most: 20, milliseconds: 30 };

/** Evaluations that are counted; some, however long they take. */
const counted = { least: 5, most: 500, milliseconds: 100 };

/**
 * Evaluates plans in turn, again and again for some milliseconds. Times are the
 * medians: the first evaluations tell of code that was not compiled yet, and slow ones of other
 * processes.
 */
export function profilePlans(
  runs: readonly PlanRun[],
  setting: RunSetting,
  milliseconds = counted.milliseconds,
): readonly ProfiledPlan[] {
  return runs.map(({ policy, entrypoint }) => {
    let error: Error | undefined;
    const evaluate = (): StatementProfile => {
      const profile = new StatementProfile(policy.addresses);
      error = observedRun(policy, entrypoint, setting, { profile });
      return profile;
    };
    let profiles = repeated(evaluate, () => error !== undefined, warmUp);
    // A plan that ends with an error is evaluated once.
    if (error === undefined) profiles = repeated(evaluate, () => error !== undefined, { ...counted, milliseconds });
    const failed = error === undefined ? undefined : profiles.at(-1);
    const profile = failed ?? medianProfile(profiles)!;
    const program = error === undefined ? programProfile(policy.policy, entrypoint, setting) : undefined;
    const run: ProfiledRun = {
      entrypoint,
      ...(error && { error: (error as Error).message }),
      profile: profileReport(profile, policy, failed === undefined ? profiles : undefined),
      ...(program && { program }),
    };
    return { policy, entrypoint, profile, run };
  });
}

/** Some evaluations, and more while there is time. */
function repeated(
  evaluate: () => StatementProfile,
  isOver: () => boolean,
  { least, most, milliseconds }: typeof counted,
): readonly StatementProfile[] {
  const until = performance.now() + milliseconds;
  const profiles: StatementProfile[] = [];
  while (profiles.length < least || (performance.now() < until && profiles.length < most)) {
    profiles.push(evaluate());
    if (isOver()) break;
  }
  return profiles;
}
