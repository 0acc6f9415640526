/** A text to compile and its line table. */

import { codePoints } from '../../values/text/code-points.js';

/** Where something starts: 1-based row and column. Columns count code points; a tab is one. */
export interface Position {
  readonly row: number;
  readonly col: number;
}

/** One file (or query, or snippet) of source text. Offsets into it are UTF-16 indexes. */
export class Source {
  readonly file: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;
  /**
   * The place that was asked for last: the next one is near it, mostly, and a line may be as long
   * as the text.
   */
  #last = { lineStart: 0, offset: 0, characters: 0 };

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /**
   * Offsets at which the lines start; made when first asked for, since most sources never show a
   * position.
   */
  get lineStarts(): readonly number[] {
    return (this.#lineStarts ??= findLineStarts(this.text));
  }

  /** Row of an offset, from 1. */
  row(offset: number): number {
    const starts = this.lineStarts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }

  /** Row and column of an offset, both from 1. */
  position(offset: number): Position {
    const row = this.row(offset);
    return { row, col: 1 + this.#charactersBefore(offset, this.lineStarts[row - 1]!) };
  }

  /** The code points of a line before an offset. */
  #charactersBefore(offset: number, lineStart: number): number {
    const { text } = this;
    const last = this.#last;
    const isNear = last.lineStart === lineStart && Math.abs(offset - last.offset) < offset - lineStart && !isWithinPair(text, offset);
    const characters = !isNear
      ? codePoints(text, lineStart, offset)
      : offset < last.offset
        ? last.characters - codePoints(text, offset, last.offset)
        : last.characters + codePoints(text, last.offset, offset);
    if (!isWithinPair(text, offset)) this.#last = { lineStart, offset, characters };
    return characters;
  }

  /** The text of a row (from 1), without its line break. */
  line(row: number): string {
    const starts = this.lineStarts;
    const start = starts[row - 1];
    if (start === undefined) return '';
    const next = starts[row];
    const line = this.text.slice(start, next === undefined ? this.text.length : next - 1);
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}

function isWithinPair(text: string, offset: number): boolean {
  return (text.charCodeAt(offset) & 0xfc00) === 0xdc00 && (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800;
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
