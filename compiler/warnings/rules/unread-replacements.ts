/** Documents that a `with` replaces and that nothing reads, since their names are misspelt. */

import type { PlainObject, Steps, Value } from '../../../values/index.js';
import type { RefTerm, With } from '../../ast/nodes.js';
import { isRoot, leadingKeys } from '../../ast/paths.js';
import { printRef } from '../../ast/print.js';
import { walk } from '../../ast/walk.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import { walkRulesSteps } from '../../resolve/tree.js';
import { memberNamed, refKeys, similar } from '../known-names.js';
import { NameTree } from '../name-tree.js';
import type { WarningScope } from '../warning-scope.js';
import type { WarningSearch } from '../warning-search.js';

export function* findUnreadReplacements({ compiled, scope, warnings }: WarningSearch): Steps {
  // Names that rules have or read.
  const names = new NameTree();
  const replaced: With[] = [];
  for (const { parsed, rules } of compiled.modules.values()) {
    for (const { rule } of rules)
      walk(rule, (node) => {
        if (node.type === 'with') {
          replaced.push(node);
          walk(node.value, (inner) => void (inner.type === 'ref' && addRead(names, inner)));
          return false;
        }
        if (node.type === 'ref') addRead(names, node);
        return true;
      });
    for (const { schemas, compile } of parsed.annotations)
      for (const term of [...schemas.map(({ path }) => path), ...(compile?.unknowns ?? [])])
        if (term.type === 'ref') addRead(names, term);
    yield;
  }
  if (!replaced.some(({ target }) => target.type === 'ref' && isRoot(target.terms[0], 'data'))) return;
  yield* walkRulesSteps(compiled.ruleTree, ({ rules: [first] }) => {
    if (first) names.add(leadingKeys(first.ref.slice(1)));
    return undefined;
  });
  for (const ref of scope.known ?? []) names.add(refKeys(ref));
  for (const { target } of replaced)
    if (target.type === 'ref' && isRoot(target.terms[0], 'data')) checkTarget(target, names, scope, warnings);
}

function checkTarget(target: RefTerm, names: NameTree, scope: WarningScope, warnings: Warnings): void {
  const path = leadingKeys(target.terms.slice(1));
  let read: NameTree | undefined = names;
  let document: Value | undefined = scope.documents;
  for (const [i, key] of path.entries()) {
    if (read?.isLeaf) return;
    const others: readonly string[] = [
      ...(read?.children.keys() ?? []),
      ...Object.keys((document ?? {}) as PlainObject),
    ];
    read = read?.at(key);
    document = memberNamed(document, key);
    if (read !== undefined || document !== undefined) continue;
    const meant = similar(key, new Set(others));
    if (meant === undefined || scope.elsewhere?.(path) !== undefined) return;
    // A policy that is left out may read it.
    if (scope.isMentioned?.(key)) return;
    const holes = { ref: printRef(target.terms.slice(0, i + 2)), meant, file: undefined };
    warnings.report('unresolvedReference', target.loc, { ...holes, isReplaced: true }, target.terms[i + 1]!.loc);
    return;
  }
}

function addRead(names: NameTree, ref: RefTerm): void {
  if (isRoot(ref.terms[0], 'data')) names.add(leadingKeys(ref.terms.slice(1)));
}
