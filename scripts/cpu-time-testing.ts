/** For tests: work that must not grow out of proportion, whatever else the machine does meanwhile. */
import { expect } from 'vitest';

/** Milliseconds of the processor. Each of the tests takes a small part of it; growth by the square takes more. */
const mostMs = 5000;
/** A machine that shares its cores may be slow for a moment. */
const tries = 3;

/** Milliseconds that the process has had of the processor since an earlier look: time in which others ran is not counted. */
function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/**
 * Runs something until it stays within a time of the processor; fails where it never does. A bound is for work that would take many
 * times as long if it were done wrong, not for how fast it is.
 */
export async function expectBoundedWork(run: () => unknown, label = '', mostMillis = mostMs): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries && least >= mostMillis; i++) {
    const before = process.cpuUsage();
    await run();
    least = Math.min(least, cpuMs(before));
  }
  expect(least, `${label} milliseconds of the processor`).toBeLessThan(mostMillis);
}
