/** One search for warnings: the operand of its rules. */

import type { Steps } from '../../values/index.js';
import type { Warnings } from '../diagnostics/warnings.js';
import type { Compiled } from '../resolve/compiled.js';
import type { KnownNames } from './known-names.js';
import type { WarningScope } from './warning-scope.js';

export interface WarningSearch {
  /** The modules, after all stages and without errors. */
  readonly compiled: Compiled;
  /** The names below `data`. */
  readonly names: KnownNames;
  readonly scope: WarningScope;
  /** Takes the warnings that are found. */
  readonly warnings: Warnings;
}

/**
 * A rule of `check`: it reports into `warnings`, and changes nothing. One that takes long for many
 * modules yields after each.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a short rule returns nothing
export type WarningRule = (search: WarningSearch) => Steps | void;
