/** Results as lines for people, in the reference's form. */
import { type CheckResult, countsOf, countsText } from '../results.js';

export interface StandardOptions {
  readonly colors: boolean;
  readonly showsSkipped: boolean;
  readonly suppressesExceptions: boolean;
}

const colors = { red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;

export type Paint = (color: keyof typeof colors, text: string) => string;

export function painting(isOn: boolean): Paint {
  return (color, text) => (isOn ? `\u001b[${colors[color]}m${text}\u001b[0m` : text);
}

export function resultsStandard(results: readonly CheckResult[], options: StandardOptions): string {
  const paint = painting(options.colors);
  const lines: string[] = [];
  for (const check of results) {
    const indicator = check.filename === '-' ? '-' : `- ${check.filename}`;
    const namespace = check.namespace === '-' ? '-' : `- ${check.namespace} -`;
    for (const { outputs } of check.queries) {
      for (const line of outputs) lines.push(`${paint('blue', 'PRNT ')}  ${line}`);
      if (outputs.length > 0) lines.push('');
    }
    const add = (word: string, color: keyof typeof colors, found: CheckResult['failures']) => {
      for (const { msg } of found) lines.push(`${paint(color, word)} ${indicator} ${namespace} ${msg}`);
    };
    add('WARN', 'yellow', check.warnings);
    add('FAIL', 'red', check.failures);
    if (!options.suppressesExceptions) add('EXCP', 'cyan', check.exceptions);
  }
  const counts = countsOf(results);
  const color = counts.failures > 0 ? 'red' : counts.warnings > 0 ? 'yellow' : counts.exceptions > 0 ? 'cyan' : 'green';
  const summary = `${countsText(counts)}${options.showsSkipped ? `, ${counts.skipped} skipped` : ''}`;
  return `${lines.map((line) => `${line}\n`).join('')}\n${paint(color, summary)}\n`;
}

/** The traces of all queries. */
export function tracesText(results: readonly CheckResult[], isColored: boolean): string {
  const paint = painting(isColored);
  let text = '';
  for (const { filename, queries } of results)
    for (const { query, passed, traces } of queries) {
      text += `${paint(passed ? 'green' : 'red', `file: ${filename} | query: ${query}`)}\n`;
      for (const line of traces) text += `${paint('blue', 'TRAC ')}  ${line}\n`;
    }
  return text;
}
