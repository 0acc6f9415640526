/** All warnings about compiled modules: of the stages, and of the modules together. */

import { allAtOnce, type Steps } from '../../values/index.js';
import type { Body, Module } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import { warningTable } from '../diagnostics/warning-table.js';
import { type Warning, Warnings } from '../diagnostics/warnings.js';
import type { Compiled } from '../resolve/compiled.js';
import type { CompiledRule } from '../resolve/compiled-rule.js';
import { rulesRead } from '../resolve/tree.js';
import { type Directives, directivesOf, isIgnored } from './directives.js';
import { KnownNames } from './known-names.js';
import { findUnresolvedInQuery } from './rules/unresolved.js';
import { checkRules, lintRules } from './warning-rules.js';
import type { WarningScope } from './warning-scope.js';

/**
 * The warnings that neither a comment nor the scope silences, in the order of the text. Modules
 * with errors have none.
 */
export function findWarnings(compiled: Compiled, scope: WarningScope = {}): readonly Warning[] {
  return allAtOnce(findWarningSteps(compiled, scope));
}

/** As `findWarnings`, in steps. */
export function* findWarningSteps(compiled: Compiled, scope: WarningScope = {}): Steps<readonly Warning[]> {
  if (compiled.diagnostics.length > 0) return [];
  const names = yield* KnownNames.of(compiled, scope);
  return told(yield* all(compiled, names, scope), compiled, scope);
}

/**
 * The warnings about a query, and about the modules: all of them, or the rules that the query
 * reads.
 */
export function findQueryWarnings(
  query: Body,
  compiled: Compiled,
  scope: WarningScope = {},
  reach: 'all' | 'read' = 'read',
): readonly Warning[] {
  const names = allAtOnce(KnownNames.of(compiled, scope));
  const found = allAtOnce(all(compiled, names, scope));
  const ofQuery = new Warnings();
  findUnresolvedInQuery(query, names, ofQuery);
  if (reach === 'all') return [...told(found, compiled, scope), ...ofQuery.list];
  const rules = [...rulesReadBy(query, compiled)];
  const sources = new Set(rules.map(({ module }) => module.parsed.source));
  const isRead = ({ span, code }: Warning): boolean =>
    sources.has(span.source) &&
    (code === warningTable.unresolvedImport.code || rules.some(({ rule }) => rule.loc.includes(span)));
  return [...ofQuery.list, ...told(found.filter(isRead), compiled, scope)];
}

function* all(compiled: Compiled, names: KnownNames, scope: WarningScope): Steps<readonly Warning[]> {
  const warnings = new Warnings();
  for (const warning of compiled.warnings) warnings.add(warning);
  const rules = scope.isLint ? [...checkRules, ...lintRules] : checkRules;
  for (const find of rules) {
    const steps = find({ compiled, names, scope, warnings });
    if (steps) yield* steps;
    yield;
  }
  return warnings.list;
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

/** Finds the comments of modules, each module's when it has a warning. */
class Ignored {
  readonly #modules = new Map<string, Module>();
  readonly #directives = new Map<Module, Directives>();

  constructor(modules: Iterable<Module>) {
    for (const module of modules) this.#modules.set(module.source.file, module);
  }

  has({ code, location, span }: Warning): boolean {
    const module = this.#modules.get(location.file);
    if (module === undefined) return false;
    let directives = this.#directives.get(module);
    if (!directives) this.#directives.set(module, (directives = directivesOf(module.comments)));
    return isIgnored(directives, code, location.row) || isIgnored(directives, code, span.row);
  }
}

/** The rules that a query reads, directly or through others. */
function rulesReadBy(query: Body, { ruleTree, graph }: Compiled): ReadonlySet<CompiledRule> {
  const found = new Set<CompiledRule>();
  for (const expr of query)
    walk(expr, (node) => {
      if (node.type === 'ref') for (const rule of rulesRead(ruleTree, node.terms)) found.add(rule);
    });
  // A set yields members that are added during its iteration.
  for (const rule of found) for (const other of graph.dependencies(rule)) found.add(other);
  return found;
}
