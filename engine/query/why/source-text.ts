/** Places and texts of the policy's source. */

import { type Body, type Expr, excerptOf, locationOf, Span, withParentheses } from '../../../compiler/index.js';
import type { SourceExcerpt } from './explanation.js';

/** The first line of a span, with the span marked. */
export function excerptAt(span: Span): SourceExcerpt {
  const whole = withParentheses(span);
  const { line, length } = excerptOf(whole);
  return { ...locationOf(whole), line, length };
}

const longestText = 60;

/** The most characters that are looked at where there is a text that is long enough. */
const longestLook = 1000;

/** The text of a span in one line, cut if it is long. */
export function spanText(span: Span): string {
  return oneLine(withParentheses(span).text);
}

export function oneLine(written: string): string {
  if (written.length > longestLook) {
    const start = spaced(written.slice(0, longestLook));
    if (start.length > longestText) return cut(start);
  }
  return cut(spaced(written));
}

function spaced(written: string): string {
  return written.replace(/\s+/g, ' ').trim();
}

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text;
}

/** A ref's beginning, up to one of its terms: `input.users[x]` of `input.users[x].name`. */
export function prefixText(ref: Span, end: Span): string {
  if (end.source !== ref.source || end.end > ref.end || end.end <= ref.start) return spanText(ref);
  const { text } = ref.source;
  const closed = /^\s*\]/.exec(text.slice(end.end, ref.end))?.[0].length ?? 0;
  return spanText(new Span(ref.source, ref.start, end.end + closed));
}

/** The span of the author's expression that a part belongs to; the part's own if there is none. */
export function expressionAround(written: readonly Span[], part: Span): Span {
  return (
    written.find(({ source, start, end }) => source === part.source && start <= part.start && part.end <= end) ?? part
  );
}

/** Compiled expressions by the expression that the author wrote. */
export function expressionsByAuthor(body: Body, written: readonly Span[]): ReadonlyMap<Span, readonly Expr[]> {
  return Map.groupBy(body, ({ loc }) => expressionAround(written, loc));
}

/** The spans of a body's own expressions: bodies inside of an expression have no list of them. */
export function authorSpans(body: Body): readonly Span[] {
  return body.filter(({ generated }) => !generated).map(({ loc }) => loc);
}
