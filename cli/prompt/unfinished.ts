/** Detects a rule or query that continues on the next line. */
import {
  CompileErrors,
  LeftBrace,
  LeftBracket,
  LeftParen,
  lex,
  RightBrace,
  RightBracket,
  RightParen,
  Source,
  type TokenType,
  versionOneKeywords,
} from '../../compiler/index.js';

/** Whether an invalid text may become valid with further lines. */
export function isUnfinished(text: string, error: unknown): boolean {
  if (!(error instanceof CompileErrors)) return false;
  return hasOpenBracket(text) || error.diagnostics.some(({ message }) => /\beof\b|non-terminated/.test(message));
}

const opening: readonly TokenType[] = [LeftParen, LeftBracket, LeftBrace];
const closing: readonly TokenType[] = [RightParen, RightBracket, RightBrace];

function hasOpenBracket(text: string): boolean {
  let open = 0;
  for (const { tokenType } of lex(new Source('', text), versionOneKeywords).tokens) {
    if (opening.includes(tokenType)) open++;
    else if (closing.includes(tokenType)) open--;
  }
  return open > 0;
}
