/** All warnings about compiled modules: of the stages, and of the modules together. */

import { type Warning, Warnings } from '../diagnostics/warnings.js';
import type { Compiled } from '../resolve/compiled.js';
import { Ignored } from './ignored.js';
import { KnownNames } from './known-names.js';
import { findUnresolved } from './unresolved.js';
import type { WarningScope } from './warning-scope.js';

/**
 * The warnings that neither a comment nor the scope silences, in the order of the text. Modules
 * with errors have none.
 */
export function findWarnings(compiled: Compiled, scope: WarningScope = {}): readonly Warning[] {
  if (compiled.diagnostics.length > 0) return [];
  const warnings = new Warnings();
  for (const warning of compiled.warnings) warnings.add(warning);
  const names = new KnownNames(compiled, scope);
  for (const module of compiled.modules.values()) findUnresolved(module, names, warnings);
  const ignored = new Ignored([...compiled.modules.values()].map(({ parsed }) => parsed));
  return warnings.list.filter((warning) => !isSilent(warning, scope) && !ignored.has(warning));
}

function isSilent({ code, location }: Warning, { silent = [] }: WarningScope): boolean {
  return silent.some((each) => each.code === code && (each.inFile?.(location.file) ?? true));
}
