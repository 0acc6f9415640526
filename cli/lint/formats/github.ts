/** Reports for GitHub's workflows. */

import type { LintReport } from '../../../views/index.js';
import { findingPage, findingPlace, plural, summaryOf } from './summary.js';

/** A command of the workflow for each finding. */
export function githubCommands({ findings }: LintReport): string {
  return findings
    .map((finding) => {
      const { level, file = '', row, col, description } = finding;
      return `::${level} file=${file},line=${row},col=${col}::${description}. To learn more, see: ${findingPage(finding)}\n`;
    })
    .join('');
}

/** The summary that a workflow shows, as Markdown. */
export function stepSummary(report: LintReport): string {
  const head = `### Regal Lint Report\n\n${plural(report.scanned, 'file')} linted. ${summaryOf(report)}`;
  if (report.findings.length === 0) return head.replace(/\.$/, '');
  const lines = report.findings.map(
    (finding) =>
      `- \`${findingPlace(finding)}\` ${finding.description} ([${finding.category}/${finding.rule}](${findingPage(finding)}))\n`,
  );
  return `${head}\n\n${lines.join('')}`;
}
