import type { Term } from '../../compiler/index.js';

/** The end of a part of a path in its text, with the bracket after a quoted one. */
export function partEnd({ loc: { source, start, end } }: Term): number {
  if (!/["`]/.test(source.text[start] ?? '')) return end;
  const bracket = /(?:\s|#[^\n]*\n)*\]/y;
  bracket.lastIndex = end;
  return bracket.test(source.text) ? bracket.lastIndex : end;
}
