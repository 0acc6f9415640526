/** Shared state of the parts of a translation. */

import type { Body, Span } from '../../../compiler/index.js';
import { type FilterCondition, neverHolds } from './condition.js';
import { type FilterProblem, problem } from './filter-error.js';
import type { NamedTarget } from './mappings.js';
import type { SupportRules } from './support-rules.js';
import type { Feature, FilterLanguage } from './targets.js';

export interface Fragment {
  readonly targets: readonly NamedTarget[];
  readonly support: SupportRules;
  readonly problems: FilterProblem[];
  /** The condition under which one of some bodies holds. */
  readonly bodies: (bodies: readonly Body[]) => FilterCondition;
}

/** Notes a problem; the condition in its place does not matter, since there is no filter. */
export function refuse({ problems }: Fragment, message: string, loc: Span, details?: string): FilterCondition {
  problems.push(problem(message, loc, details));
  return neverHolds;
}

/** The targets that lack something, one a line: `unsupported feature "not" for UCAST`. */
export function lacking(
  { targets }: Fragment,
  what: string,
  has: (target: FilterLanguage) => boolean,
): string | undefined {
  const labels = targets.flatMap(({ target }) => (has(target) ? [] : [target.label]));
  return labels.length === 0 ? undefined : labels.map((label) => `unsupported ${what}for ${label}`).join('\n');
}

/** As `lacking`, for features. */
export function lackingFeature(fragment: Fragment, feature: Feature): string | undefined {
  return lacking(fragment, `feature "${feature}" `, ({ features }) => features.has(feature));
}
