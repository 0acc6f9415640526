/** Results as JUnit's XML. */
import type { CheckResult } from '../results.js';

export interface JunitOptions {
  /** Whether names of tests are without messages. */
  readonly hidesMessages: boolean;
  /** The runtime that a property names. */
  readonly runtime: string;
}

const special: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"'\t\n\r]/g, (char) => special[char]!);
}

export function resultsJunit(results: readonly CheckResult[], options: JunitOptions): string {
  const namespaces = [...new Set(results.map(({ namespace }) => namespace))];
  const suites = namespaces.flatMap((namespace) => {
    const cases = results.filter((check) => check.namespace === namespace).flatMap((check) => casesOf(check, options));
    return cases.length === 0 ? [] : [suiteText(namespace, cases, options.runtime)];
  });
  const inside = suites.length === 0 ? '' : `\n${suites.join('\n')}\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>${inside}</testsuites>\n`;
}

interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly message: string;
}

function casesOf(
  { filename, warnings, failures, skipped, successes }: CheckResult,
  { hidesMessages }: JunitOptions,
): Case[] {
  const name = (message: string) =>
    message === '' || hidesMessages ? filename : `${filename} - ${message.split('\n')[0]}`;
  const told = (found: CheckResult['failures'], outcome: Case['outcome']) =>
    found.map(({ msg }) => ({ name: name(msg), outcome, message: msg }));
  return [
    ...told(warnings, 'failed'),
    ...told(failures, 'failed'),
    ...told(skipped, 'skipped'),
    ...Array<Case>(successes).fill({ name: filename, outcome: 'passed', message: '' }),
  ];
}

function suiteText(namespace: string, cases: readonly Case[], runtime: string): string {
  const failed = cases.filter(({ outcome }) => outcome === 'failed').length;
  const group = escaped(`conftest.${namespace}`);
  const lines = cases.flatMap(({ name, outcome, message }) => {
    const start = `\t\t<testcase classname="${group}" name="${escaped(name)}" time="0.000">`;
    if (outcome === 'passed') return [`${start}</testcase>`];
    const inside =
      outcome === 'failed'
        ? `<failure message="Failed" type="">${escaped(message)}</failure>`
        : `<skipped message="${escaped(message)}"></skipped>`;
    return [start, `\t\t\t${inside}`, '\t\t</testcase>'];
  });
  return [
    `\t<testsuite tests="${cases.length}" failures="${failed}" time="0.000" name="${group}">`,
    '\t\t<properties>',
    `\t\t\t<property name="go.version" value="${runtime}"></property>`,
    '\t\t</properties>',
    ...lines,
    '\t</testsuite>',
  ].join('\n');
}
