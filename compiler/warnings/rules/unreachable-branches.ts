/** Branches and defaults that no evaluation comes to. */

import { printRef } from '../../ast/print.js';
import type { Warnings } from '../../diagnostics/warnings.js';
import type { Compiled } from '../../resolve/compiled.js';
import type { CompiledRule } from '../../resolve/compiled-rule.js';
import { elseChain } from '../../resolve/links.js';
import { walkRules } from '../../resolve/tree.js';
import { type Branch, branchOf, holdsWith, isUnconditional } from '../conditions/branches.js';
import { follows } from '../conditions/value-tests.js';
import type { WarningSearch } from '../warning-search.js';

export function findUnreachable({ compiled, warnings }: WarningSearch): void {
  for (const { rules } of compiled.modules.values())
    for (const rule of rules) if (rule.rule.else) findUnreachableElse(branchesOf(rule, compiled), warnings);
  walkRules(compiled.ruleTree, ({ rules }) => {
    const lone = rules.find(({ rule }) => rule.default);
    if (lone !== undefined && rules.length > 1) findUnreachableDefault(lone, rules, compiled, warnings);
    return undefined;
  });
}

function branchesOf({ rule }: CompiledRule, { builtins }: Compiled): readonly Branch[] {
  const args = rule.head.args ?? [];
  return [...elseChain(rule)].map((link) => branchOf(link, args, builtins));
}

function findUnreachableElse(branches: readonly Branch[], warnings: Warnings): void {
  for (const [i, branch] of branches.entries()) {
    const earlier = branches.slice(0, i).find((other) => other.isTotal && holdsWith(other, branch));
    if (earlier === undefined) continue;
    const { link } = branch;
    const isAlways = isUnconditional(earlier);
    const { row } = earlier.link.loc;
    warnings.report('unreachableElse', link.loc, { row, isAlways }, link.head.loc);
    return;
  }
}

function findUnreachableDefault(
  { rule, ref }: CompiledRule,
  rules: readonly CompiledRule[],
  compiled: Compiled,
  warnings: Warnings,
): void {
  const name = printRef(rule.head.ref);
  const others = rules.filter((other) => !other.rule.default && other.ref.length === ref.length);
  const chains = others.map((other) => branchesOf(other, compiled));
  const always = chains.flat().find((branch) => branch.isTotal && isUnconditional(branch));
  if (always !== undefined) {
    const isElse = chains.every(([first]) => first !== always);
    const { row } = always.link.loc;
    warnings.report(isElse ? 'redundantDefault' : 'unreachableDefault', rule.loc, { name, row });
    return;
  }
  const firsts = chains.flatMap(([first]) => (first === undefined ? [] : [first]));
  const either = firsts.find((branch) => firsts.some((other) => areEither(branch, other)));
  if (either !== undefined) warnings.report('redundantDefault', rule.loc, { name, row: either.link.loc.row });
}

/** Whether one of two branches holds in any case: the one is under `not` what the other one is. */
function areEither(a: Branch, b: Branch): boolean {
  const [one, other] = [soleTest(a), soleTest(b)];
  return (
    one !== undefined &&
    other !== undefined &&
    !one.isNegated &&
    other.isNegated &&
    one.key === other.key &&
    follows(one.test, [other.test]) &&
    follows(other.test, [one.test])
  );
}

function soleTest({ conditions: { tests, others, defined }, isTotal, hasPatterns }: Branch) {
  return isTotal && !hasPatterns && tests.length === 1 && others.length === 0 && defined.length === 0
    ? tests[0]
    : undefined;
}
