/** For tests: what hostile clients may cost others. */

/** `.ci/run` sets it: machines there are slower, and do other things beside. */
export const isContinuousIntegration = process.env.CI !== undefined;

/**
 * The bounds are meant for a machine that does nothing else. Where it may do, a fault has to be
 * larger: those that there were before kept others waiting for 0.5 to 10 seconds.
 */
const tolerance = isContinuousIntegration ? 2.5 : 1;

/** What an evaluation may take here, so that the test ends soon. */
export const deadlineMs = 1000;

export interface Bounds {
  /** How long others wait for a decision. */
  readonly waitMs: number;
  /** How long an attack takes: its deadline and a second. */
  readonly endMs: number;
}

const endMs = tolerance * (deadlineMs + 1000);

export const alone: Bounds = { waitMs: tolerance * 100, endMs };

export const together: Bounds = { waitMs: tolerance * 500, endMs };

/** As many attacks are sent at once. */
export const atOnce = 20;

/** How much more memory a server may keep once it has nothing more to do. */
export const memoryGrowth = isContinuousIntegration ? 2.5 : 2;
