/** The line that a parse error points into. */

import type { ParseDetails } from '../diagnostics/diagnostics.js';
import type { Span } from '../source/location.js';

const isBreak = (unit: string | undefined): boolean => unit === '\n' || unit === '\r';

/** Units of a line that are shown on each side of the place. */
const maxShown = 10_000;

/** From spaces, the place is the last thing before them; the index counts bytes. */
export function parseDetails(span: Span): ParseDetails {
  const { text } = span.source;
  let offset = Math.min(span.start, text.length - 1);
  while (offset > 0 && /\s/.test(text.charAt(offset))) offset--;
  let begin = Math.max(0, offset);
  const first = Math.max(0, begin - maxShown);
  while (begin > first && !isBreak(text[begin])) begin--;
  if (isBreak(text[begin])) begin++;
  let end = Math.max(0, offset);
  const last = Math.min(text.length, end + maxShown);
  while (end < last && !isBreak(text[end])) end++;
  begin = Math.min(begin, end);
  return { line: text.slice(begin, end), idx: Math.max(0, utf8Length(text.slice(begin, Math.max(begin, offset)))) };
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
