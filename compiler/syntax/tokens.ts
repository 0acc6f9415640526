/**
 * The vocabulary. Tokens of one grammatical role share a type (`Infix`), so that the parser decides
 * by one comparison.
 */

export interface TokenType {
  /** Error messages show it. */
  readonly name: string;
  /** Its place in `vocabulary`. */
  readonly tokenTypeIdx: number;
}

/** All types of tokens. */
export const vocabulary: readonly TokenType[] = [];

function token(name: string): TokenType {
  const type: TokenType = { name, tokenTypeIdx: vocabulary.length };
  (vocabulary as TokenType[]).push(type);
  return type;
}

/** After the last token of a text. */
export const EOF = token('EOF');

export const Illegal = token('illegal');
/** Blanks, in complaints alone: the parser skips them. */
export const Whitespace = token('whitespace');
export const Identifier = token('identifier');
export const NumberLiteral = token('number');
export const StringLiteral = token('string');
/** Text of a template string up to a `{`, or up to its end. */
export const TemplatePart = token('template-string-part');
export const TemplateEnd = token('template-string-end');
export const LeftBracket = token('[');
export const RightBracket = token(']');
export const LeftBrace = token('{');
export const RightBrace = token('}');
export const LeftParen = token('(');
export const RightParen = token(')');
export const Comma = token(',');
export const Colon = token(':');
export const Semicolon = token(';');
export const Dot = token('.');
export const Minus = token('minus');
export const Pipe = token('or');
/** The infix operators but `-` and `|`, which have a second meaning each. */
export const Infix = token('infix');
export const Assign = token('assign');
export const Unify = token('eq');

export const Package = token('package');
export const Import = token('import');
export const As = token('as');
export const Default = token('default');
export const Else = token('else');
export const Not = token('not');
export const Some = token('some');
export const With = token('with');
export const Null = token('null');
export const True = token('true');
export const False = token('false');
export const In = token('in');
export const If = token('if');
export const Contains = token('contains');
export const Every = token('every');
export const LogicalAnd = token('logical-and');
export const LogicalOr = token('logical-or');

/** Words that are keywords in every module. */
export const keywords: ReadonlyMap<string, TokenType> = new Map(
  [Package, Import, As, Default, Else, Not, Some, With, Null, True, False].map((type) => [type.name, type]),
);

/** Words that version 1 has made keywords and version 0 has to import. */
export const versionOneKeywords: ReadonlyMap<string, TokenType> = new Map(
  [In, If, Contains, Every].map((type) => [type.name, type]),
);

/**
 * Words that have to be imported in either version; `not` is a keyword anyway, the import changes
 * its meaning.
 */
export const futureKeywords: ReadonlyMap<string, TokenType> = new Map([
  ['not', Not],
  ['and', LogicalAnd],
  ['or', LogicalOr],
]);

const keywordTypes: ReadonlySet<TokenType> = new Set([
  ...keywords.values(),
  ...versionOneKeywords.values(),
  ...futureKeywords.values(),
]);

export function isKeyword(type: TokenType): boolean {
  return keywordTypes.has(type);
}

/**
 * A token with the fields that the parser needs, and no more: there are some hundred thousand.
 */
export class Token {
  tokenType: TokenType;
  tokenTypeIdx: number;
  /** The word, the literal, the operator's built-in; a string's value. */
  readonly image: string;
  readonly startOffset: number;
  /** Exclusive. */
  readonly end: number;
  readonly spaceBefore: boolean;
  readonly newlineBefore: boolean;
  /** Its place in the list of tokens. */
  readonly index: number;
  /**
   * The index of the token that closes an opening bracket, and whether this holds a `:` or `|`
   * directly.
   */
  close = -1;
  hasColon = false;
  hasPipe = false;

  // biome-ignore lint/complexity/useMaxParams: one is made for each token of a text
  constructor(
    type: TokenType,
    image: string,
    start: number,
    end: number,
    spaceBefore: boolean,
    newlineBefore: boolean,
    index: number,
  ) {
    this.tokenType = type;
    this.tokenTypeIdx = type.tokenTypeIdx;
    this.image = image;
    this.startOffset = start;
    this.end = end;
    this.spaceBefore = spaceBefore;
    this.newlineBefore = newlineBefore;
    this.index = index;
  }

  become(type: TokenType): void {
    this.tokenType = type;
    this.tokenTypeIdx = type.tokenTypeIdx;
  }
}

/** How messages name a token: by its role, an operator by its built-in. */
export function tokenName(token: Token): string {
  if (token.tokenType === Infix) return token.image;
  if (token.tokenType === EOF) return 'eof';
  if (token.tokenType === LogicalAnd) return 'and';
  if (token.tokenType === LogicalOr) return 'or';
  return token.tokenType.name;
}
