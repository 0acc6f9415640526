/** INI: sections of pairs. Pairs before the first section, and those of `DEFAULT`, are left out. */

import { type PlainObject, setOwn, type Value } from '../../../values/index.js';
import { FileFormatError, type Format } from './format.js';
import { type Line, linesOf } from './lines.js';
import type { Marks } from './marks.js';
import { scalarFloat, truthOf } from './scalars.js';

export const ini: Format = {
  parse(text, _context, marks) {
    const sections: PlainObject = {};
    let section: PlainObject | undefined;
    let unnamed = 1;
    const lines = linesOf(text.replace(/^\ufeff/, ''));
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i]!;
      const content = line.text.trim();
      if (content === '' || content.startsWith('#') || content.startsWith(';')) continue;
      if (content.startsWith('[')) {
        section = openSection(sections, content, line, marks);
        unnamed = 1;
        continue;
      }
      const { name, value, last } = readPair(lines, i);
      // Keys that are a dash are numbered.
      const key = name === '-' ? `#${unnamed++}` : name;
      if (section !== undefined) {
        setOwn(section, key, value);
        marks?.at(section, key, line.start, lines[last]!.end);
      }
      i = last;
    }
    return sections;
  },
};

function openSection(
  sections: PlainObject,
  content: string,
  { start, end }: Line,
  marks: Marks | undefined,
): PlainObject | undefined {
  const close = content.lastIndexOf(']');
  if (close < 0) throw new FileFormatError(`read ini file: unclosed section: ${content}\n`, start);
  const name = content.slice(1, close);
  if (name === '') throw new FileFormatError('read ini file: empty section name', start);
  if (name === 'DEFAULT') return undefined;
  if (!Object.hasOwn(sections, name)) {
    setOwn<Value>(sections, name, {});
    marks?.at(sections, name, start, end);
  }
  return sections[name] as PlainObject;
}

const keyPattern = /^\s*(?:"""(.*?)"""|"([^"]*)"|`([^`]*)`|([^=:]*?))\s*[=:]\s*/;

interface Pair {
  readonly name: string;
  readonly value: Value;
  /** The line where it ends. */
  readonly last: number;
}

function readPair(lines: readonly Line[], at: number): Pair {
  const line = lines[at]!;
  const key = keyPattern.exec(line.text);
  const name = key?.slice(1).find((part) => part !== undefined);
  if (key === null)
    throw new FileFormatError(`read ini file: key-value delimiter not found: ${line.text.trim()}\n`, line.start);
  if (name === '') throw new FileFormatError('read ini file: empty key name', line.start);
  const { text, last } = readValue(lines, at, key[0].length);
  return { name: name!, value: typed(text, line), last };
}

function readValue(lines: readonly Line[], at: number, from: number): { readonly text: string; readonly last: number } {
  let text = lines[at]!.text.slice(from).trimEnd();
  for (const quote of ['"""', '`'])
    if (text.startsWith(quote)) return quoted(lines, at, text.slice(quote.length), quote);
  if (text.endsWith('\\')) return continued(lines, at, text);
  const comment = text.search(/[#;]/);
  if (comment >= 0) text = text.slice(0, comment).trimEnd();
  const inside = /^(["'])(.*)\1$/.exec(text);
  return { text: inside !== null && !inside[2]!.includes(inside[1]!) ? inside[2]! : text, last: at };
}

/** A value whose lines end in backslashes: comments and quotes in it mean nothing. */
function continued(lines: readonly Line[], at: number, first: string) {
  let text = first;
  let last = at;
  while (text.endsWith('\\') && lines[last + 1] !== undefined) {
    text = text.slice(0, -1);
    const next = lines[++last]!.text.trim();
    if (next === '') break;
    text += next;
  }
  return { text, last };
}

/** A text in quotes that may go over several lines. */
function quoted(lines: readonly Line[], at: number, first: string, quote: string) {
  const parts: string[] = [];
  for (let last = at, part: string | undefined = first; part !== undefined; part = lines[++last]?.text) {
    const end = part.lastIndexOf(quote);
    if (end >= 0) return { text: [...parts, part.slice(0, end)].join('\n'), last };
    parts.push(part);
  }
  throw new FileFormatError(`read ini file: missing closing key quote: ${first}\n`, lines[at]!.start);
}

function typed(text: string, { start }: Line): Value {
  const number = scalarFloat(text);
  if (number === undefined) return truthOf(text) ?? text;
  if (Number.isFinite(number)) return number;
  const shown = Number.isNaN(number) ? 'NaN' : number > 0 ? '+Inf' : '-Inf';
  throw new FileFormatError(`marshal ini to json: json: unsupported value: ${shown}`, start);
}
