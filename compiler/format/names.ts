/** Names of a module of version 0 that are keywords of version 1. */

import type { Module, Node, Rule, VarTerm } from '../ast/nodes.js';
import { walk } from '../ast/walk.js';
import type { Diagnostics } from '../diagnostics/diagnostics.js';
import { importName } from '../resolve/imports.js';
import { versionOneKeywords } from '../syntax/tokens.js';
import { keywordOf } from './imports.js';

/** Reports each rule with such a name, and each other such name where it stands. */
export function checkFormattedNames(module: Module, diagnostics: Diagnostics): void {
  for (const statement of module.imports) {
    const name = importName(statement);
    if (keywordOf(statement) !== undefined || !versionOneKeywords.has(name)) continue;
    if (statement.alias === undefined)
      diagnostics.report('importEndsWithKeyword', statement.path.terms.at(-1)!.loc, { name });
    else diagnostics.report('keywordAsName', statement.loc, { name, what: 'import' });
  }
  const rules = new Set<string>();
  for (const { head, loc } of module.rules) {
    const name = head.ref[0];
    if (head.ref.length > 1 || name.type !== 'var' || !versionOneKeywords.has(name.name)) continue;
    rules.add(name.name);
    diagnostics.report('keywordAsRuleName', loc, { name: name.name });
  }
  for (const rule of module.rules) {
    for (const { name, loc } of variablesOf(rule).values())
      if (versionOneKeywords.has(name) && !rules.has(name))
        diagnostics.report('keywordAsName', loc, { name, what: 'variable' });
  }
}

/** The variables that stand where version 1 takes no keyword, each by its first occurrence. */
function variablesOf(rule: Rule): ReadonlyMap<string, VarTerm> {
  const found = new Map<string, VarTerm>();
  const add = (variable: VarTerm): void => {
    if (!found.has(variable.name)) found.set(variable.name, variable);
  };
  const heads = new Set<Node>();
  const visit = (node: Node): void => {
    if (node.type === 'var') {
      // As a term, and as the name of the built-in, `contains` stays a name.
      if (node.name !== 'contains' && !heads.has(node)) add(node);
      return;
    }
    if (node.type === 'expr' && node.kind === 'some')
      for (const symbol of node.symbols) if (symbol.type === 'var') add(symbol);
    // Before a field or an index any word is a name.
    const name =
      node.type === 'head' ? node.ref[0] : node.type === 'ref' && node.terms.length > 1 ? node.terms[0] : undefined;
    if (name !== undefined) heads.add(name);
  };
  walk(rule, visit);
  return found;
}
