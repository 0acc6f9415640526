/**
 * Work on values: walking them, comparing, hashing and writing them, arithmetic of many digits. An evaluation counts it as it counts instructions, so that it
 * ends in time within such work too: an array of two equal arrays of two equal arrays and so on has few objects in memory but no end to a walk.
 */

/** Milliseconds that a unit of work takes at least: an instruction, or a step of a walk. Costs are stated in these units. */
export const msPerUnit = 1e-5;

/** Told of each portion of work. */
export interface WorkWatch {
  /** May throw to end the work. Of `units` some may be about to be done: see `countWork`. */
  tick(units: number): void;
}

/** Units between two looks at the clock: a tenth of a millisecond. */
const portion = 10_000;

let left = portion;
let watch: WorkWatch | undefined;

/**
 * Counts work before it is done. Throws the error of the watch where the time that is left is shorter than the work takes. So state the whole cost of a step
 * that nothing can interrupt, such as a sort by the platform.
 */
export function countWork(units = 1): void {
  if (units <= left) left -= units;
  else spent(units);
}

/** Characters of a string that are walked in a unit, and how long strings are counted. */
const charactersPerUnit = 5;
const long = 1000;

/** Counts a walk through a string, where that is long. */
export function countText(length: number): void {
  if (length > long) countWork(Math.floor(length / charactersPerUnit));
}

function spent(units: number): void {
  const all = portion - left + units;
  left = portion;
  watch?.tick(all);
}

/** Sets the watch for the work from now on, and returns the one before. */
export function watchWork(next: WorkWatch | undefined): WorkWatch | undefined {
  const before = watch;
  watch = next;
  // One evaluation does not pay for the work of another.
  left = portion;
  return before;
}
