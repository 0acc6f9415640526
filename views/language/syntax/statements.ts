/** Where the statements of a text begin, as far as that shows without a parser. */

/** A part of a text: offsets, the end exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * The statements of a text. A statement begins with a word or a string in the first column; lines
 * that are indented, closing brackets and `else` belong to the statement above.
 */
export function statementsOf(text: string): readonly Stretch[] {
  const starts: number[] = [];
  for (const { index } of text.matchAll(/^(?=[\p{L}_"])(?!else\b)/gmu)) starts.push(index);
  const before = text.slice(0, starts[0]);
  if (/^\s*[^\s#]/m.test(before)) starts.unshift(0);
  return starts.map((start, i) => {
    const next = starts[i + 1] ?? text.length;
    return { start, end: endOf(text, start, next) };
  });
}

/** Comments and empty lines before the next statement belong to that one. */
function endOf(text: string, start: number, next: number): number {
  let end = next;
  for (;;) {
    const lineStart = text.lastIndexOf('\n', end - 2) + 1;
    if (lineStart <= start || !/^(?:#.*|\s*)$/s.test(text.slice(lineStart, end))) return end;
    end = lineStart;
  }
}

/** The lines of comments around an offset; undefined where it is in no line that is one. */
export function commentAround(text: string, offset: number): Stretch | undefined {
  const lineAt = (at: number): Stretch => {
    const end = text.indexOf('\n', at);
    return { start: text.lastIndexOf('\n', at - 1) + 1, end: end < 0 ? text.length : end + 1 };
  };
  const isComment = ({ start, end }: Stretch): boolean => /^\s*#/.test(text.slice(start, end));
  let { start, end } = lineAt(offset);
  if (!isComment({ start, end })) return undefined;
  while (start > 0 && isComment(lineAt(start - 1))) start = lineAt(start - 1).start;
  while (end < text.length && isComment(lineAt(end))) end = lineAt(end).end;
  return { start, end };
}

/** Whether an offset is in a string or a comment: its words are none of the language. */
export function isQuoted(text: string, offset: number): boolean {
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|#.*/g)) {
    if (index >= offset) return false;
    if (offset < index + token.length || (token.startsWith('#') && offset === index + token.length)) return true;
  }
  return false;
}

/** The text with spaces in the place of a stretch: all other offsets and lines stay. */
export function blanked(text: string, { start, end }: Stretch): string {
  return text.slice(0, start) + blank(text.slice(start, end)) + text.slice(end);
}

/** Spaces in the place of all characters but line breaks. */
export function blank(text: string): string {
  return text.replace(/[^\r\n]+/g, (line) => ' '.repeat(line.length));
}
