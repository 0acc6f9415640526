/**
 * The page that the formatter writes on: lines, indentation, and the comments that wait for their
 * place.
 */

import { countWhile } from '../../values/index.js';
import type { Comment } from '../ast/nodes.js';
import type { Span } from '../source/location.js';

interface Placed {
  readonly text: string;
  readonly start: number;
  readonly row: number;
  /** The comment is alone on its row. */
  readonly alone: boolean;
  /** Written already, as part of a text that was kept as it is. */
  written: boolean;
}

/** A state of the sheet, to undo later output. */
interface Mark {
  readonly lines: number;
  readonly line: string;
  readonly indent: number;
  readonly isBlockStart: boolean;
  readonly next: number;
  readonly taken: number;
  readonly row: number;
  readonly delayed: string;
}

/**
 * A comment stands where the layout has no line for it, or a text nests too deeply to be laid out:
 * the text around it has to stay as it is.
 */
export class MisplacedComment extends Error {}

export class Sheet {
  readonly #lines: string[] = [];
  #line = '';
  #indent = 0;
  #isBlockStart = false;
  readonly #comments: Placed[];
  #next = 0;
  /** Comments that were written by other means, in order. */
  readonly #taken: Placed[] = [];
  #limit = Number.POSITIVE_INFINITY;
  /** Row of the text that was written last. */
  #row = 0;
  /**
   * A comment beside an opening bracket, which goes to the end of the first line between the
   * brackets.
   */
  #delayed = '';
  #followsExpression = false;
  /** Whether the comment written last, just above, belongs to a metadata block. */
  #inMetadata = false;

  constructor(comments: readonly Comment[]) {
    this.#comments = comments.map(({ loc, text }) => {
      const row = loc.row;
      const before = loc.source.text.slice(loc.source.lineStarts[row - 1], loc.start);
      return { text: `#${text.trimEnd()}`, start: loc.start, row, alone: before.trim() === '', written: false };
    });
  }

  /** Adds text to the current line. */
  write(text: string): void {
    if (this.#line === '' && text !== '') this.#line = '\t'.repeat(this.#indent);
    this.#line += this.#followsExpression && /^-[\d.]/.test(text) ? `(${text})` : text;
    if (text !== '') this.#followsExpression = false;
  }

  /**
   * The next text follows an expression on the line above: a minus at its start would subtract from
   * that expression.
   */
  followExpression(): void {
    this.#followsExpression = true;
  }

  /** Remembers how far the original has been written, for comments and blank lines. */
  reach(row: number): void {
    if (row > this.#row) this.#row = row;
  }

  get row(): number {
    return this.#row;
  }

  /** Writes a part of the module: comments from the offset `end` on are none of its. */
  until(end: number, write: () => void): void {
    const before = this.#limit;
    this.#limit = Math.min(before, end);
    try {
      write();
    } finally {
      this.#limit = before;
    }
  }

  /** The comment that is to be written next. */
  #waiting(): Placed | undefined {
    while (this.#comments[this.#next]?.written) this.#next++;
    const comment = this.#comments[this.#next];
    return comment !== undefined && comment.start < this.#limit ? comment : undefined;
  }

  /**
   * Ends the line, with the comment of its row; if it has come to have more of them, the others
   * stand above it.
   */
  endLine(): void {
    const beside: string[] = this.#delayed === '' ? [] : [this.#delayed];
    this.#delayed = '';
    for (
      let comment = this.#waiting();
      comment && !comment.alone && comment.row <= this.#row;
      comment = this.#waiting()
    ) {
      beside.push(comment.text);
      this.#next++;
    }
    const last = beside.pop();
    for (const text of beside) this.#lines.push('\t'.repeat(this.#indent) + text);
    if (last !== undefined) this.write(this.#line === '' ? last : ` ${last}`);
    this.#flush();
  }

  /**
   * Ends the line after an opening bracket: a comment beside it goes to the end of the line that
   * follows, which ends before `next` starts.
   */
  openLine(next: number): void {
    const comment = this.#waiting();
    if (comment && !comment.alone && comment.row <= this.#row) {
      const following = this.#comments[this.#next + 1];
      if (this.#delayed !== '' || (following && following.row < next)) throw new MisplacedComment();
      this.#delayed = comment.text;
      this.#next++;
    }
    this.#flush();
  }

  /** Whether a comment in a stretch of the source has been written. */
  hasWritten({ start, end }: Span): boolean {
    return this.#within(start, end).some((comment) => comment.written || this.#isPast(comment));
  }

  /** The comments in a stretch of the source that are still to be written. */
  commentsWithin({ start, end }: { readonly start: number; readonly end: number }): readonly Placed[] {
    return this.#within(start, end).filter((comment) => !comment.written && !this.#isPast(comment));
  }

  #firstFrom(offset: number): number {
    return countWhile(this.#comments, ({ start }) => start < offset);
  }

  #within(start: number, end: number): readonly Placed[] {
    return this.#comments.slice(this.#firstFrom(start), this.#firstFrom(end));
  }

  /** Whether the text after a comment is written already. */
  #isPast({ start }: Placed): boolean {
    const next = this.#comments[this.#next];
    return next === undefined || start < next.start;
  }

  /** Whether there is a comment on a row, after an offset. */
  hasCommentOn(row: number, offset: number): boolean {
    return this.#comments[this.#firstFrom(offset)]?.row === row;
  }

  /** Writes comments on lines of their own. */
  ownLines(texts: readonly string[]): void {
    for (const text of texts) this.#ownLine(text);
  }

  mark(): Mark {
    return {
      lines: this.#lines.length,
      line: this.#line,
      indent: this.#indent,
      isBlockStart: this.#isBlockStart,
      next: this.#next,
      taken: this.#taken.length,
      row: this.#row,
      delayed: this.#delayed,
    };
  }

  /** Undoes the output since a state. */
  rewind(mark: Mark): void {
    this.#lines.length = mark.lines;
    this.#line = mark.line;
    this.#indent = mark.indent;
    this.#isBlockStart = mark.isBlockStart;
    this.#next = mark.next;
    for (const comment of this.#taken.splice(mark.taken)) comment.written = false;
    this.#row = mark.row;
    this.#delayed = mark.delayed;
  }

  /** An empty line, unless there is one or the page, or a block, has just begun. */
  blankLine(): void {
    const last = this.#lines.at(-1);
    if (last !== undefined && last !== '' && !this.#isBlockStart) this.#lines.push('');
    this.#inMetadata = false;
  }

  /**
   * Starts the node at `row`: writes the comments before it and keeps one blank line where there
   * were any.
   */
  startAt(row: number): void {
    // A comment may stand between, with or without a line in the layout of the former text.
    if (this.#row > 0 && (row > this.#row + 1 || this.hasCommentBefore(row))) this.blankLine();
    this.endAt(row);
    this.#keepGap(row);
    this.#inMetadata = false;
  }

  /** Starts a line of a collection: comments, but no blank lines, stand between them. */
  startLineAt(row: number): void {
    if (this.endAt(row)) this.#keepGap(row);
    else this.reach(row);
  }

  /** Writes the comments before `row`, the closing bracket's. Returns whether there were any. */
  endAt(row: number): boolean {
    let isFirst = true;
    for (let comment = this.#waiting(); comment && comment.row < row; comment = this.#waiting()) {
      if (!isFirst) this.#keepGap(comment.row);
      isFirst = false;
      this.reach(comment.row);
      this.#ownLine(comment.text);
      this.#next++;
    }
    return !isFirst;
  }

  /** Metadata blocks are a line apart. */
  #ownLine(text: string): void {
    const startsMetadata = /^#\s*METADATA$/.test(text);
    if (startsMetadata && this.#inMetadata) this.blankLine();
    if (startsMetadata) this.#inMetadata = true;
    this.write(text);
    this.#flush();
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

  /** Whether a comment before a row is still to be written. */
  hasCommentBefore(row: number): boolean {
    const comment = this.#waiting();
    return comment !== undefined && comment.row < row;
  }

  /**
   * Whether a comment on a line of its own waits that stands before a row, but not before the
   * offset `from`.
   */
  hasLoneCommentBefore(row: number, from: number): boolean {
    const comment = this.#waiting();
    return comment?.alone === true && comment.row < row && comment.start >= from;
  }

  /** Writes a block one level deeper. */
  indented(write: () => void): void {
    this.#indent++;
    this.#isBlockStart = true;
    write();
    this.#indent--;
    this.#isBlockStart = false;
  }

  /** Writes text whose further lines are one level deeper, once `indent` was called. */
  indentedFrom(write: (indent: () => void) => void): void {
    const before = this.#indent;
    write(() => {
      this.#indent = before + 1;
    });
    this.#indent = before;
  }

  /** Takes the comments of a stretch, which are written by other means. */
  take(span: { readonly start: number; readonly end: number }): readonly string[] {
    return this.commentsWithin(span).map((comment) => {
      comment.written = true;
      this.#taken.push(comment);
      return comment.text;
    });
  }

  /** The comments that are left, and the page. */
  finish(): string {
    this.endLine();
    if (this.#waiting()) this.blankLine();
    for (let comment = this.#waiting(); comment; comment = this.#waiting()) {
      this.#ownLine(comment.text);
      this.#next++;
    }
    while (this.#lines.at(-1) === '') this.#lines.pop();
    return this.#lines.length === 0 ? '' : `${this.#lines.join('\n')}\n`;
  }
}
