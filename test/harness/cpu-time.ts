/**
 * For tests: checks that the time of work grows in proportion to its size, independent of other
 * load on the machine.
 */
import { expect } from 'vitest';

/**
 * The limit in milliseconds of processor time. Each test takes a small part of it; quadratic growth
 * takes more.
 */
const limitMs = 5000;
/** A machine with shared cores may be slow for a moment. */
const tries = 3;

/**
 * The milliseconds of processor time since an earlier reading; time of other processes is not
 * counted.
 */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/**
 * Runs an action until it stays within the limit of processor time; fails after some attempts. The
 * bound detects work that would take many times as long if it were implemented wrong; it does not
 * measure speed.
 */
export async function expectBoundedWork(run: () => unknown, label = '', mostMillis = limitMs): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries && least >= mostMillis; i++) {
    const before = process.cpuUsage();
    await run();
    least = Math.min(least, cpuMs(before));
  }
  expect(least, `${label} milliseconds of the processor`).toBeLessThan(mostMillis);
}
