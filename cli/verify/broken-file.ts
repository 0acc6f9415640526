/** Files that cannot be read, for people: the place, and what is wrong. */

import { placeIn, shownLine } from '../../views/index.js';
import type { ConfigFileError } from '../../views/node.js';

/** `deploy.yaml:3:5: error: …`, and the line. */
export function brokenText({ message, at }: ConfigFileError): string {
  const words = message.replace(/^parse configurations: (?:parser unmarshal: )?/, '');
  if (at === undefined) return `error: ${words}\n`;
  const told = words.replace(/, path: [^\n]*$/, '').trim();
  if (at.offset === undefined) return `${at.file}: error: ${told}\n`;
  const { line, column } = placeIn(at.text, at.offset);
  return `${at.file}:${line}:${column}: error: ${told}\n  ${line} | ${shownLine(at.text, at.offset)}\n`;
}
