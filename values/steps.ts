/** Long work in steps that can be suspended, so that other tasks of the process run in between. */

/** Work that may be suspended at each `yield`. */
export type Steps<Result = void> = Generator<undefined, Result, undefined>;

/** The work of a process between steps: one hook, since no step knows on whose behalf it runs. */
let afterStep: (() => void) | undefined;

/** Calls a function after each step of work without pauses; undefined ends this. */
export function onStep(call: (() => void) | undefined): void {
  afterStep = call;
}

/** Runs all steps without a pause. */
export function allAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    afterStep?.();
  }
}

/** The same steps; `check` is called after each but the last, and may throw to end them. */
export function* checkedSteps<Result>(steps: Steps<Result>, check: () => void): Steps<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    check();
    yield;
  }
}

/**
 * The same steps; `took` gets the milliseconds of each, so that their sum has no time of other
 * tasks between them.
 */
export function* timedSteps<Result>(steps: Steps<Result>, took: (ms: number) => void): Steps<Result> {
  for (;;) {
    const start = performance.now();
    let step: IteratorResult<undefined, Result>;
    try {
      step = steps.next();
    } finally {
      took(performance.now() - start);
    }
    if (step.done === true) return step.value;
    yield;
  }
}

/** Visits items, some of them in a step. */
export function* visitSteps<Item>(items: Iterable<Item>, perStep: number, visit: (item: Item) => void): Steps {
  let count = 0;
  for (const item of items) {
    visit(item);
    if (++count % perStep === 0) yield;
  }
}

/**
 * The milliseconds that other tasks wait if no step takes longer, however many jobs run in slices.
 * Slices are longer where other tasks take longer between them, so that jobs get a third of the
 * time.
 */
const shortestSliceMs = 0.5;
const longestSliceMs = 2;

interface Job {
  readonly steps: Steps<unknown>;
  /** The number of slices that the job has had. */
  slices: number;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/**
 * A job with more slices is long: long jobs run one after the other, so that their memory is not
 * taken at the same time.
 */
const maxSlicesOfShort = 40;

/** The number of short jobs that get a slice before a long one does. */
const shortSlicesPerLong = 3;

const short: Job[] = [];
const long: Job[] = [];
/** A thread has one event loop, so its jobs have one queue. */
let isRunning = false;
/** Milliseconds of slices in this turn of the event loop. */
let usedMs = 0;
/** As `afterStep`. */
let afterSlice: (() => void) | undefined;

/** Calls a function after each slice of work that has more than one; undefined ends this. */
export function onSlice(call: (() => void) | undefined): void {
  afterSlice = call;
}

/** Ends a slice of work that does not run by `inSlices`. */
export function endSlice(): void {
  afterSlice?.();
}

/** Set once by the process. */
let isAlone = false;

/**
 * Runs the steps of `inSlices` to their end at once from now on: for a process without other tasks.
 */
export function runAlone(): void {
  isAlone = true;
}

/**
 * Runs steps for a few milliseconds at a time, and lets other tasks run in between. Rejects with
 * the error of a step.
 */
export function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    if (isAlone) return resolve(allAtOnce(steps));
    const job: Job = { steps, slices: 0, resolve, reject };
    // A short job runs at once if no other one is under way.
    if (!isRunning && usedMs < shortestSliceMs && sliceAtOnce(job)) return;
    short.push(job);
    if (!isRunning) void runJobs();
  });
}

/** Jobs that follow each other in one turn share the time of one slice. */
function sliceAtOnce(job: Job): boolean {
  const started = performance.now();
  const isDone = slice(job, started + shortestSliceMs - usedMs);
  noteUsed(performance.now() - started);
  return isDone;
}

function noteUsed(milliseconds: number): void {
  if (usedMs === 0) void nextTurn().then(() => (usedMs = 0));
  usedMs += milliseconds;
}

/** Gives slices to jobs in turn, and lets other tasks run between two slices. */
async function runJobs(): Promise<void> {
  isRunning = true;
  let ended = performance.now();
  for (let n = 1; short.length + long.length > 0; n++) {
    // A request that arrived meanwhile is read in the first turn. Its decision follows in the same
    // turn, before the next slice.
    await nextTurn();
    await nextTurn();
    const now = performance.now();
    const until = now + Math.min(longestSliceMs, Math.max(shortestSliceMs, (now - ended) / 2));
    const takesLong = short.length === 0 || (long.length > 0 && n % (shortSlicesPerLong + 1) === 0);
    if (takesLong) {
      if (slice(long[0]!, until)) long.shift();
    } else shortSlice(until);
    endSlice();
    ended = performance.now();
    noteUsed(ended - now);
  }
  isRunning = false;
}

/** Runs short jobs until a time. */
function shortSlice(until: number): void {
  do {
    const job = short.shift()!;
    if (!slice(job, until)) (job.slices < maxSlicesOfShort ? short : long).push(job);
  } while (short.length > 0 && performance.now() < until);
}

/** Runs one slice; returns whether the job is done. */
function slice(job: Job, until: number): boolean {
  const { steps, resolve, reject } = job;
  job.slices++;
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

/** Lets other tasks of the process run. */
export function nextTurn(): Promise<void> {
  // setTimeout waits at least a millisecond, but setImmediate does not exist on every platform.
  return new Promise((resolve) => {
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
