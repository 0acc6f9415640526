/** Results as commands of GitHub's workflows. */
import { workflowMessage, workflowProperty } from '../../../values/index.js';
import { type CheckResult, countsOf, countsText, type Result } from '../results.js';

export interface GithubOptions {
  readonly hidesPassed: boolean;
  /** Whether messages are printed as the reference does, which takes `%` for a verb. */
  readonly printsVerbs: boolean;
}

export function resultsGithub(results: readonly CheckResult[], options: GithubOptions): string {
  const groups = results.map((check) => groupText(check, options)).join('');
  return `${groups}${countsText(countsOf(results))}\n`;
}

function groupText(check: CheckResult, options: GithubOptions): string {
  const { filename, namespace, failures, warnings, exceptions, skipped, successes } = check;
  const { tests } = countsOf([check]);
  if (options.hidesPassed && failures.length + warnings.length + exceptions.length + skipped.length === 0) return '';
  let text = `::group::Testing ${JSON.stringify(filename)} against ${tests} policies in namespace ${JSON.stringify(namespace)}\n`;
  const add = (command: string, found: readonly Result[], prefix = '') => {
    for (const result of found) text += resultText(command, filename, prefix, result, options);
  };
  add('error', failures);
  add('warning', warnings);
  add('notice', exceptions);
  add('notice', skipped, 'Test was skipped: ');
  text += commandText('notice', filename, '1', `Number of successful checks: ${successes}`);
  return `${text}::endgroup::\n`;
}

function resultText(
  command: string,
  filename: string,
  prefix: string,
  { msg, loc, place }: Result,
  options: GithubOptions,
): string {
  const message = `${prefix}${options.printsVerbs ? printed(msg) : workflowMessage(msg)}`;
  const line = loc?.line ?? (place === undefined ? '1' : String(place.line));
  if (loc?.file === undefined || loc.file === filename) {
    const end = place === undefined || loc !== undefined ? '' : `,endLine=${place.endLine},col=${place.column}`;
    return commandText(command, filename, `${line}${end}`, message);
  }
  const origin = `(ORIGINATING FROM ${loc.file} L${loc.line ?? ''}) ${message}`;
  return commandText(command, loc.file, line, message) + commandText(command, filename, '1', origin);
}

function commandText(command: string, file: string, line: string, message: string): string {
  return `::${command} file=${workflowProperty(file)},line=${line}::${message}\n`;
}

/** A message as the format of Go's `Printf` without operands. */
function printed(message: string): string {
  return message.replace(/%(%|[-+# 0]*[\d.]*[a-zA-Z]?|[\s\S])/g, (all, verb: string) => {
    if (verb === '%') return '%';
    const letter = /[a-zA-Z]$/.exec(verb)?.[0];
    if (letter !== undefined) return `%!${letter}(MISSING)`;
    const flags = /^[-+# 0\d.]*$/.test(verb);
    return flags ? '%!(NOVERB)' : `%!${all.slice(1)}(NOVERB)`;
  });
}
