/** Pages about rules. */

import type { Finding } from './finding.js';

/** The address of the page about the rule of a finding. */
export function documentationOf({ category, rule }: Pick<Finding, 'category' | 'rule'>): string {
  return `https://www.openpolicyagent.org/projects/regal/rules/${category}/${rule}`;
}
