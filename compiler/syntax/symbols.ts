import { Assign, Colon, Comma, Dot, Infix, Minus, Semicolon, type TokenType, Unify } from './tokens.js';

interface SymbolToken {
  readonly type: TokenType;
  readonly image: string;
}

/** The tokens of a character by itself, and with `=` after it. */
interface Symbols {
  readonly alone: SymbolToken | undefined;
  readonly withEqual: SymbolToken | undefined;
}

type Written = readonly [TokenType, image: string] | undefined;

type Row = readonly [character: string, alone: Written, withEqual?: Written];

// biome-ignore format: a table
const rows: readonly Row[] = [
  [',', [Comma, ',']],
  [';', [Semicolon, ';']],
  ['.', [Dot, '.']],
  ['+', [Infix, 'plus']],
  ['-', [Minus, 'minus']],
  ['*', [Infix, 'mul']],
  ['/', [Infix, 'div']],
  ['%', [Infix, 'rem']],
  ['&', [Infix, 'and']],
  [':', [Colon, ':'],   [Assign, 'assign']],
  ['=', [Unify, 'eq'],  [Infix, 'equal']],
  ['!', undefined,      [Infix, 'neq']],
  ['<', [Infix, 'lt'],  [Infix, 'lte']],
  ['>', [Infix, 'gt'],  [Infix, 'gte']],
];

/** Characters that begin a token of one or two characters, by code unit. */
export const symbols: readonly (Symbols | undefined)[] = rows.reduce<(Symbols | undefined)[]>(
  (byUnit, [character, alone, withEqual]) => {
    byUnit[character.charCodeAt(0)] = { alone: symbol(alone), withEqual: symbol(withEqual) };
    return byUnit;
  },
  Array.from({ length: 128 }, () => undefined),
);

function symbol(row: Written): SymbolToken | undefined {
  return row && { type: row[0], image: row[1] };
}
