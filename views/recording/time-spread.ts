/** Times of several evaluations: medians, spreads, and whether they name a statement. */
import type { AddressedStatement } from '../../ir-schema/index.js';
import type { StatementProfile } from './statement-profile.js';

/** Half of the evaluations took a time between `low_ns` and `high_ns`. */
export interface TimeSpread {
  readonly median_ns: number;
  readonly low_ns: number;
  readonly high_ns: number;
}

/** The spread of milliseconds. */
export function spreadOf(times: readonly number[]): TimeSpread {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.round((sorted.length - 1) * share)] ?? 0) * 1e6);
  return { median_ns: at(0.5), low_ns: at(0.25), high_ns: at(0.75) };
}

/** The evaluation in the middle, by its time. */
export function medianProfile(profiles: readonly StatementProfile[]): StatementProfile | undefined {
  return profiles.toSorted((a, b) => a.time - b.time)[Math.floor((profiles.length - 1) / 2)];
}

/** The own time of each statement in all evaluations. */
export function statementSpreads(profiles: readonly StatementProfile[]): ReadonlyMap<AddressedStatement, TimeSpread> {
  const statements = profiles[0]?.counts.keys() ?? [];
  return new Map(
    [...statements].map((statement) => [
      statement,
      spreadOf(profiles.map(({ counts }) => counts.get(statement)?.time ?? 0)),
    ]),
  );
}

/** How much longer the slowest statement has to take than the next one, at the median. */
const clearFactor = 1.25;

/**
 * The statement that takes longest; undefined where the times of the evaluations do not tell it
 * from another one.
 */
export function slowestOf<S>(spreads: Iterable<readonly [S, TimeSpread]>): S | undefined {
  const [first, second] = [...spreads].sort(([, a], [, b]) => b.median_ns - a.median_ns);
  if (first === undefined || second === undefined) return first?.[0];
  const [statement, { low_ns, median_ns }] = first;
  const [, other] = second;
  return low_ns > other.high_ns && median_ns >= other.median_ns * clearFactor ? statement : undefined;
}
