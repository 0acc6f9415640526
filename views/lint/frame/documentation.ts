/** Pages about rules. */

import { pageOf } from '../../../compiler/index.js';
import type { Finding } from './finding.js';

/** The page about the rule of a finding: an address, or a file of the package. */
export function documentationOf({ category, rule }: Pick<Finding, 'category' | 'rule'>): string {
  if (category === 'writ') return pageOf(rule);
  return `https://www.openpolicyagent.org/projects/regal/rules/${category}/${rule}`;
}
