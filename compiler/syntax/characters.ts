/** Classes of characters, and names that are told by the characters around them. */

import type { Token, TokenType } from './tokens.js';
import {
  False,
  Identifier,
  Null,
  NumberLiteral,
  RightBrace,
  RightBracket,
  RightParen,
  StringLiteral,
  TemplateEnd,
  True,
} from './tokens.js';

export const letterClass = 1;
export const digitClass = 2;
/** Classes of code units: a table, for a call for each character is slow before it is compiled. */
export const classes = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[A-Za-z_]/.test(character) ? letterClass : /\d/.test(character) ? digitClass : 0;
});

/** The last tokens of operands: after them, `and` and `or` are operators. */
const operandEnds: ReadonlySet<TokenType> = new Set([
  Identifier,
  StringLiteral,
  NumberLiteral,
  RightBrace,
  RightBracket,
  RightParen,
  TemplateEnd,
  True,
  False,
  Null,
]);

/**
 * Whether the place of a word makes it a name, even if it is a keyword: after a dot, before a field
 * (`input.if`, `if.x`), and `and` and `or` as the names of functions.
 */
export function isNameByPlace(text: string, start: number, end: number, before: Token | undefined): boolean {
  if (
    text.charCodeAt(start - 1) === 46 ||
    (text.charCodeAt(end) === 46 && classes[text.charCodeAt(end + 1)] === letterClass)
  )
    return true;
  if (text.charCodeAt(end) !== 40 || (before && operandEnds.has(before.tokenType))) return false;
  return end - start === 2 ? text.startsWith('or', start) : end - start === 3 && text.startsWith('and', start);
}
