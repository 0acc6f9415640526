/** Rules that would fit one line. */

import type { Rule } from '../../../../compiler/ast/nodes.js';
import type { LintFile } from '../../frame/lint-file.js';

/** Whether a rule of one expression takes several lines, but need not. */
export function fitsOneLine(rule: Rule, file: LintFile, most: number): boolean {
  const { head, body, loc } = rule;
  const [expr] = body;
  if (rule.generatedBody || rule.default || rule.else !== undefined || body.length !== 1 || !expr || !head.hasIf)
    return false;
  const last = loc.endPosition.row;
  if (last === loc.row || file.module.comments.some((comment) => loc.includes(comment.loc))) return false;
  const line = `${head.loc.text} if ${expr.loc.text}`.replace(/\s*\n\s*/g, ' ');
  return [...line].length <= most;
}
