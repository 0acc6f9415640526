import { timerMs } from '../../../values/index.js';

/** Milliseconds for the last spans and metrics where requests and logs have used up the time. */
const leastMs = 1000;

/**
 * Milliseconds in which the last spans and metrics must be sent.
 * @param until the end of the grace period, a reading of `performance.now()`
 */
export function lastExportMs(until: number): number {
  return timerMs(Math.max(leastMs, until - performance.now()));
}
