/** The line that a parse error points into. */

import type { ParseDetails } from '../diagnostics/diagnostics.js';
import type { Span } from '../source/location.js';

const isBreak = (unit: string | undefined): boolean => unit === '\n' || unit === '\r';

/** From spaces, the place is the last thing before them; the index counts bytes. */
export function parseDetails(span: Span): ParseDetails {
  const { text } = span.source;
  let offset = Math.min(span.start, text.length - 1);
  while (offset > 0 && /\s/.test(text[offset]!)) offset--;
  let begin = Math.max(0, offset);
  while (begin > 0 && !isBreak(text[begin])) begin--;
  if (isBreak(text[begin])) begin++;
  let end = Math.max(0, offset);
  while (end < text.length && !isBreak(text[end])) end++;
  begin = Math.min(begin, end);
  return { line: text.slice(begin, end), idx: Math.max(0, utf8Length(text.slice(begin, Math.max(begin, offset)))) };
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
