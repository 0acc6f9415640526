/** Rules of the category `writ`: the warnings of the compiler. */

import { warningTable } from '../../../compiler/index.js';
import type { LintRule } from '../frame/lint-rule.js';

export const compilerRules: readonly LintRule[] = Object.values(warningTable).map(({ code, finds }) => ({
  name: code,
  category: 'writ',
  level: 'warning',
  finds,
}));
