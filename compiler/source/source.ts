/** A text to compile and its line table. */

import { codePoints, countWhile } from '../../values/index.js';

/** Where something starts: 1-based row and column. Columns count code points; a tab is one. */
export interface Position {
  readonly row: number;
  readonly col: number;
}

/** Longer texts are not searched for pairs of surrogates: that would take a moment itself. */
const longestSearched = 1e6;

/** One file (or query, or snippet) of source text. Offsets into it are UTF-16 indexes. */
export class Source {
  readonly file: string;
  readonly text: string;
  /**
   * The lines found so far: they are found when asked for, up to the place that is asked for, since
   * most sources never show a position, and a faulty one shows its first.
   */
  readonly #starts: number[] = [0];
  #isScanned = false;
  /** Whether some code point may take two places of the text; undefined before anyone asks. */
  #hasPairs: boolean | undefined;
  /**
   * The place that was asked for last: the next one is near it, mostly, and a line may be as long
   * as the text.
   */
  #last = { lineStart: 0, offset: 0, characters: 0 };

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** Offsets at which the lines start. */
  get lineStarts(): readonly number[] {
    this.#scan(this.text.length, Number.POSITIVE_INFINITY);
    return this.#starts;
  }

  /** Finds the lines up to the one that starts behind an offset, or to a number of them. */
  #scan(offset: number, count: number): void {
    if (this.#isScanned) return;
    const starts = this.#starts;
    let start = starts.at(-1)!;
    while (start <= offset && starts.length < count) {
      const end = this.text.indexOf('\n', start);
      if (end < 0) {
        this.#isScanned = true;
        return;
      }
      start = end + 1;
      starts.push(start);
    }
  }

  /** Row of an offset, from 1. */
  row(offset: number): number {
    this.#scan(offset, Number.POSITIVE_INFINITY);
    return Math.max(
      1,
      countWhile(this.#starts, (start) => start <= offset),
    );
  }

  /** Row and column of an offset, both from 1. */
  position(offset: number): Position {
    const row = this.row(offset);
    return { row, col: 1 + this.#charactersBefore(offset, this.#starts[row - 1]!) };
  }

  /** The code points of a line before an offset. */
  #charactersBefore(offset: number, lineStart: number): number {
    const { text } = this;
    this.#hasPairs ??= text.length > longestSearched || /[\ud800-\udbff]/.test(text);
    if (!this.#hasPairs) return offset - lineStart;
    const last = this.#last;
    const isNear =
      last.lineStart === lineStart &&
      Math.abs(offset - last.offset) < offset - lineStart &&
      !isWithinPair(text, offset);
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
    this.#scan(this.text.length, row + 1);
    const starts = this.#starts;
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
