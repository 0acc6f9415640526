/** The instructions of a Dockerfile: comments, continued lines, directives, here-documents. */
import { type Line, linesOf } from '../lines.js';

export interface Instruction {
  /** The instruction on one line. */
  readonly text: string;
  /** The comments since the instruction before. */
  readonly comments: readonly Comment[];
  readonly start: number;
  readonly end: number;
}

interface Comment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const directive = /^#\s*([a-zA-Z][a-zA-Z0-9]*)\s*=\s*(.+?)\s*$/;

export function dockerInstructions(text: string): Instruction[] {
  const lines = linesOf(text.replace(/^\ufeff/, ' '));
  const found: Instruction[] = [];
  let comments: Comment[] = [];
  let i = 0;
  let escapeMark = '\\';
  for (const seen = new Set<string>(); i < lines.length; i++) {
    const [, name = '', value = ''] = directive.exec(lines[i]!.text.trimStart()) ?? [];
    const known = name.toLowerCase();
    if (!['escape', 'syntax', 'check'].includes(known) || seen.has(known)) break;
    seen.add(known);
    if (known === 'escape' && (value === '`' || value === '\\')) escapeMark = value;
  }
  for (; i < lines.length; i++) {
    const line = lines[i]!;
    const content = line.text.trim();
    if (content.startsWith('#')) comments.push({ text: content.slice(1).trim(), start: line.start, end: line.end });
    else if (content !== '') {
      const { text: whole, last } = joined(lines, i, escapeMark);
      const end = afterHereDocuments(lines, last, whole);
      found.push({ text: whole, comments, start: line.start, end: lines[end]!.end });
      comments = [];
      i = end;
    }
  }
  return found;
}

/** A line with those that continue it; comments and empty lines between them are left out. */
function joined(
  lines: readonly Line[],
  at: number,
  escapeMark: string,
): { readonly text: string; readonly last: number } {
  const mark = escapeMark === '`' ? /(^|[^`])`[ \t]*$/ : /(^|[^\\])\\[ \t]*$/;
  let last = at;
  let part = lines[at]!.text.trimStart();
  let text = part.replace(mark, '$1');
  while (mark.test(part) && lines[last + 1] !== undefined) {
    const next = lines[++last]!.text;
    if (/^\s*#/.test(next) || next.trim() === '') {
      part = escapeMark;
      continue;
    }
    part = next;
    text += part.replace(mark, '$1');
  }
  return { text: text.trimEnd(), last };
}

/** The last line of the here-documents that an instruction opens. */
function afterHereDocuments(lines: readonly Line[], at: number, text: string): number {
  if (!/^(?:run|copy|add)\s/i.test(text) || /^\w+\s+\[/.test(text)) return at;
  let last = at;
  for (const [, dash, , name] of text.matchAll(/(?:^|\s)\d*<<(-?)(["']?)([\w.]+)\2(?=\s|$)/g)) {
    const isEnd = ({ text: line }: Line) => (dash === '-' ? line.replace(/^\t+/, '') : line) === name;
    const end = lines.findIndex((line, i) => i > last && isEnd(line));
    if (end < 0) return lines.length - 1;
    last = end;
  }
  return last;
}
