/** Documents and parts of the input that a `with` gives and that nothing reads, being misspelt. */

import type { PlainObject, Steps, Value } from '../../../values/index.js';
import type { Ref, RefTerm, StringTerm, Term, With } from '../../ast/nodes.js';
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
  // Names that rules have or read, and the parts of the input that they read.
  const names = new NameTree();
  const inputs = new NameTree();
  const replaced: With[] = [];
  // The modifiers of an expression, by each of them.
  const beside = new Map<With, readonly With[]>();
  for (const { parsed, rules } of compiled.modules.values()) {
    for (const { rule } of rules)
      walk(rule, (node) => {
        if (node.type === 'expr') for (const modifier of node.with) beside.set(modifier, node.with);
        if (node.type === 'with') {
          replaced.push(node);
          walk(node.value, (inner) => void (inner.type === 'ref' && addRead(names, inputs, inner)));
          return false;
        }
        if (node.type === 'ref') addRead(names, inputs, node);
        return true;
      });
    for (const { schemas, compile } of parsed.annotations)
      for (const term of [...schemas.map(({ path }) => path), ...(compile?.unknowns ?? [])])
        if (term.type === 'ref') addRead(names, inputs, term);
    yield;
  }
  if (!inputs.isLeaf && inputs.children.size > 0)
    for (const modifier of replaced) checkInput(modifier, beside.get(modifier) ?? [], inputs, { scope, warnings });
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

type Report = Pick<WarningSearch, 'scope' | 'warnings'>;

/** `with input.usr as …`, and the keys of `with input as {"usr": …}`. */
function checkInput({ target, value }: With, beside: readonly With[], inputs: NameTree, report: Report): void {
  if (target.type !== 'ref' || !isRoot(target.terms[0], 'input')) return;
  const [root, ...keys] = target.terms;
  let read: NameTree = inputs;
  const path: Term[] = [root];
  for (const key of keys) {
    if (key.type !== 'string' || read.isLeaf) return;
    const next = read.at(key.value);
    if (next === undefined) return tellInput([...path, key], read, namesGiven(beside, path), report);
    read = next;
    path.push(key);
  }
  checkKeys(path, value, read, report);
}

function checkKeys(path: readonly Term[], value: Term, read: NameTree, report: Report): void {
  if (value.type !== 'object' || read.isLeaf) return;
  const names = value.entries.flatMap(({ key }) => (key.type === 'string' ? [key.value] : []));
  for (const { key, value: part } of value.entries) {
    if (key.type !== 'string') continue;
    const next = read.at(key.value);
    if (next === undefined) tellInput([...path, key], read, names, report);
    else checkKeys([...path, key], part, next, report);
  }
}

/** The names that modifiers give below a path of the input. */
function namesGiven(modifiers: readonly With[], { length }: readonly Term[]): readonly string[] {
  return modifiers.flatMap(({ target }) => {
    const key = target.type === 'ref' && isRoot(target.terms[0], 'input') ? target.terms[length] : undefined;
    return key?.type === 'string' ? [key.value] : [];
  });
}

/** @param given the names beside the last one: what is there as well is not what is meant */
function tellInput(path: readonly Term[], read: NameTree, given: readonly string[], report: Report): void {
  const key = path.at(-1) as StringTerm;
  const meant = similar(key.value, new Set(read.children.keys()));
  if (meant === undefined || given.includes(meant) || report.scope.isMentioned?.(key.value)) return;
  const holes = { ref: printRef(path as unknown as Ref), meant, file: undefined, isInput: true };
  report.warnings.report('unresolvedReference', key.loc, { ...holes, isReplaced: true });
}

function addRead(names: NameTree, inputs: NameTree, { terms }: RefTerm): void {
  if (isRoot(terms[0], 'data')) names.add(leadingKeys(terms.slice(1)));
  else if (isRoot(terms[0], 'input')) inputs.add(leadingKeys(terms.slice(1)));
}
