/** Requirements of version 1 on rules beyond the grammar. */

import type { Rule } from '../ast/nodes.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostics.js';
import { maxProblems } from './grammar/failure.js';
import { keywords, versionOneKeywords } from './tokens.js';

/** The complaints about a rule and its `else` chain. */
export function checkVersionOne(rule: Rule): Diagnostic[] {
  const problems: Diagnostic[] = [];
  for (let link: Rule | undefined = rule; link && problems.length < maxProblems; link = link.else)
    problems.push(...checkLink(link));
  return problems;
}

function checkLink(rule: Rule): Diagnostic[] {
  const { head, loc } = rule;
  const kind = head.args ? 'function' : 'rule';
  const problems: Diagnostic[] = [];
  if (head.ref.length < 2 && (keywords.has(head.name) || versionOneKeywords.has(head.name)))
    problems.push(diagnose('keywordAsRuleName', loc, { name: head.name }));
  if (rule.generatedBody && head.generatedValue) problems.push(diagnose('ruleNeedsValueOrBody', loc, { kind }));
  if (!rule.generatedBody && !head.hasIf && !rule.default) problems.push(diagnose('ifRequired', loc, { kind }));
  if (head.value === undefined && !head.hasContains) problems.push(diagnose('containsRequired', loc, {}));
  return problems;
}
