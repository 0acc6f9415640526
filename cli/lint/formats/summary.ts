/** The last lines of reports. */

import { countedNoun } from '../../../values/index.js';
import { documentationOf, type Finding, type LintReport } from '../../../views/index.js';

/** `2 violations found.` and the like. */
export function summaryOf({ findings, failed, scanned }: LintReport): string {
  if (findings.length === 0) return 'No violations found.';
  const where = scanned > 1 ? ` in ${countedNoun(failed, 'file')}` : '';
  return `${countedNoun(findings.length, 'violation')} found${where}.`;
}

/** A description of several lines in one. */
export function inOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

/** `file:row:col`, or the file alone. */
export function findingPlace({ file = '', row, col }: Finding): string {
  return row === 0 ? file : `${file}:${row}:${col}`;
}

/** A line for each finding, in the form of warnings. */
export function findingLines({ findings }: LintReport): string {
  return findings
    .map((finding) =>
      `${findingPlace(finding)}: ${finding.level}: ${finding.rule}: ${finding.description}\n`.replace(/^: /, ''),
    )
    .join('');
}

/** The address of a page about the rule. */
export function findingPage(finding: Finding): string | undefined {
  return findingResources(finding)[0]?.ref;
}

export function findingResources(finding: Finding): NonNullable<Finding['relatedResources']> {
  return finding.relatedResources ?? [{ description: 'documentation', ref: documentationOf(finding) }];
}
