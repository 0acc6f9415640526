/** All rules. */

import type { LintRule } from '../frame/lint-rule.js';
import { conditionRules } from './bugs/conditions.js';
import { functionRules } from './bugs/functions.js';
import { metadataRules } from './bugs/metadata.js';
import { nameRules } from './bugs/names.js';
import { patternRules } from './bugs/patterns.js';
import { wholeRules } from './bugs/rules.js';
import { argumentRules } from './custom/arguments.js';
import { customRules } from './custom/custom.js';
import { callRules } from './idiomatic/calls.js';
import { headRules } from './idiomatic/heads.js';
import { iterationRules } from './idiomatic/iteration.js';
import { packageRules } from './idiomatic/packages.js';
import { circularRules } from './imports/circular.js';
import { importRules } from './imports/imports.js';
import { resolutionRules } from './imports/resolution.js';
import { performanceRules } from './performance/performance.js';
import { commentRules } from './style/comments.js';
import { expressionRules } from './style/expressions.js';
import { iterationStyleRules } from './style/iteration.js';
import { ruleRules } from './style/rules.js';
import { testingRules } from './testing/testing.js';
import { compilerRules } from './writ.js';

export const rules: readonly LintRule[] = [
  ...metadataRules,
  ...conditionRules,
  ...functionRules,
  ...nameRules,
  ...wholeRules,
  ...patternRules,
  ...argumentRules,
  ...customRules,
  ...headRules,
  ...callRules,
  ...iterationRules,
  ...packageRules,
  ...importRules,
  ...resolutionRules,
  ...circularRules,
  ...performanceRules,
  ...commentRules,
  ...ruleRules,
  ...expressionRules,
  ...iterationStyleRules,
  ...testingRules,
  ...compilerRules,
];
