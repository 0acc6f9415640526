/**
 * The rules of `check` and of the linter's category `writ`, a file each in `rules/`. Their order
 * does not matter: warnings are told in the order of the text. CONTRIBUTING.md has a recipe.
 */

import { findCachedDecisions } from './rules/cached-decisions.js';
import { findConflicts } from './rules/conflicts.js';
import { findEmptyCollections } from './rules/empty-collections.js';
import { findImpossibleConditions } from './rules/impossible-conditions.js';
import { findImpossiblePatterns } from './rules/impossible-patterns.js';
import { findImpossibleTypes } from './rules/impossible-types.js';
import { findInvalidPatterns } from './rules/invalid-patterns.js';
import { findLoneDefaults } from './rules/lone-defaults.js';
import { findLoneEntrypoints } from './rules/lone-entrypoints.js';
import { findMisnamedTests } from './rules/misnamed-tests.js';
import { findOpenOnUndefined } from './rules/open-on-undefined.js';
import { findSingleUse } from './rules/single-use.js';
import { findTimingUnsafe } from './rules/timing-unsafe.js';
import { findUnindexedLoops } from './rules/unindexed-loops.js';
import { findUnmadeMembers } from './rules/unmade-members.js';
import { findUnreachable } from './rules/unreachable-branches.js';
import { findUnreadReplacements } from './rules/unread-replacements.js';
import { findUnresolved } from './rules/unresolved.js';
import { findUnusedRules } from './rules/unused-rules.js';
import { findVacuousTests } from './rules/vacuous-tests.js';
import type { WarningRule } from './warning-search.js';

/** Run by `check`, by other commands at a terminal, and by the linter. */
export const checkRules: readonly WarningRule[] = [
  findUnresolved,
  findUnmadeMembers,
  findUnreadReplacements,
  findSingleUse,
  findLoneEntrypoints,
  findEmptyCollections,
  findImpossibleConditions,
  findImpossibleTypes,
  findUnreachable,
  findVacuousTests,
  findImpossiblePatterns,
  findInvalidPatterns,
  findLoneDefaults,
  findMisnamedTests,
];

/** Run by the linter alone: their rows in the table of warnings are `isOnlyLinted`. */
export const lintRules: readonly WarningRule[] = [
  findConflicts,
  findTimingUnsafe,
  findOpenOnUndefined,
  findUnusedRules,
  findUnindexedLoops,
  findCachedDecisions,
];
