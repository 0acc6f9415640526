/** Durations for people. */

/** A time in the unit in which it has up to three digits before the point. */
export function timeText(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${nanoseconds} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(1)} µs`;
  if (nanoseconds < 1e9) return `${(nanoseconds / 1e6).toFixed(1)} ms`;
  return `${(nanoseconds / 1e9).toFixed(2)} s`;
}
