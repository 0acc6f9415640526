/** A commit that takes too long is given up. */
import { checkedSteps, type Steps } from '../runtime/values/steps.js';
import { PolicyError } from './policy-error.js';

interface Deadline {
  /** A reading of `performance.now()`. Default: no limit. */
  readonly until?: number;
}

/** Throws a PolicyError after the deadline. */
export function checkInTime({ until = Number.POSITIVE_INFINITY }: Deadline): void {
  if (performance.now() > until) throw new PolicyError('timed_out', 'the change was not done in time');
}

/** Steps that end with a PolicyError after the deadline. */
export function inTime<Result>(deadline: Deadline, steps: Steps<Result>): Steps<Result> {
  return checkedSteps(steps, () => checkInTime(deadline));
}
