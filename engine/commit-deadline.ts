/** A commit that takes too long or too much memory is given up. */
import { checkedSteps, checkHeap, SizeError, type Steps } from '../values/index.js';
import { PolicyError } from './policy-error.js';

interface Deadline {
  /** A reading of `performance.now()`. Default: no limit. */
  readonly until?: number;
  /** Whether a nearly full heap ends the commit too. */
  readonly checksHeap?: boolean;
}

/** Throws a PolicyError after the deadline. */
export function checkInTime({ until }: Deadline): void {
  if (until !== undefined && performance.now() > until)
    throw new PolicyError('timed_out', 'the change was not done in time');
}

/** Steps that end with a PolicyError after the deadline, and where the heap is nearly full. */
export function inTime<Result>(deadline: Deadline, steps: Steps<Result>): Steps<Result> {
  return checkedSteps(steps, () => {
    checkInTime(deadline);
    if (deadline.checksHeap !== true) return;
    try {
      checkHeap();
    } catch (error) {
      throw error instanceof SizeError
        ? new PolicyError('too_large', `the change is too large: ${error.message}`)
        : error;
    }
  });
}
