/**
 * Loops that visit the first element of each value at a path, where another loop of the plan looks
 * for elements by that path: both use one index of the array.
 */
import type { FunctionFacts } from '../facts/function-facts.js';
import type { Lookups } from './hoisted-lookups.js';

interface Groups {
  readonly path: readonly string[];
  /** Whether the array is part of the base documents. */
  readonly lasting: boolean;
}

/**
 * The groups that a scan may visit once each: where other scans index arrays by the same path. An
 * array that the function makes has an index only if another scan of the function looks there.
 * @param paths those of the values on which a round depends
 */
export function groupsOf(
  source: number,
  paths: readonly (readonly string[])[],
  facts: FunctionFacts,
  lookups: Lookups,
): Groups | undefined {
  const [path] = paths;
  if (path === undefined || paths.length > 1 || !facts.plan.searched.has(path)) return undefined;
  if (facts.made.has(source) && !facts.searchedInMade.has(path)) return undefined;
  return { path, lasting: lookups.isData(source) };
}
