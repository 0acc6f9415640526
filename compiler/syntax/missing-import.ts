/** Words of version 0 that are keywords once they are imported. */

import { Identifier, type Token } from './tokens.js';

/** Authors do not write longer lines. */
const longestLine = 1000;

/** The hint for a name that cannot stand where it does and would be a keyword after an import. */
export function missingImport(token: Token, text: string): string | undefined {
  if (token.tokenType !== Identifier) return undefined;
  const before = text
    .slice(Math.max(0, token.startOffset - longestLine), token.startOffset)
    .split('\n')
    .at(-1)!;
  if (/\bevery\s+$/.test(before)) return hint('every', 'every x in xs { ... }');
  if (token.image !== 'in') return undefined;
  return hint('in', /\bsome\s[^;{}]*$/.test(before) ? 'some x in xs' : 'x in xs');
}

function hint(keyword: string, expression: string): string {
  return `\`import future.keywords.${keyword}\` for \`${expression}\` expressions`;
}
