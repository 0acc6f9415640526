/** Long work that can be laid aside, so that a process with other things to do can do them in between. */

/** Work that may be laid aside wherever it yields. */
export type Steps<Result = void> = Generator<undefined, Result, undefined>;

/** Carries out all steps one after the other. */
export function allAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** So long, in milliseconds, others wait at most for their turn, if no step takes longer. */
const sliceMs = 4;

/** Carries out steps for a few milliseconds at a time, and lets others have their turn in between. Rejects with what a step throws. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let until = performance.now() + sliceMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() < until) continue;
    await turnOfOthers();
    until = performance.now() + sliceMs;
  }
}

function turnOfOthers(): Promise<void> {
  // A timer waits for a millisecond, but not every platform has the other.
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
