/** Files of environment variables: `NAME=value`, `export`, quotes, references to earlier names. */

import type { PlainObject } from '../../../values/index.js';
import { setOwn } from '../../../values/index.js';
import { FileFormatError, type Format } from './format.js';
import { type Line, linesOf } from './lines.js';

const pair = /^\s*(?:export\s+)?([\w.]+)(?:\s*=\s*|:\s+)('(?:\\'|[^'])*'|"(?:\\"|[^"])*"|[^#\n]+)?\s*(?:#.*)?$/;
const opened = /^\s*(?:export\s+)?[\w.]+(?:\s*=\s*|:\s+)(["'])/;

export const dotenv: Format = {
  parse(text, _context, marks) {
    const values: PlainObject = {};
    const lines = linesOf(text.replace(/^\ufeff/, ''));
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      if (/^\s*(?:#.*)?$/.test(line.text)) continue;
      const { content, last } = wholePair(lines, i);
      const found = pair.exec(content);
      if (found === null) {
        if (/^\s*export\s+[\w.]+\s*$/.test(content)) continue;
        throw new FileFormatError(`read .env file: line \`${line.text.trim()}\` doesn't match format`, line.start);
      }
      setOwn(values, found[1]!, valueIn(found[2] ?? '', values));
      marks?.at(values, found[1]!, line.start, lines[last]!.end);
      i = last;
    }
    return values;
  },
};

/** A value in quotes may go over several lines. */
function wholePair(lines: readonly Line[], at: number): { readonly content: string; readonly last: number } {
  const quote = opened.exec(lines[at]!.text)?.[1];
  let content = lines[at]!.text;
  if (quote === undefined) return { content, last: at };
  const isClosed = (text: string) => text.replaceAll(`\\${quote}`, '').split(quote).length > 2;
  for (let last = at; last < lines.length; content += `\n${lines[++last]?.text}`)
    if (isClosed(content)) return { content, last };
  return { content: lines[at]!.text, last: at };
}

function valueIn(written: string, known: PlainObject): string {
  const text = written.trim();
  const quote = /^(["'])[\s\S]*\1$/.exec(text)?.[1];
  const inside = quote === undefined ? text : text.slice(1, -1);
  if (quote === "'") return inside;
  const plain = quote === undefined ? inside : inside.replaceAll('\\n', '\n').replaceAll('\\r', '\r');
  return plain
    .replace(/(\\)?\$(?:\{([\w.]+)\}|([\w.]+))/g, (all, isEscaped, braced, bare) => {
      if (isEscaped !== undefined) return all.slice(1);
      const name = braced ?? bare;
      return Object.hasOwn(known, name) ? String(known[name]) : '';
    })
    .replace(/\\([^$])/g, '$1');
}
