/** The whole text of a term. */
import { Span } from './location.js';

/** More blanks and parentheses are not looked at. */
const longestBefore = 1000;

/**
 * The span with the parentheses that open before it: that of an operator begins at its left
 * operand, so that of `(a + b) * c` lacks the first one.
 */
export function withParentheses(span: Span): Span {
  const { source, start, end, text } = span;
  if (!text.includes(')')) return span;
  let depth = 0;
  let lacking = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|`[^`]*`|[()]/g)) {
    if (token === '(') depth++;
    else if (token === ')' && depth-- === 0) [depth, lacking] = [0, lacking + 1];
  }
  if (lacking === 0) return span;
  const before = /(?:\(\s*)+$/.exec(source.text.slice(Math.max(0, start - longestBefore), start))?.[0] ?? '';
  const at = [...before.matchAll(/\(/g)].at(-lacking)?.index ?? 0;
  return new Span(source, start - before.length + at, end);
}
