/** `.gitignore` and `.dockerignore`: a list of one list of lines. */
import type { PlainObject } from '../../../values/index.js';
import type { Format } from './format.js';
import { linesOf } from './lines.js';

export const ignore: Format = {
  parse(text, _context, marks) {
    const lines = linesOf(text);
    const entries = lines.map((line) => entryOf(line.text));
    for (const [i, { start, end }] of lines.entries()) marks?.at(entries, i, start, end);
    const list = [entries];
    marks?.at(list, 0, 0, text.length);
    return list;
  },
};

function entryOf(line: string): PlainObject {
  const Original = line;
  const content = line.trimEnd();
  if (content === '') return { Kind: 'Empty', Original, Value: '' };
  if (content.startsWith('#')) return { Kind: 'Comment', Original, Value: content.slice(1).trim() };
  if (content.startsWith('!')) return { Kind: 'NegatedPath', Original, Value: content.slice(1) };
  return { Kind: 'Path', Original, Value: content.replace(/^\\([#!])/, '$1') };
}
