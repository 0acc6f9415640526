/** Reports for GitHub's workflows. */

import type { Finding, LintReport } from '../../../views/index.js';
import { findingPage, findingPlace, inOneLine, plural, summaryOf } from './summary.js';

/** A command of the workflow for each finding. */
export function githubCommands({ findings }: LintReport): string {
  return findings
    .map((finding) => {
      const { level, file = '', row, col, description } = finding;
      const message = `${description}. To learn more, see: ${findingPage(finding) ?? ''}`;
      return `::${level} file=${property(file)},line=${row},col=${col}::${data(message)}\n`;
    })
    .join('');
}

/** The name of a rule, with its page where it has one. */
function linkOf(finding: Finding): string {
  const name = `${finding.category}/${finding.rule}`;
  const page = findingPage(finding);
  return page === undefined ? name : `[${name}](${page})`;
}

/** A text as the commands of workflows take it: in one line. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** The value of a property of a command. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** The summary that a workflow shows, as Markdown. */
export function stepSummary(report: LintReport): string {
  const head = `### Regal Lint Report\n\n${plural(report.scanned, 'file')} linted. ${summaryOf(report)}`;
  if (report.findings.length === 0) return head.replace(/\.$/, '');
  const lines = report.findings.map(
    (finding) => `- \`${findingPlace(finding)}\` ${inOneLine(finding.description)} (${linkOf(finding)})\n`,
  );
  return `${head}\n\n${lines.join('')}`;
}
