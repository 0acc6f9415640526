import type { Body } from '../../../../compiler/index.js';
import type { PartialSearch } from '../partial-search.js';
import { propagate } from './propagate.js';

/**
 * Saved expressions as the residual has them.
 * @param live variables that the residual must keep: of the query, or of a rule's head
 * @returns undefined if the body never holds
 */
export function shortened(search: PartialSearch, body: Body, live: ReadonlySet<string>): Body | undefined {
  return search.options.shallowInlining === true ? search.possible(body) : propagate(body, live, search);
}
