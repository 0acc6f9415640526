/** The variables that authors name. */

import type { Rule, VarTerm } from '../../../compiler/index.js';
import { isWildcard } from '../../../compiler/index.js';
import type { LintFile } from '../frame/lint-file.js';

/** The variables of a rule, where they are declared and in refs; wildcards excepted. */
export function namedVars(file: LintFile, rule: Rule): readonly VarTerm[] {
  const nodes = file.varsOf(rule).all.map(({ node }) => node);
  return [...new Set(nodes)].filter(({ name }) => !isWildcard(name));
}
