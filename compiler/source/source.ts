/** A text to compile and its line table. */

import { codePoints } from '../../runtime/values/code-points.js';

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

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** Offsets at which the lines start; made when first asked for, since most sources never show a position. */
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
    return { row, col: 1 + codePoints(this.text, this.lineStarts[row - 1]!, offset) };
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

function findLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
