/** The page that the formatter writes on: lines, indentation, and the comments that wait for their place. */

import type { Comment } from '../ast/nodes.js';
import type { Span } from '../source/location.js';

interface Placed {
  readonly text: string;
  readonly start: number;
  readonly row: number;
  /** Nothing but the comment stands on its row. */
  readonly alone: boolean;
}

export class Sheet {
  readonly #lines: string[] = [];
  #line = '';
  #indent = 0;
  #isBlockStart = false;
  readonly #comments: Placed[];
  #next = 0;
  /** Row of the text that was written last. */
  #row = 0;

  constructor(comments: readonly Comment[]) {
    this.#comments = comments.map(({ loc, text }) => {
      const row = loc.row;
      const before = loc.source.text.slice(loc.source.lineStarts[row - 1], loc.start);
      return { text: `#${text.trimEnd()}`, start: loc.start, row, alone: before.trim() === '' };
    });
  }

  /** Adds text to the current line. */
  write(text: string): void {
    if (this.#line === '' && text !== '') this.#line = '\t'.repeat(this.#indent);
    this.#line += text;
  }

  /** Remembers how far the original has been written, for comments and blank lines. */
  reach(row: number): void {
    if (row > this.#row) this.#row = row;
  }

  get row(): number {
    return this.#row;
  }

  /** Ends the line, with the comment of its row; if it has come to have more of them, the others stand above it. */
  endLine(): void {
    for (
      let comment = this.#comments[this.#next];
      comment && !comment.alone && comment.row <= this.#row;
      comment = this.#comments[++this.#next]
    ) {
      const following = this.#comments[this.#next + 1];
      const isLast = following === undefined || following.alone || following.row > this.#row;
      if (isLast) this.write(this.#line === '' ? comment.text : ` ${comment.text}`);
      else this.#lines.push('\t'.repeat(this.#indent) + comment.text);
    }
    this.#flush();
  }

  /** Leaves out the comments of a stretch that is written as it was. */
  skipWithin(loc: Span): void {
    let from = this.#next;
    while (from < this.#comments.length && this.#comments[from]!.start < loc.start) from++;
    let to = from;
    while (to < this.#comments.length && this.#comments[to]!.start < loc.end) to++;
    if (to > from) this.#comments.splice(from, to - from);
  }

  /** An empty line, unless there is one or the page, or a block, has just begun. */
  blankLine(): void {
    const last = this.#lines.at(-1);
    if (last !== undefined && last !== '' && !this.#isBlockStart) this.#lines.push('');
  }

  /** Starts what stands at `row`: writes the comments before it and keeps one blank line where there were any. */
  startAt(row: number): void {
    this.endAt(row);
    this.#keepGap(row);
  }

  /** Writes the comments before `row`, where a bracket closes. */
  endAt(row: number): void {
    for (let comment = this.#comments[this.#next]; comment && comment.row < row; comment = this.#comments[++this.#next]) {
      this.#keepGap(comment.row);
      this.write(comment.text);
      this.#flush();
    }
  }

  #keepGap(row: number): void {
    if (this.#row > 0 && row > this.#row + 1) this.blankLine();
    this.reach(row);
  }

  #flush(): void {
    if (this.#line === '') return;
    this.#lines.push(this.#line);
    this.#isBlockStart = false;
    this.#line = '';
  }

  /** Whether a comment waits that stands before a row. */
  hasCommentBefore(row: number): boolean {
    const comment = this.#comments[this.#next];
    return comment !== undefined && comment.row < row;
  }

  /** Writes a block one level deeper. */
  indented(write: () => void): void {
    this.#indent++;
    this.#isBlockStart = true;
    write();
    this.#indent--;
  }

  /** The comments that are left, and the page. */
  finish(): string {
    this.endLine();
    this.endAt(Number.POSITIVE_INFINITY);
    while (this.#lines.at(-1) === '') this.#lines.pop();
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }
}
