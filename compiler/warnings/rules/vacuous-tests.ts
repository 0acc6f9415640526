/** Tests that pass whatever the rules say. */

import type { Steps } from '../../../values/index.js';
import type { CallExpr, Expr, Ref, Rule, Term } from '../../ast/nodes.js';
import { isSkippedTest, testNames } from '../../check/test-heads.js';
import { isConstant } from '../../check/typing/constant-terms.js';
import { builtinName } from '../../resolve/builtin-table.js';
import type { Compiled } from '../../resolve/compiled.js';
import { type CompiledRule, ruleKind } from '../../resolve/compiled-rule.js';
import { isComprehension, isEquality } from '../../resolve/expression-kinds.js';
import { findNode } from '../../resolve/tree.js';
import { branchOf, isUnconditional } from '../conditions/branches.js';
import { conditionsOf } from '../conditions/conditions.js';
import { follows } from '../conditions/value-tests.js';
import type { WarningSearch } from '../warning-search.js';

export function* findVacuousTests({ compiled, warnings }: WarningSearch): Steps {
  for (const { rules } of compiled.modules.values()) {
    for (const rule of rules) {
      const { head, default: isDefault } = rule.rule;
      const names = isDefault ? undefined : testNames(rule.rule);
      if (names === undefined || isSkippedTest(names.at(-1))) continue;
      const name = names.join('.');
      if (assertsNothing(rule.rule, compiled)) warnings.report('vacuousTest', head.loc, { name });
      else if (readsNoRule(rule)) warnings.report('constantTest', head.loc, { name });
    }
    yield;
  }
}

/** Whether nothing of `data` is read: no rule, no function, no document. */
function readsNoRule({ reads }: CompiledRule): boolean {
  return reads.every((refs) => refs.length === 0);
}

/** Whether each expression of a test holds in any case. */
function assertsNothing({ body, head }: Rule, compiled: Compiled): boolean {
  if (head.value !== undefined && !(head.value.type === 'boolean' && head.value.value)) return false;
  // Most tests ask for a rule, or what is not: their conditions need not be read.
  if (body.some((expr) => expr.negated || (expr.kind === 'term' && asksForRule(expr.term, compiled)))) return false;
  // The form of a built-in's results does not depend on modifiers.
  const bare = body.map((expr) => (expr.with.length === 0 ? expr : { ...expr, with: [] }));
  const { tests, forms } = conditionsOf(bare, compiled.builtins);
  const decided = new Set(
    tests
      .filter(({ key, test, isNegated }) => !isNegated && follows(test, forms.get(key)?.tests ?? []))
      .map(({ expr }) => expr),
  );
  const known = new Set<string>();
  return body.every((expr, i) => decided.has(bare[i]!) || isSure(expr, known, compiled));
}

/** @param known variables that are defined in any case; those of the expression are added */
function isSure(expr: Expr, known: Set<string>, compiled: Compiled): boolean {
  if (expr.negated || expr.with.some(({ value }) => !isDefined(value, known, compiled))) return false;
  if (expr.kind === 'term') return isTrue(expr.term, compiled);
  if (expr.kind !== 'call') return false;
  const name = builtinName(expr.operator.terms);
  if (name === 'print' || name === 'internal.print') return true;
  if (isEquality(expr)) return isAssignment(expr.args, known, compiled);
  return name === 'count' && isCountOfCollection(expr, known, compiled);
}

function isAssignment([a, b]: readonly [Term, Term], known: Set<string>, compiled: Compiled): boolean {
  if (isConstant(a) && isConstant(b)) return false;
  const [variable, value] = a.type === 'var' && !known.has(a.name) ? [a, b] : [b, a];
  if (variable.type !== 'var' || known.has(variable.name) || !isDefined(value, known, compiled)) return false;
  known.add(variable.name);
  return true;
}

function isDefined(term: Term, known: ReadonlySet<string>, compiled: Compiled): boolean {
  if (isConstant(term) || isComprehension(term)) return true;
  if (term.type === 'var') return known.has(term.name);
  if (term.type === 'array' || term.type === 'set') return term.items.every((item) => isDefined(item, known, compiled));
  if (term.type === 'object')
    return term.entries.every(({ key, value }) => isDefined(key, known, compiled) && isDefined(value, known, compiled));
  return term.type === 'ref' && isAlwaysThere(term.terms, compiled);
}

/** Whether a ref is asked for, which may be undefined or false. */
function asksForRule(term: Term, compiled: Compiled): boolean {
  return term.type === 'ref' && !isTrue(term, compiled);
}

/** A set, or another collection, is true whatever is in it. */
function isTrue(term: Term, compiled: Compiled): boolean {
  if (term.type === 'boolean') return term.value;
  return term.type === 'ref' && isCollection(term.terms, compiled);
}

function isCountOfCollection(
  { args: [collection, output] }: CallExpr,
  known: Set<string>,
  compiled: Compiled,
): boolean {
  if (collection === undefined || output?.type !== 'var' || !isDefined(collection, known, compiled)) return false;
  known.add(output.name);
  return true;
}

/** Whether a ref is that of rules which make a set. */
function isCollection(ref: Ref, { ruleTree }: Compiled): boolean {
  const rules = findNode(ruleTree, ref)?.rules ?? [];
  return (
    rules.length > 0 &&
    rules.every(({ rule, ref: { length } }) => ruleKind(rule.head) === 'multi' && length === ref.length)
  );
}

/** Whether the rules at a ref have a value in any case. */
function isAlwaysThere(ref: Ref, compiled: Compiled): boolean {
  if (isCollection(ref, compiled)) return true;
  const rules = findNode(compiled.ruleTree, ref)?.rules ?? [];
  if (rules.some(({ rule, ref: { length } }) => rule.head.args !== undefined || length !== ref.length)) return false;
  return rules.some(({ rule }) => {
    if (rule.default) return true;
    const branch = branchOf(rule, [], compiled.builtins);
    return branch.isTotal && isUnconditional(branch);
  });
}
