/** Where a node stands in its source. Offsets stay offsets until a location is shown. */

import { compareStrings } from '../../values/index.js';
import { type Position, Source } from './source.js';

/**
 * A stretch of source text: UTF-16 offsets, end exclusive. Knows its source, so nodes of several
 * modules can be mixed.
 */
export class Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;

  constructor(source: Source, start: number, end: number) {
    this.source = source;
    this.start = start;
    this.end = end;
  }

  get file(): string {
    return this.source.file;
  }

  /** Row of the start, from 1. */
  get row(): number {
    return this.source.row(this.start);
  }

  /** Column of the start in code points, from 1. */
  get col(): number {
    return this.source.position(this.start).col;
  }

  /** Position just after the last character. */
  get endPosition(): Position {
    return this.source.position(this.end);
  }

  /** Whether another one lies within this one. */
  includes({ source, start, end }: Span): boolean {
    return source === this.source && start >= this.start && end <= this.end;
  }

  get text(): string {
    return this.source.text.slice(this.start, this.end);
  }

  /** Its place: JSON of a diagnostic does not hold the whole source. */
  toJSON(): Location {
    return locationOf(this);
  }
}

/** A location as it is shown. A row of 0 means: the whole file. */
export interface Location {
  readonly file: string;
  readonly row: number;
  readonly col: number;
}

export function locationOf(span: Span): Location {
  return { file: span.file, ...span.source.position(span.start) };
}

/** The span of nodes that no text stands for, such as those built by a rewriting. */
export const nowhere = new Span(new Source('', ''), 0, 0);

/** Orders locations by file, row and column; those without a place or a file come last. */
export function compareLocations(a: Location | undefined, b: Location | undefined): number {
  if (!a?.file || !b?.file) return Number(!a?.file) - Number(!b?.file);
  return compareStrings(a.file, b.file) || a.row - b.row || a.col - b.col;
}
