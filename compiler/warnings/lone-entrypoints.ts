/** Entrypoints of metadata that no rule is at: a package without rules. */

import { printRef } from '../ast/print.js';
import type { Warnings } from '../diagnostics/warnings.js';
import type { Compiled } from '../resolve/compiled.js';
import type { CompiledModule } from '../resolve/compiled-rule.js';
import { rulesRead } from '../resolve/tree.js';

export function findLoneEntrypoints({ parsed }: CompiledModule, { ruleTree }: Compiled, warnings: Warnings): void {
  for (const { entrypoint, path, loc } of parsed.annotations) {
    if (entrypoint && rulesRead(ruleTree, path).length === 0)
      warnings.report('unresolvedEntrypoint', loc, { name: printRef(path), meant: undefined });
  }
}
