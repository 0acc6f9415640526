/** Reports for GitHub's workflows. */

import { countedNoun, workflowMessage, workflowProperty } from '../../../values/index.js';
import type { Finding, LintReport } from '../../../views/index.js';
import { findingPage, findingPlace, inOneLine, summaryOf } from './summary.js';

/** A command of the workflow for each finding. */
export function githubCommands({ findings }: LintReport): string {
  return findings
    .map((finding) => {
      const { level, file = '', row, col, description } = finding;
      const message = `${description}. To learn more, see: ${findingPage(finding) ?? ''}`;
      const command = level === 'error' || level === 'warning' ? level : 'notice';
      return `::${command} file=${workflowProperty(file)},line=${row},col=${col}::${workflowMessage(message)}\n`;
    })
    .join('');
}

/** The name of a rule, with its page where it has one. */
function linkOf(finding: Finding): string {
  const name = `${finding.category}/${finding.rule}`;
  const page = findingPage(finding);
  return page === undefined ? name : `[${name}](${page})`;
}

/** The summary that a workflow shows, as Markdown. */
export function stepSummary(report: LintReport): string {
  const head = `### Regal Lint Report\n\n${countedNoun(report.scanned, 'file')} linted. ${summaryOf(report)}`;
  if (report.findings.length === 0) return head.replace(/\.$/, '');
  const lines = report.findings.map(
    (finding) => `- \`${findingPlace(finding)}\` ${inOneLine(finding.description)} (${linkOf(finding)})\n`,
  );
  return `${head}\n\n${lines.join('')}`;
}
