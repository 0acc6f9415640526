/** For tests: bounds of the effect that hostile clients may have on others. */

/** `.ci/run` sets it: its machines are slower and run other programs. */
export const isContinuousIntegration = process.env.CI !== undefined;

/**
 * The bounds hold for an idle machine. On a busy one only larger faults count: former faults kept
 * others waiting for 0.5 to 10 seconds.
 */
const tolerance = isContinuousIntegration ? 2.5 : 1;

/** The time of an evaluation, short so that the test ends soon. */
export const deadlineMs = 1000;

export interface Bounds {
  /** The longest time that others wait for a decision. */
  readonly waitMs: number;
  /** The longest time of an attack: its deadline and a second. */
  readonly endMs: number;
}

const endMs = tolerance * (deadlineMs + 1000);

export const alone: Bounds = { waitMs: tolerance * 100, endMs };

export const together: Bounds = { waitMs: tolerance * 500, endMs };

/** The number of attacks that are sent at once. */
export const atOnce = 20;

/** The memory that an idle server may keep in addition. */
export const memoryGrowth = isContinuousIntegration ? 2.5 : 2;
