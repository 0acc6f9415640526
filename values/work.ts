/**
 * Accounting of work on values: traversal, comparison, hashing, output, arithmetic of many digits.
 * An evaluation counts it like instructions, so that it ends in time within such work too: an array
 * of two equal arrays of two equal arrays and so on takes little memory, but its traversal is
 * exponential.
 */

/**
 * The milliseconds of a unit of work: an instruction, or a step of a traversal. Costs are stated in
 * units.
 */
export const msPerUnit = 1e-5;

/** Receives each portion of work. */
interface WorkWatch {
  /**
   * May throw to end the work. `units` may include work that is about to be done: see `countWork`.
   */
  tick(units: number): void;
}

/** Units between two checks of the clock: a tenth of a millisecond. */
const unitsPerCheck = 10_000;

/** Evaluation is synchronous: a thread has one at a time. An argument through each loop over values
 * would cost every comparison. */
let left = unitsPerCheck;
let watch: WorkWatch | undefined;

/**
 * Counts work before it is done. Throws the watch's error if the remaining time is shorter than the
 * work. So pass the whole cost of an uninterruptible step, such as a native sort.
 */
export function countWork(units = 1): void {
  if (units <= left) left -= units;
  else spent(units);
}

/**
 * The number of characters of a string that are traversed in a unit, and the length from which
 * strings are counted.
 */
const charactersPerUnit = 5;
const long = 1000;

/** Counts the traversal of a string, if it is long. */
export function countText(length: number): void {
  if (length > long) countWork(Math.floor(length / charactersPerUnit));
}

function spent(units: number): void {
  const all = unitsPerCheck - left + units;
  left = unitsPerCheck;
  watch?.tick(all);
}

/** Sets the watch for subsequent work, and returns the previous one. */
export function watchWork(next: WorkWatch | undefined): WorkWatch | undefined {
  const before = watch;
  watch = next;
  // One evaluation does not pay for the work of another.
  left = unitsPerCheck;
  return before;
}

/**
 * Does work that is no part of the evaluation under way, which does not pay for it and cannot end
 * in the middle of it: the first evaluation makes functions ready that all later ones run.
 */
export function unwatched<Result>(work: () => Result): Result {
  const before = watchWork(undefined);
  try {
    return work();
  } finally {
    watchWork(before);
  }
}
