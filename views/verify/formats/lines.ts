/** A text by its lines. */
export interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The lines without their ends; a text that ends with a line end has an empty last line. */
export function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((part) => {
    const line = part.endsWith('\r') ? part.slice(0, -1) : part;
    const found = { text: line, start, end: start + line.length };
    start += part.length + 1;
    return found;
  });
}

/** Where an offset is: line and column count from 1. */
export function placeIn(text: string, offset: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < offset; end = text.indexOf('\n', start)) {
    line++;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

/** The number of characters of a line that are shown, and those before the place. */
const longestLine = 160;
const shownBefore = 40;

/** The line around an offset, cut on both sides where it is long: a file may have one line only. */
export function shownLine(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const next = text.indexOf('\n', offset);
  const end = (next < 0 ? text.length : next) - (text[next - 1] === '\r' ? 1 : 0);
  if (end - start <= longestLine) return text.slice(start, Math.max(start, end));
  const first = Math.max(start, Math.min(offset - shownBefore, end - longestLine));
  const last = Math.min(end, first + longestLine);
  return `${first > start ? '…' : ''}${text.slice(first, last)}${last < end ? '…' : ''}`;
}

/** The lines from an offset on, the first few of them. */
export function shownLines(text: string, offset: number, count: number): readonly string[] {
  const lines = [shownLine(text, offset)];
  for (let end = text.indexOf('\n', offset); lines.length < count && end >= 0; end = text.indexOf('\n', end + 1))
    lines.push(shownLine(text, end + 1));
  return lines;
}
