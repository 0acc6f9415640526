/** Profiles the evaluation of plans: by statement, and by program. */

import type { RunSetting } from '../evaluation/plan-trace.js';
import type { FlameSource } from './flame.js';
import { observedRun } from './observed-run.js';
import type { ProfiledRun } from './profile-document.js';
import { profileReport } from './profile-report.js';
import { programProfile } from './program-profile.js';
import type { PlanRun } from './record.js';
import { StatementProfile } from './statement-profile.js';

export interface ProfiledPlan extends FlameSource {
  readonly run: ProfiledRun;
}

/** Longer evaluations are profiled once, others again and again for so many milliseconds. */
const defaultMilliseconds = 40;

/**
 * Evaluates plans in turn, again and again for some milliseconds. The fastest evaluation counts:
 * others tell of code that was not compiled yet, and of other processes.
 */
export function profilePlans(
  runs: readonly PlanRun[],
  setting: RunSetting,
  milliseconds = defaultMilliseconds,
): readonly ProfiledPlan[] {
  return runs.map(({ policy, entrypoint }) => {
    const until = performance.now() + milliseconds;
    let profile: StatementProfile | undefined;
    let error: Error | undefined;
    let count = 0;
    do {
      const again = new StatementProfile(policy.addresses);
      error = observedRun(policy, entrypoint, setting, { profile: again });
      if (profile === undefined || again.time < profile.time) profile = again;
      count++;
    } while (error === undefined && performance.now() < until);
    const program = error === undefined ? programProfile(policy.policy, entrypoint, setting) : undefined;
    const run: ProfiledRun = {
      entrypoint,
      ...(error && { error: error.message }),
      profile: profileReport(profile, policy, count),
      ...(program && { program }),
    };
    return { policy, entrypoint, profile, run };
  });
}
