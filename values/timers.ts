/** Times for the timers of platforms, which take a longer time for a millisecond. */

/** Milliseconds: some 24 days. */
export const longestTimerMs = 2 ** 31 - 1;

/** The time for a timer: whole milliseconds, the longest ones where a limit is longer. */
export function timerMs(milliseconds: number): number {
  return Math.min(Math.ceil(milliseconds), longestTimerMs);
}
