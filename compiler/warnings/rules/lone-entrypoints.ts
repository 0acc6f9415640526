/** Entrypoints of metadata that no rule is at: a package without rules. */

import { printRef } from '../../ast/print.js';
import { rulesRead } from '../../resolve/tree.js';
import type { WarningSearch } from '../warning-search.js';

export function findLoneEntrypoints({ compiled: { modules, ruleTree }, warnings }: WarningSearch): void {
  for (const { parsed } of modules.values())
    for (const { entrypoint, path, loc } of parsed.annotations)
      if (entrypoint && rulesRead(ruleTree, path).length === 0)
        warnings.report('unresolvedEntrypoint', loc, { name: printRef(path), meant: undefined });
}
