/** Reports for people: blocks of lines, and a table. */

import { countedNoun, displayWidth } from '../../../values/index.js';
import type { Finding, LintReport } from '../../../views/index.js';
import { tableText } from '../../output/table.js';
import { findingPage, findingPlace, inOneLine, summaryOf } from './summary.js';

type Paint = (color: number, text: string) => string;

const colored: Paint = (color, text) => `\u001b[${color}m${text}\u001b[0m`;
const plain: Paint = (_, text) => text;

/** A block for each finding, in columns. */
export function prettyReport(report: LintReport, hasColor: boolean): string {
  const blocks = report.findings.map((finding) => rowsOf(finding, hasColor));
  const names = Math.max(0, ...blocks.flat().map(({ name }) => name.length)) + 2;
  const values = Math.max(0, ...blocks.flat().map(({ value }) => displayWidth(value))) + 1;
  const paint = hasColor ? colored : plain;
  const line = ({ name, value, color }: Row): string => {
    const shown = color === undefined ? value : paint(color, value);
    return `${paint(33, name)}${' '.repeat(names - name.length)}${shown}${' '.repeat(values - displayWidth(value))}\n`;
  };
  const empty = `${' '.repeat(names + values)}\n`;
  const body = blocks.map((rows) => rows.map(line).join('')).join(empty);
  const scanned = `${countedNoun(report.scanned, 'file')} linted.`;
  return `${body}${body === '' ? '' : '\n'}${scanned} ${summaryOf(report)}${noticesText(report)}`;
}

interface Row {
  readonly name: string;
  readonly value: string;
  readonly color?: number;
}

function rowsOf(finding: Finding, hasColor: boolean): readonly Row[] {
  return [
    { name: 'Rule:', value: finding.rule },
    ...(hasColor ? [] : [{ name: 'Level:', value: finding.level }]),
    { name: 'Description:', value: inOneLine(finding.description), color: 31 },
    { name: 'Category:', value: finding.category },
    { name: 'Location:', value: findingPlace(finding), color: 36 },
    ...(finding.text === undefined ? [] : [{ name: 'Text:', value: finding.text.trim() }]),
    { name: 'Documentation:', value: findingPage(finding) ?? '', color: 36 },
  ];
}

function noticesText({ notices }: LintReport): string {
  if (notices.length === 0) return '\n';
  const lines = notices.map(({ rule, description }) => `- ${rule}: ${description}\n`);
  return ` ${countedNoun(notices.length, 'rule')} skipped:\n${lines.join('')}\n`;
}

/** A line for each finding. */
export function compactReport(report: LintReport): string {
  if (report.findings.length === 0) return '\n';
  const rows = report.findings.map((finding) => [findingPlace(finding), inOneLine(finding.description)]);
  const table = tableText(['LOCATION', 'DESCRIPTION'], rows);
  return `${table} ${countedNoun(report.scanned, 'file')} linted , ${summaryOf(report)}\n`;
}
