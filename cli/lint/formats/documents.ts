/** Reports for programs: JSON and SARIF. */

import type { Finding, LintReport, Notice } from '../../../views/index.js';
import { findingPage, findingResources } from './summary.js';

export function jsonReport(report: LintReport): string {
  const { findings, notices } = report;
  const document = {
    violations: findings.map(violation),
    ...(notices.length > 0 && { notices: notices.map(notice) }),
    summary: {
      files_scanned: report.scanned,
      files_failed: report.failed,
      rules_skipped: notices.length,
      num_violations: findings.length,
    },
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function violation(finding: Finding): object {
  const { file = '', row, col, end, text } = finding;
  return {
    title: finding.rule,
    description: finding.description,
    category: finding.category,
    level: finding.level,
    ...(findingResources(finding).length > 0 && { related_resources: findingResources(finding) }),
    location: { ...(end && { end }), ...(text !== undefined && { text }), file, col, row },
  };
}

function notice({ rule, category, description }: Notice): object {
  return { title: rule, description, category, level: 'notice', severity: 'warning' };
}

export function sarifReport({ findings, notices }: LintReport): string {
  const rules = new Map<string, object>();
  for (const finding of findings)
    if (!rules.has(finding.rule))
      rules.set(finding.rule, sarifRule(finding.rule, finding.category, finding.description, findingPage(finding)));
  for (const { rule, category, description } of notices)
    if (!rules.has(rule)) rules.set(rule, sarifRule(rule, category, description, undefined));
  const indexes = new Map([...rules.keys()].map((name, i) => [name, i]));
  const files = [...new Set(findings.flatMap(({ file }) => file ?? []))];
  const run = {
    tool: {
      driver: {
        informationUri: 'https://www.openpolicyagent.org/projects/regal',
        name: 'Regal',
        rules: [...rules.values()],
      },
    },
    ...(files.length > 0 && { artifacts: files.map((file) => ({ location: { uri: uriOf(file) }, length: -1 })) }),
    results: [
      ...findings.map((finding) => result(finding, indexes.get(finding.rule)!)),
      ...notices.map(({ rule, description }) => ({
        ruleId: rule,
        ruleIndex: indexes.get(rule),
        kind: 'informational',
        level: 'none',
        message: { text: description },
      })),
    ],
  };
  const document = {
    version: '2.1.0',
    $schema: 'https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json',
    runs: [run],
  };
  return JSON.stringify(document, undefined, 2);
}

function sarifRule(id: string, category: string, text: string, helpUri: string | undefined): object {
  const hasPage = helpUri !== undefined && URL.canParse(helpUri);
  return { id, shortDescription: { text }, ...(hasPage && { helpUri }), properties: { category } };
}

/** The levels that a result may have. */
const sarifLevels: ReadonlySet<string> = new Set(['none', 'note', 'warning', 'error']);

/** A path as a reference: its first name may have no colon, and no name characters of a URI. */
function uriOf(file: string): string {
  const uri = encodeURI(file.toWellFormed()).replaceAll('?', '%3F').replaceAll('#', '%23');
  return uri.replace(/^[^/]*/, (name) => name.replaceAll(':', '%3A'));
}

function result(finding: Finding, ruleIndex: number): object {
  const { file, row, col, end } = finding;
  const region =
    row === 0
      ? undefined
      : { startLine: row, ...(col > 0 && { startColumn: col }), ...(end && { endLine: end.row, endColumn: end.col }) };
  const physicalLocation = { artifactLocation: { uri: uriOf(file ?? '') }, ...(region && { region }) };
  return {
    ruleId: finding.rule,
    ruleIndex,
    level: sarifLevels.has(finding.level) ? finding.level : 'warning',
    message: { text: finding.description },
    locations: [{ physicalLocation }],
  };
}
