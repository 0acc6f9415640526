/** Files that cannot be read, for people: the place and the fault. */

import { TextLines } from '../../views/index.js';
import type { ConfigFileError } from '../../views/node.js';

/** `deploy.yaml:3:5: error: …`, and the line. */
export function brokenText({ message, at }: ConfigFileError): string {
  const words = message.replace(/^parse configurations: (?:parser unmarshal: |new parser: (?:new: )?)?/, '');
  if (at === undefined) return `error: ${words}\n`;
  const told = words.replace(/, path: [^\n]*$/, '').trim();
  if (at.offset === undefined) return `${at.file}: error: ${told}\n`;
  const lines = new TextLines(at.text);
  const { line, column } = lines.place(at.offset);
  return `${at.file}:${line}:${column}: error: ${told}\n  ${line} | ${lines.shown(at.offset, 1)[0]}\n`;
}
