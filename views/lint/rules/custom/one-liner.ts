/** Rules that would fit one line. */

import type { Rule } from '../../../../compiler/index.js';
import type { LintFile } from '../../frame/lint-file.js';

/** The width of the indentation that is counted with a line. */
const indent = 4;

/** Whether a rule of one expression takes several lines, but need not. */
export function fitsOneLine(rule: Rule, file: LintFile, most: number): boolean {
  if (rule.generatedBody || rule.default || rule.else !== undefined || rule.body.length !== 1) return false;
  const [head = '', next = ''] = rule.loc.text.split('\n').map((line) => line.trim());
  const hasBraces = /if\s*\{$/.test(head) || (/\sif\b/.test(head) && !head.endsWith('{') && next.startsWith('{'));
  if (!hasBraces || indent + head.length + next.length - 1 >= most) return false;
  const { row } = rule.loc;
  const last = rule.loc.endPosition.row;
  return !file.module.comments.some(({ loc }) => loc.row > row && loc.row <= last);
}
