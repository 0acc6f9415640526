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

/** So long, in milliseconds, others wait at most for their turn, if no step takes longer: however much work there is that goes in slices. */
const sliceMs = 4;

interface Job {
  readonly steps: Steps<unknown>;
  /** Slices that it has had. */
  slices: number;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** What has had more slices is long: such jobs are done one after the other, so that what they take in memory is not there all at once. */
const slicesOfShort = 10;

/** As many short jobs have a slice before a long one does. */
const shortPerLong = 3;

const short: Job[] = [];
const long: Job[] = [];
let isUnderWay = false;

/** Carries out steps for a few milliseconds at a time, and lets others have their turn in between. Rejects with what a step throws. */
export function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const job: Job = { steps, slices: 0, resolve, reject };
    // What is short is done at once where nothing else is under way.
    if (!isUnderWay && slice(job)) return;
    short.push(job);
    if (!isUnderWay) void goOn();
  });
}

/** Gives jobs slices, with a turn of others between two of them. */
async function goOn(): Promise<void> {
  isUnderWay = true;
  for (let n = 1; short.length + long.length > 0; n++) {
    await turnOfOthers();
    const takesLong = short.length === 0 || (long.length > 0 && n % (shortPerLong + 1) === 0);
    const job = takesLong ? long[0]! : short.shift()!;
    const isDone = slice(job);
    if (takesLong) {
      if (isDone) long.shift();
    } else if (!isDone) (job.slices < slicesOfShort ? short : long).push(job);
  }
  isUnderWay = false;
}

/** Answers whether the job is done. */
function slice(job: Job): boolean {
  const { steps, resolve, reject } = job;
  job.slices++;
  const until = performance.now() + sliceMs;
  try {
    do {
      const step = steps.next();
      if (step.done === true) {
        resolve(step.value as never);
        return true;
      }
    } while (performance.now() < until);
    return false;
  } catch (error) {
    reject(error);
    return true;
  }
}

function turnOfOthers(): Promise<void> {
  // A timer waits for a millisecond, but not every platform has the other.
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
