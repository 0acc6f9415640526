/**
 * How many random cases a test takes. `npm test` takes a tenth of them, `npm run test:long` all;
 * `WRIT_RUNS=100000` is the number for a longer search in one file.
 */

/** Fewer cases show nothing. */
const fewest = 10;

/** The number of cases in this run, out of all that the test has. */
export function randomCases(all: number): number {
  const { WRIT_RUNS: asked, WRIT_CASES: share } = process.env;
  if (asked !== undefined) return Number(asked);
  return share === 'all' ? all : Math.min(all, Math.max(fewest, Math.ceil(all / 10)));
}

/** A longer search makes failing cases small, and prints its counts. */
export const isLongSearch = process.env.WRIT_RUNS !== undefined;
