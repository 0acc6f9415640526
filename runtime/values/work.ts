/**
 * Work on values that nothing else counts: comparing, hashing and writing them. An array of two equal arrays of two equal arrays and so on has few objects in memory
 * but no end for whoever walks it, so an evaluation looks at its clock from within such walks too.
 */

/** Told of each portion of work. */
export interface WorkWatch {
  /** May throw what ends the work. */
  refill(): void;
}

/** Collections between two looks at the clock: some milliseconds. */
const portion = 100_000;

let left = portion;
let watch: WorkWatch | undefined;

/** Counts one collection that is walked. Throws what the watch throws. */
export function countWork(): void {
  if (--left < 0) spent();
}

function spent(): void {
  left = portion;
  watch?.refill();
}

/** Has someone watch from now on; answers who did before. */
export function watchWork(next: WorkWatch | undefined): WorkWatch | undefined {
  const before = watch;
  watch = next;
  return before;
}
