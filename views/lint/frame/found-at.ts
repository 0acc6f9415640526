/** Where findings are, and the calls that rules look at. */

import type { CallExpr, CallTerm, Span } from '../../../compiler/index.js';

/** A call, at the top of an expression or inside a term. */
export type Call = CallTerm | CallExpr;

/**
 * Where a finding is. Columns count characters; the end, which is exclusive, lies as far behind the
 * start of its text in its row as the text has bytes, as the reference counts.
 */
export interface FoundAt {
  readonly row: number;
  readonly col: number;
  readonly end?: { readonly row: number; readonly col: number };
  /** The text to show, where it is not the line; null for none. */
  readonly text?: string | null;
}

/** A place with its end. */
export interface TextPlace extends FoundAt {
  readonly end: NonNullable<FoundAt['end']>;
}

/** The place of a text that starts where a span does. */
export function textPlace({ source, start }: Span, text: string): TextPlace {
  const { row, col } = source.position(start);
  const lines = text.split('\n');
  const last = byteLength(lines.at(-1)!);
  return { row, col, end: { row: row + lines.length - 1, col: lines.length === 1 ? col + last : last + 1 } };
}

function byteLength(text: string): number {
  return /^[\x00-\x7f]*$/.test(text) ? text.length : new TextEncoder().encode(text).length;
}
