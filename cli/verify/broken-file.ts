/** Files that cannot be read, for people: the place, and what is wrong. */
import type { VerifyError } from '../../views/verify/index.js';

/** `deploy.yaml:3:5: error: …`, and the line. */
export function brokenText({ message, at }: VerifyError): string {
  const words = message.replace(/^parse configurations: (?:parser unmarshal: )?/, '');
  if (at === undefined) return `error: ${words}\n`;
  const told = words.replace(/, path: [^\n]*$/, '').trim();
  if (at.offset === undefined) return `${at.file}: error: ${told}\n`;
  const before = at.text.slice(0, at.offset);
  const line = before.split('\n').length;
  const column = at.offset - (before.lastIndexOf('\n') + 1) + 1;
  const shown = at.text.split('\n')[line - 1] ?? '';
  return `${at.file}:${line}:${column}: error: ${told}\n  ${line} | ${shown}\n`;
}
