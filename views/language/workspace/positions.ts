/** Positions of the protocol: lines and UTF-16 units, both from 0. */

import type { Position, Range } from 'vscode-languageserver-types';
import { Source } from '../../../compiler/index.js';

/** The position of an offset; one outside of the text is moved to its nearest end. */
function positionAt(source: Source, offset: number): Position {
  const at = Math.min(Math.max(offset, 0), source.text.length);
  const line = source.row(at) - 1;
  const start = source.lineStarts[line]!;
  return { line, character: Math.min(at, lineEnd(source, line)) - start };
}

/** The offset of a position; one behind the end of a line, or of the text, is moved to that end. */
export function offsetAt(source: Source, { line, character }: Position): number {
  const start = source.lineStarts[line];
  if (start === undefined) return line < 0 ? 0 : source.text.length;
  return Math.min(start + Math.max(character, 0), lineEnd(source, line));
}

/** The offset behind the last character of a line, without its line break. */
function lineEnd({ text, lineStarts }: Source, line: number): number {
  const next = lineStarts[line + 1];
  if (next === undefined) return text.length;
  return text[next - 2] === '\r' && next - 2 >= lineStarts[line]! ? next - 2 : next - 1;
}

/** The range between two offsets. */
export function rangeBetween(source: Source, start: number, end: number): Range {
  return { start: positionAt(source, start), end: positionAt(source, end) };
}

/** The range of a whole text. */
export function wholeRange(text: string): Range {
  return rangeBetween(new Source('', text), 0, text.length);
}

/** The offset of a row and a column as messages have them: from 1, columns in characters. */
export function offsetOfColumn({ text, lineStarts }: Source, row: number, col: number): number {
  const start = lineStarts[row - 1];
  if (start === undefined) return text.length;
  const next = lineStarts[row];
  const line = text.slice(start, next === undefined ? text.length : next - 1);
  let offset = 0;
  let left = col - 1;
  for (const character of line) {
    if (left-- <= 0) break;
    offset += character.length;
  }
  return start + offset;
}

/** The offset a number of bytes of UTF-8 behind another one, at most the end of its row. */
export function offsetBehind({ text }: Source, from: number, bytes: number): number {
  let offset = from;
  for (let left = bytes; left > 0; ) {
    const code = text.codePointAt(offset);
    if (code === undefined || code === 0x0a || code === 0x0d) break;
    left -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    offset += code < 0x10000 ? 1 : 2;
  }
  return offset;
}

/** Whether two ranges share a position. */
export function overlaps(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}

function comparePositions(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}
