/** Additional runs from which coverage tells why a range was not covered. */
export const coverageRuns = ['index_excluded', 'early_exit'] as const;
export type CoverageRun = (typeof coverageRuns)[number];

/**
 * The runs that some reasons need. Without the index rules have another order, too, in which one
 * may run that early exit alone skipped.
 */
export function runsFor(reasons: readonly CoverageRun[]): readonly CoverageRun[] {
  return reasons.includes('index_excluded') ? coverageRuns : reasons;
}
