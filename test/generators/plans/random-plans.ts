import { type PlanRequest, plan } from '../../../compiler/plan/planner.js';
import type { Policy } from '../../../ir-schema/plan.js';
import { randomCase } from '../random-case.js';
import { compiledPolicy } from '../random-policy.js';

/** The plans of random policies, with their documents as entrypoints. */
export function randomPlans(count: number): Policy[] {
  const plans: Policy[] = [];
  for (let seed = 0; plans.length < count; seed++) {
    const one = randomCase(seed);
    const compiled = one && compiledPolicy([...one.modules.values()]);
    if (one === undefined || compiled === undefined) continue;
    plans.push(
      plan(
        compiled,
        one.paths.map((path): PlanRequest => ({ name: path.join('/'), path })),
      ),
    );
  }
  return plans;
}
