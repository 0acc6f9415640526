/** Additional runs from which coverage tells why a range was not covered. */
export const coverageRuns = ['index_excluded', 'early_exit'] as const;
export type CoverageRun = (typeof coverageRuns)[number];
