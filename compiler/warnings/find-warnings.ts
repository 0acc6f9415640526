/** All warnings about compiled modules: of the stages, and of the modules together. */

import type { Body } from '../ast/nodes.js';
import { warningTable } from '../diagnostics/warning-table.js';
import { type Warning, Warnings } from '../diagnostics/warnings.js';
import type { Compiled } from '../resolve/compiled.js';
import type { CompiledModule } from '../resolve/compiled-rule.js';
import { importName, ruleNamesOf } from '../resolve/imports.js';
import { modulesOf } from '../resolve/tree.js';
import { findCachedDecisions } from './cached-decisions.js';
import { findConflicts } from './conflicts.js';
import { Ignored } from './ignored.js';
import { findImpossibleConditions } from './impossible-conditions.js';
import { findImpossiblePatterns } from './impossible-patterns.js';
import { KnownNames } from './known-names.js';
import { findLoneDefaults } from './lone-defaults.js';
import { findLoneEntrypoints } from './lone-entrypoints.js';
import { findMisnamedTests } from './misnamed-tests.js';
import { findOpenOnUndefined } from './open-on-undefined.js';
import { rulesReadBy } from './read-rules.js';
import { findSingleUse } from './single-use.js';
import { findTimingUnsafe } from './timing-unsafe.js';
import { findUnindexedLoops } from './unindexed-loops.js';
import { findUnreachable } from './unreachable-branches.js';
import { findUnresolved, findUnresolvedInQuery } from './unresolved.js';
import { findUnusedRules } from './unused-rules.js';
import { findVacuousTests } from './vacuous-tests.js';
import type { WarningScope } from './warning-scope.js';

/**
 * The warnings that neither a comment nor the scope silences, in the order of the text. Modules
 * with errors have none.
 */
export function findWarnings(compiled: Compiled, scope: WarningScope = {}): readonly Warning[] {
  return compiled.diagnostics.length > 0
    ? []
    : told(all(compiled, new KnownNames(compiled, scope), scope), compiled, scope);
}

/** The warnings about a query, and about the rules that it reads. */
export function findQueryWarnings(query: Body, compiled: Compiled, scope: WarningScope = {}): readonly Warning[] {
  const names = new KnownNames(compiled, scope);
  const found = all(compiled, names, scope);
  const ofQuery = new Warnings();
  findUnresolvedInQuery(query, names, ofQuery);
  const rules = [...rulesReadBy(query, compiled)];
  const sources = new Set(rules.map(({ module }) => module.parsed.source));
  const isRead = ({ span, code }: Warning): boolean =>
    sources.has(span.source) &&
    (code === warningTable.unresolvedImport.code || rules.some(({ rule }) => rule.loc.includes(span)));
  return [...ofQuery.list, ...told(found.filter(isRead), compiled, scope)];
}

function all(compiled: Compiled, names: KnownNames, scope: WarningScope): readonly Warning[] {
  const warnings = new Warnings();
  for (const warning of compiled.warnings) warnings.add(warning);
  for (const module of compiled.modules.values()) {
    findUnresolved(module, names, warnings);
    findSingleUse(module.parsed, globalNames(module, compiled), warnings);
    findLoneEntrypoints(module, compiled, warnings);
  }
  for (const { span, text, path } of compiled.types?.doubts() ?? [])
    if (path === undefined || !names.isGiven(path)) warnings.report('emptyCollection', span, { collection: text });
  findImpossibleConditions(compiled, warnings);
  findUnreachable(compiled, warnings);
  findVacuousTests(compiled, warnings);
  findImpossiblePatterns(compiled, warnings);
  if (scope.isLint) findWhatIsLinted(compiled, scope, warnings);
  findLoneDefaults(compiled, names, warnings);
  findMisnamedTests(compiled, warnings);
  return warnings.list;
}

function findWhatIsLinted(compiled: Compiled, scope: WarningScope, warnings: Warnings): void {
  findConflicts(compiled, warnings);
  findTimingUnsafe(compiled, warnings);
  findOpenOnUndefined(compiled, warnings);
  findUnusedRules(compiled, scope, warnings);
  findUnindexedLoops(compiled, scope, warnings);
  findCachedDecisions(compiled, warnings);
}

/** The names of a module's imports, and of the rules of its package. */
function globalNames({ parsed }: CompiledModule, { moduleTree }: Compiled): ReadonlySet<string> {
  const names = new Set(parsed.imports.map(importName));
  for (const module of modulesOf(moduleTree, parsed.package))
    for (const name of ruleNamesOf(module.parsed)) names.add(name);
  return names;
}

function told(warnings: readonly Warning[], { modules }: Compiled, scope: WarningScope): readonly Warning[] {
  const ignored = new Ignored([...modules.values()].map(({ parsed }) => parsed));
  return warnings.filter((warning) => !isSilent(warning, scope) && !ignored.has(warning));
}

const onlyLinted = new Set(Object.values(warningTable).flatMap((row) => (row.isOnlyLinted ? [row.code] : [])));

function isSilent({ code, location }: Warning, { silent = [], isLint }: WarningScope): boolean {
  if (onlyLinted.has(code) && !isLint) return true;
  return silent.some((each) => each.code === code && (each.inFile?.(location.file) ?? true));
}
