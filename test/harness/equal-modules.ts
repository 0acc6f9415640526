/** Whether two modules mean the same text; locations and generated parts are ignored. */
import { compareBodies } from '../../compiler/ast/compare-terms.js';
import { equalRefs, equalTerms } from '../../compiler/ast/equal.js';
import type { Import, Module, Rule, RuleHead, Term } from '../../compiler/ast/nodes.js';

function equalOptional(a: Term | undefined, b: Term | undefined): boolean {
  return a === undefined || b === undefined ? a === b : equalTerms(a, b);
}

function equalHeads(a: RuleHead, b: RuleHead): boolean {
  return (
    a.assign === b.assign &&
    equalRefs(a.ref, b.ref) &&
    equalRefs(a.args ?? [], b.args ?? []) &&
    equalOptional(a.key, b.key) &&
    equalOptional(a.value, b.value)
  );
}

function equalRules(a: Rule, b: Rule): boolean {
  let left: Rule | undefined = a;
  let right: Rule | undefined = b;
  for (; left && right; left = left.else, right = right.else) {
    if (left.default !== right.default || !equalHeads(left.head, right.head) || compareBodies(left.body, right.body) !== 0) return false;
  }
  return left === right;
}

function equalImports(a: Import, b: Import): boolean {
  return a.alias === b.alias && equalTerms(a.path, b.path);
}

export function equalModules(a: Module, b: Module): boolean {
  return (
    equalRefs(a.package.path, b.package.path) &&
    a.imports.length === b.imports.length &&
    a.imports.every((statement, i) => equalImports(statement, b.imports[i]!)) &&
    a.rules.length === b.rules.length &&
    a.rules.every((rule, i) => equalRules(rule, b.rules[i]!))
  );
}
