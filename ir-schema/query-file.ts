import type { Policy } from './plan.js';

/**
 * The file of positions in queries, which have none: as the reference names it. Some engines do not
 * take an empty name.
 */
export const queryFile = '<query>';

/** The names of a plan's files as errors and reports have them: that of queries is empty. */
export function fileNames(policy: Pick<Policy, 'static'>): readonly string[] {
  return (policy.static?.files ?? []).map(({ value }) => (value === queryFile ? '' : value));
}
