/** Reports as JUnit's XML, a suite for each file. */

import type { Finding, LintReport } from '../../../views/index.js';
import { cdataXml, escapedXml } from '../../output/xml.js';
import { findingPage, findingPlace } from './summary.js';

export function junitReport({ findings }: LintReport): string {
  if (findings.length === 0) return '<testsuites name="regal"></testsuites>\n';
  const suites = [...Map.groupBy(findings, ({ file = '' }) => file)].map(([file, list]) => suite(file, list));
  const counts = `tests="${findings.length}" failures="${findings.length}"`;
  return `<testsuites name="regal" ${counts}>\n${suites.join('')}</testsuites>\n`;
}

function suite(file: string, findings: readonly Finding[]): string {
  const counts = `tests="${findings.length}" failures="${findings.length}" errors="0" id="0" time=""`;
  return `\t<testsuite name="${escaped(file)}" ${counts}>\n${findings.map(testCase).join('')}\t</testsuite>\n`;
}

function testCase(finding: Finding): string {
  const { rule, category, description, level, text } = finding;
  const place = findingPlace(finding);
  const page = findingPage(finding) ?? '';
  const lines = [
    `Rule: ${rule}`,
    `Description: ${description}`,
    `Category: ${category}`,
    `Location: ${place}`,
    `Text: ${text?.trim() ?? ''}`,
    `Documentation: ${page}`,
  ];
  const message = `${description}. To learn more, see: ${page}`;
  return `\t\t<testcase name="${escaped(`${category}/${rule}: ${description}`)}" classname="${escaped(place)}">
\t\t\t<failure message="${escaped(message)}" type="${escaped(level)}">${cdataXml(lines.join('\n'))}</failure>
\t\t</testcase>\n`;
}

function escaped(text: string): string {
  return escapedXml(text).replaceAll('&quot;', '&#34;').replaceAll("'", '&#39;');
}
