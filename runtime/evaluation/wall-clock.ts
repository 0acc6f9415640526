/**
 * The time of day in nanoseconds. `Date` knows it in milliseconds and follows each step of the
 * clock (NTP, a machine that was suspended or moved); `performance` has finer digits, but counts
 * from the start of the process and sees no step. So `Date` gives the milliseconds, and the finer
 * clock only the digits within one.
 */

/** The time of day was `milliseconds` when `performance.now()` was `at`, as far as is known. */
let anchor: { readonly milliseconds: number; readonly at: number } | undefined;

/** The last microsecond of a millisecond: a double of nanoseconds still tells it from the next. */
const end = 0.999;

/**
 * Nanoseconds since 1970. Its milliseconds are those of `Date.now()`.
 *
 * @example
 * wallClockNs(); // 1_700_000_000_123_456_789n
 */
export function wallClockNs(): bigint {
  const milliseconds = Date.now();
  return BigInt(milliseconds) * 1_000_000n + BigInt(Math.floor(1e6 * fractionOf(milliseconds, performance.now())));
}

/**
 * The part of the millisecond that has passed at `now`. The anchor moves where `Date` shows that it
 * is wrong.
 */
function fractionOf(milliseconds: number, now: number): number {
  const fraction = anchor === undefined ? 0 : now - anchor.at - (milliseconds - anchor.milliseconds);
  const shown = Math.max(0, Math.min(fraction, end));
  if (anchor === undefined || shown !== fraction) anchor = { milliseconds, at: now - shown };
  return shown;
}
