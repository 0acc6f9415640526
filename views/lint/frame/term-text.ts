/**
 * The texts of terms as the reference cuts them out, which decide where findings and trees end: the
 * text of a term in parentheses has these with it, that of a ref begins with the last token of what
 * it looks into. Both still start where the term does.
 */

import { Span, type Term } from '../../../compiler/index.js';
import { type TextPlace, textPlace } from './found-at.js';

/** The text of a term, as the reference has it. */
function termSpan(term: Term): Span {
  const { source, start, end } = term.loc;
  if (term.type === 'ref') return inParentheses(new Span(source, lastToken(term.terms[0]), end), start);
  const [left, right] = signOperands(term);
  return inParentheses(new Span(source, left ? termSpan(left).start : start, right ? termSpan(right).end : end), start);
}

/** A term as findings show it: a negative number by its sign. */
export function termAt(term: Term): TextPlace {
  const isNegative = term.type === 'number' && term.text.startsWith('-');
  return textPlace(term.loc, isNegative ? '-' : termSpan(term).text);
}

/** The operands on both sides of a sign; none for calls by name. */
function signOperands(term: Term): readonly Term[] {
  if (term.type !== 'call' || term.args.length !== 2) return [];
  return term.operator.loc.start < term.args[0]!.loc.start ? [] : term.args;
}

/** `}` of `{"a": 1}[k]`. */
function lastToken(head: Term): number {
  const isClosed = head.type !== 'var' && head.type !== 'call' && head.type !== 'string';
  return isClosed && head.loc.end - head.loc.start > 1 ? head.loc.end - 1 : head.loc.start;
}

/** A text with the parentheses around the term, those of calls excepted. */
function inParentheses(span: Span, first: number): Span {
  const { text } = span.source;
  let { start, end } = span;
  for (let outer = Math.min(start, first); ; ) {
    const open = skipBlanks(text, outer - 1, -1);
    if (text[open] !== '(' || /[\w\])"`]/.test(text[open - 1] ?? '')) break;
    const close = skipBlanks(text, end, 1);
    if (text[close] !== ')') break;
    [outer, start, end] = [open, open, close + 1];
  }
  return new Span(span.source, start, end);
}

/** The offset of the next character that is no blank. */
function skipBlanks(text: string, from: number, step: 1 | -1): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += step;
  return at;
}
