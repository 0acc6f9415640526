/** A line of source with a place in it marked, for people at a terminal. */

import { codePoints, displayWidth } from '../../values/index.js';
import { Span } from '../source/location.js';
import type { Diagnostic } from './diagnostics.js';

/** A place in a line. */
export interface Excerpt {
  /** From 1. */
  readonly row: number;
  /** The text of the row. */
  readonly line: string;
  /** The first marked character, from 1, in code points. */
  readonly col: number;
  /** How many code points are marked; at least one caret is shown. */
  readonly length: number;
  /** A remark behind the carets. */
  readonly note?: string;
}

/** Colours of an excerpt's parts; a terminal without colour has none. */
export interface ExcerptStyle {
  /** The row's number and the bar. */
  gutter(text: string): string;
  /** The carets and their note. */
  mark(text: string): string;
}

/** The first line of a span. */
export function excerptOf(span: Span, note?: string): Excerpt {
  const { row, col } = span.source.position(span.start);
  const line = span.source.line(row);
  const length = codePoints(span.text.split('\n', 1)[0]!.trimEnd());
  return { row, line, col, length, ...(note !== undefined && { note }) };
}

export function excerptOfDiagnostic(diagnostic: Diagnostic): Excerpt | undefined {
  const marked = markedSpan(diagnostic);
  return marked && excerptOf(marked);
}

/**
 * The span that a terminal marks: of an expression at fault, the variable that the complaint names.
 */
export function markedSpan({ span, mark, holes }: Diagnostic): Span | undefined {
  return span && (mark ?? namedIn(span, holes));
}

function namedIn(span: Span, holes: unknown): Span {
  const name = (holes as { readonly name?: unknown } | undefined)?.name;
  if (typeof name !== 'string' || !/^[\w.]+$/.test(name)) return span;
  const at = new RegExp(`(?<![\\w.])${name.replaceAll('.', '\\.')}(?!\\w)`).exec(span.text)?.index;
  return at === undefined ? span : new Span(span.source, span.start + at, span.start + at + name.length);
}

/** Longer lines are cut around the marked place. */
const maxColumns = 100;

const tab = '    ';

/**
 * The lines to print: the source line behind its number, and the carets.
 *
 * @example
 * excerptLines({ row: 3, line: 'allow if inptu.x', col: 10, length: 5, note: 'not defined' })
 * // ['3 | allow if inptu.x', '  |          ^^^^^ not defined']
 */
export function excerptLines(excerpt: Excerpt, style?: ExcerptStyle): string[] {
  const { row, note } = excerpt;
  const { before, marked, after } = cut(excerpt);
  const number = String(row);
  const gutter = (text: string): string => (style ? style.gutter(`${text} |`) : `${text} |`);
  const carets = '^'.repeat(Math.max(1, displayWidth(marked))) + (note === undefined ? '' : ` ${note}`);
  const mark = style ? style.mark(carets) : carets;
  return [
    `${gutter(number)} ${before}${marked}${after}`.trimEnd(),
    `${gutter(' '.repeat(number.length))} ${' '.repeat(displayWidth(before))}${mark}`,
  ];
}

/** The three parts of the line, without tabs, and short enough. */
function cut({ line, col, length }: Excerpt): {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
} {
  const characters = [...line];
  const part = (from: number, to: number): string => printable(characters.slice(from, to).join(''));
  const start = Math.min(Math.max(0, col - 1), characters.length);
  const end = Math.min(start + Math.max(1, length), characters.length);
  if (displayWidth(part(0, characters.length)) <= maxColumns)
    return { before: part(0, start), marked: part(start, end), after: part(end, characters.length) };
  const shownEnd = Math.min(end, start + maxColumns / 2);
  const from = Math.max(0, start - maxColumns / 4);
  const to = Math.max(shownEnd, Math.min(characters.length, from + maxColumns));
  return {
    before: (from > 0 ? '…' : '') + part(from, start),
    marked: part(start, shownEnd),
    after: part(shownEnd, to) + (to < characters.length ? '…' : ''),
  };
}

/** Tabs as spaces; characters that move the cursor or turn the direction of text, as dots. */
function printable(text: string): string {
  return text.replaceAll('\t', tab).replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '·');
}
