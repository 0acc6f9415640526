/** Where terms stand in the original: rows, lines, brackets. */

import type { ObjectEntry, Term } from '../ast/nodes.js';
import { Span } from '../source/location.js';

export function itemLines<T extends Term | ObjectEntry>(items: readonly T[]): readonly T[][] {
  if (items.some(isMadeUp)) return [[...items]];
  const lines: T[][] = [];
  let row = 0;
  for (const item of items) {
    const line = lines.at(-1);
    if (line && startRow(item) <= row) line.push(item);
    else lines.push([item]);
    row = startRow(item);
  }
  return lines;
}

export function isMadeUp(item: Term | ObjectEntry): boolean {
  const terms = 'type' in item ? [item] : [item.key, item.value];
  return terms.some((term) => term.type === 'var' && term.name.startsWith('__local'));
}

export function spanOf(item: Term | ObjectEntry): Span {
  return 'type' in item ? item.loc : item.key.loc;
}

export function startRow(item: Term | ObjectEntry): number {
  return spanOf(item).row;
}

export function endRow(loc: Span): number {
  return loc.source.row(Math.max(loc.start, loc.end - 1));
}

/** The row of the bracket that closes after the node `last`. */
export function closingRow(last: Span, bracket: string): number {
  return last.source.row(closingOffset(last, bracket));
}

/** The offset of the bracket that closes after the node `last`. */
export function closingOffset({ source, start, end }: Span, bracket: string): number {
  if (start === end) return end;
  const { text } = source;
  let at = end;
  // Comments may stand before it, and hold brackets.
  while (at < text.length && text[at] !== bracket) {
    const newline = text[at] === '#' ? text.indexOf('\n', at) : at;
    at = newline < 0 ? text.length : newline + 1;
  }
  return Math.min(at, text.length);
}

const tokens = /"(?:[^"\\\n]|\\.)*"|`[^`]*`|#[^\n]*|[()]/g;

/**
 * A term's place with the parentheses around its outer operands, of which its own place has only
 * one half.
 */
export function withParens({ source, start, end }: Span): Span {
  let depth = 0;
  let least = 0;
  for (const [token] of source.text.slice(start, end).matchAll(tokens)) {
    if (token === '(') depth++;
    else if (token === ')') least = Math.min(least, --depth);
  }
  let [from, to] = [start, end];
  for (let missing = least; missing < 0; missing++)
    from -= /\((?:\s|#[^\n]*\n)*$/.exec(source.text.slice(Math.max(0, from - 2000), from))?.[0].length ?? 0;
  for (let missing = depth - least; missing > 0; missing--)
    to += /^(?:\s|#[^\n]*\n)*\)/.exec(source.text.slice(to))?.[0].length ?? 0;
  return new Span(source, from, to);
}

/** A text with plain line breaks, except in raw strings, whose value they are part of. */
export function withoutCarriageReturns({ text }: Span): string {
  if (!text.includes('\r')) return text;
  return text.replace(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|#[^\n]*|\r+(?=\n)/g, (part) =>
    part.startsWith('`') ? part : part.replace(/\r+$/, ''),
  );
}
