/** Results in the Test Anything Protocol. */
import type { CheckResult } from '../results.js';

export function resultsTap(results: readonly CheckResult[]): string {
  return results.map(checkTap).join('');
}

function checkTap(check: CheckResult): string {
  const { failures, warnings, skipped, exceptions, successes } = check;
  const total = failures.length + warnings.length + skipped.length + exceptions.length + successes;
  if (total === 0) return '';
  const indicator = check.filename === '-' ? ' - - ' : ` - ${check.filename} - `;
  let text = `1..${total}\n`;
  let number = 0;
  const add = (word: string, messages: readonly string[], title?: string) => {
    if (messages.length > 0 && title !== undefined) text += `# ${title}\n`;
    for (const message of messages) text += `${word} ${++number}${indicator}${check.namespace} - ${message}\n`;
  };
  const told = (found: CheckResult['failures']) => found.map(({ msg }) => msg);
  add('not ok', told(failures));
  add('not ok', told(warnings), 'warnings');
  add('ok', told(exceptions), 'exceptions');
  add('ok', told(skipped), 'skip');
  add('ok', Array<string>(successes).fill('SUCCESS'), 'successes');
  return text;
}
