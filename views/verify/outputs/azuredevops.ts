/** Results as commands of Azure's pipelines. */
import { type CheckResult, countsOf, countsText } from '../results.js';

export function resultsAzure(results: readonly CheckResult[]): string {
  return `${results.map(sectionText).join('')}${countsText(countsOf(results))}\n`;
}

function sectionText(check: CheckResult): string {
  const { filename, namespace, failures, warnings, exceptions, skipped, successes } = check;
  const issue = (type: string, found: CheckResult['failures']) =>
    found.map(({ msg }) => `##vso[task.logissue type=${type}] file=${filename} --> ${msg}\n`).join('');
  return [
    `##[section]Testing '${filename}' against ${countsOf([check]).tests} policies in namespace '${namespace}'\n`,
    '##[group]See conftest results\n',
    issue('error', failures),
    issue('warning', warnings),
    issue('warning', exceptions),
    skipped.map(({ msg }) => `skipped file=${filename} ${msg}\n`).join(''),
    successes > 0 ? `success file=${filename} ${successes}\n` : '',
    '##[endgroup]\n',
  ].join('');
}
