/** Files of environment variables: `NAME=value`, `export`, quotes, references to other names. */

import { type PlainObject, setOwn } from '../../../values/index.js';
import { environmentText, FileFormatError, type Format } from './format.js';
import { type Line, linesOf } from './lines.js';

/** The most characters that come by references: each may double a value. */
const mostReferred = 10_000_000;

/** Quotes reach to the last of their kind. */
const pair = /^(?:export\s+)?([\w.]+)(?:\s*=\s*|:\s+)('[\s\S]*'|"[\s\S]*"|[^#\n]+)?\s*(?:#.*)?$/;

export const dotenv: Format = {
  parse(text, _context, marks) {
    const values: PlainObject = {};
    let left = mostReferred;
    const lines = linesOf(text.replace(/^\ufeff/, ''));
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      if (/^\s*(?:#.*)?$/.test(line.text)) continue;
      const { content, last } = wholePair(lines, i);
      const found = pair.exec(content);
      if (found === null) throw notPair(content, values, line);
      const referred = (name: string): string => {
        const value = environmentText(name) ?? (Object.hasOwn(values, name) ? String(values[name]) : '');
        left -= value.length;
        if (left < 0) throw new FileFormatError('read .env file: references expand to too much', line.start);
        return value;
      };
      setOwn(values, found[1]!, valueIn(found[2] ?? '', referred));
      marks?.at(values, found[1]!, line.start, lines[last]!.end);
      i = last;
    }
    return values;
  },
};

function notPair(content: string, known: PlainObject, { start }: Line): FileFormatError {
  const exported = /^export\s(.*)$/.exec(content)?.[1];
  const isUnset = exported !== undefined && !Object.hasOwn(known, exported);
  const problem = isUnset ? 'has an unset variable' : "doesn't match format";
  return new FileFormatError(`read .env file: line \`${content}\` ${problem}`, start);
}

/** A value in quotes may go over several lines, up to one that has a quote without a backslash. */
function wholePair(lines: readonly Line[], at: number): { readonly content: string; readonly last: number } {
  let content = lines[at]!.text.trim();
  const value = /[=:](.+)$/.exec(content.includes('=') ? content.replace(/^[^=]*/, '') : content)?.[1]?.trim() ?? '';
  const quote = /^["']/.exec(value)?.[0];
  if (quote === undefined || isClosed(value.slice(1), quote)) return { content, last: at };
  for (let last = at + 1; last < lines.length; last++) {
    content += `\n${lines[last]!.text}`;
    if (isClosed(lines[last]!.text, quote)) return { content, last };
  }
  throw new FileFormatError('read .env file: missing quotes', lines[at]!.start);
}

function isClosed(text: string, quote: string): boolean {
  const end = text.lastIndexOf(quote);
  return end >= 0 && text[end - 1] !== '\\';
}

/** @param referred the value of a name; the environment counts more than the file */
function valueIn(written: string, referred: (name: string) => string): string {
  const text = written.trim();
  const quote = /^(["'])[\s\S]*\1$/.exec(text)?.[1];
  const inside = quote === undefined ? text : text.slice(1, -1);
  if (quote === "'") return inside;
  const plain =
    quote === undefined
      ? inside
      : inside
          .replaceAll('\\n', '\n')
          .replaceAll('\\r', '\r')
          .replace(/\\([^$])/g, '$1');
  return plain.replace(/(\\)?\$\{?([A-Z0-9_]+)?\}?/g, (all, isEscaped, name) => {
    if (isEscaped !== undefined) return all.slice(1);
    if (name === undefined) return all;
    return referred(name);
  });
}
