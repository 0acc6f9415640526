/** The state of a parse: the text, the parser's place in it, and its failures. */

import { varTerm } from '../../ast/make.js';
import type { Expr, Import, Term, VarTerm } from '../../ast/nodes.js';
import type { ComplaintName, Holes } from '../../diagnostics/complaints.js';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostics.js';
import { compileErrors } from '../../diagnostics/render.js';
import { Span } from '../../source/location.js';
import { Source } from '../../source/source.js';
import { isNameByPlace } from '../characters.js';
import { parseDetails } from '../details.js';
import { missingImport } from '../missing-import.js';
import * as t from '../tokens.js';
import { isKeyword, Token, type TokenType, tokenName } from '../tokens.js';
import { maxProblems, ParseFailure } from './failure.js';
import { Pieces } from './pieces.js';
import { type Alternative, RuleParser } from './rule-parser.js';

/** A text to be parsed. */
interface CursorInput {
  readonly source: Source;
  readonly tokens: Token[];
  readonly lexicalError: string | undefined;
  /** The indexes of opening brackets that hold many levels, inner ones first. */
  readonly deep: readonly number[];
  /** Whether template strings are allowed. */
  readonly templates: boolean;
  /** How many tokens a statement may have. */
  readonly maxStatementTokens: number;
  /** Called after each import, which may activate keywords. */
  readonly imported: (statement: Import, cursor: Cursor) => void;
}

/** A statement of 50,000 tokens may have 4 million units. */
const unitsPerToken = 80;

/** Where a statement may have 50,000 tokens, its path may have 1,000 segments. */
const tokensPerSegment = 50;

const emptySource = new Source('', '');

/**
 * The most UTF-16 units of a statement of `maxTokens` tokens: each stage reads a string in one
 * step, however long it is.
 */
export function statementLength(maxTokens = Number.POSITIVE_INFINITY): number {
  return unitsPerToken * maxTokens;
}

export class Cursor extends RuleParser {
  source = emptySource;
  templates = true;
  imported: CursorInput['imported'] = () => {};
  /** `import future.keywords.not`. */
  notBodies = false;
  /** Either of the keywords `and` and `or`. */
  logicalKeywords = false;
  /** Whether `if` is a keyword. */
  ifKeyword = false;
  /** Complaints that do not end the parse. */
  problems: (() => readonly Diagnostic[])[] = [];
  /** Statements that are no rules: complained of where all statements can be read. */
  ruleProblems: (() => readonly Diagnostic[])[] = [];
  /** Whether a complaint has been passed over: see `recover`. */
  recovered = false;
  /** The number of wildcards so far. */
  wildcards = 0;
  /** Expressions and groups around the place. */
  nesting = 0;
  /** See `attempt`. */
  failedAttempts = new Set<number>();
  /** The token at which a module's statements are left for the next step. */
  stopAt = Number.POSITIVE_INFINITY;
  /** Alternatives of the rule `term`: made once, for it is the rule called most. */
  termAlternatives: readonly Alternative<Term>[] | undefined;
  /** Alternatives of the rule `literal`. */
  literalAlternatives: readonly Alternative<Expr>[] | undefined;
  /** Terms that are read before the text around them, if there are any. */
  pieces: Pieces | undefined;
  #lexicalError: string | undefined;
  #maxStatementTokens = Number.POSITIVE_INFINITY;
  /** The index of the first token beyond the limit of the current statement. */
  #tooMany = Number.POSITIVE_INFINITY;
  /** The last offset of the current statement. */
  #tooFar = Number.POSITIVE_INFINITY;

  /** Makes the parser ready for a text. */
  start(input: CursorInput): void {
    this.input = input.tokens;
    this.source = input.source;
    this.templates = input.templates;
    this.imported = input.imported;
    this.notBodies = false;
    this.logicalKeywords = false;
    this.ifKeyword = false;
    this.problems = [];
    this.ruleProblems = [];
    this.recovered = false;
    this.wildcards = 0;
    this.nesting = 0;
    this.failedAttempts = new Set();
    this.stopAt = Number.POSITIVE_INFINITY;
    this.pieces = input.deep.length === 0 ? undefined : new Pieces(input.tokens, input.deep);
    this.#lexicalError = input.lexicalError;
    this.#maxStatementTokens = input.maxStatementTokens;
    this.#tooMany = Number.POSITIVE_INFINITY;
    this.#tooFar = Number.POSITIVE_INFINITY;
  }

  /** Words still to come that are these become keywords. */
  activate(words: ReadonlyMap<string, TokenType>): void {
    const tokens = this.input;
    for (let i = this.position; i < tokens.length; i++) {
      const token = tokens[i]!;
      const type = token.tokenType === t.Identifier ? words.get(token.image) : undefined;
      if (type && !isNameByPlace(this.source.text, token.startOffset, token.end, tokens[i - 1])) token.become(type);
    }
  }

  // ---- the place

  /** A statement begins with the next token. */
  beginStatement(): void {
    this.#tooMany = this.position + this.#maxStatementTokens;
    this.#tooFar = this.next.startOffset + statementLength(this.#maxStatementTokens);
  }

  override CONSUME(type: TokenType): Token {
    const token = super.CONSUME(type);
    if (token.index >= this.#tooMany || token.end > this.#tooFar) this.#tooLong(token);
    return token;
  }

  /**
   * @throws CompileErrors, which no attempt catches: another reading would take as much stack
   */
  tooDeep(): never {
    throw compileErrors([diagnose('nestedTooDeeply', this.tokenSpan(this.next), {})]);
  }

  /**
   * Throws CompileErrors for a path of a package or a rule that is too long: stages look at each of
   * its beginnings.
   */
  checkPath(path: readonly Term[]): void {
    const segments = Math.max(100, Math.floor(this.#maxStatementTokens / tokensPerSegment));
    const beyond = path[segments];
    if (beyond !== undefined) throw compileErrors([diagnose('pathTooLong', beyond.loc, { segments })]);
  }

  /**
   * @throws CompileErrors, which no attempt catches: no other reading makes the statement shorter
   */
  #tooLong(token: Token): never {
    const span = new Span(this.source, token.startOffset, token.startOffset);
    if (token.index < this.#tooMany)
      throw compileErrors([
        diagnose('statementTooFar', span, { characters: statementLength(this.#maxStatementTokens) }),
      ]);
    throw compileErrors([diagnose('statementTooLong', this.tokenSpan(token), { tokens: this.#maxStatementTokens })]);
  }

  get next(): Token {
    return this.LA(1);
  }

  /** The index of the next token. */
  get position(): number {
    return this.LA(1).index;
  }

  /** Whether the next token is of a type; never while the grammar is recorded, except for `EOF`. */
  at(type: TokenType): boolean {
    return this.LA(1).tokenTypeIdx === type.tokenTypeIdx;
  }

  /** The text from an offset to the last token read. */
  span(start: number): Span {
    return new Span(this.source, start, this.LA(0).end);
  }

  tokenSpan(token: Token): Span {
    return new Span(this.source, token.startOffset, token.end);
  }

  /** Whether a token goes on as a ref at once: `.x` or `[…]` without a space. */
  touches(token: Token, next: Token): boolean {
    return (
      token.tokenType !== t.EOF && !next.spaceBefore && (next.tokenType === t.Dot || next.tokenType === t.LeftBracket)
    );
  }

  /**
   * Makes a keyword that starts a ref (`not.x`) a name; the lexer does so after dots (`input.if`).
   */
  soften(): void {
    const token = this.next;
    if (token.tokenType !== t.Identifier && isKeyword(token.tokenType) && this.touches(token, this.LA(2)))
      token.become(t.Identifier);
  }

  /** Makes `if` before a field (`if.x`) a keyword: behind `:=` it ends a head without a value. */
  harden(): void {
    const token = this.next;
    if (this.ifKeyword && token.tokenType === t.Identifier && token.image === 'if') token.become(t.If);
  }

  /** The name of a new wildcard. */
  wildcard(): string {
    return `$${this.wildcards++}`;
  }

  variable(token: Token): VarTerm {
    return varTerm(this.tokenSpan(token), token.image === '_' ? this.wildcard() : token.image);
  }

  // ---- failures; none while the grammar is recorded, whose tokens are dummies

  /** @param token the token at which the statement ends; the next one, if it is not named */
  fail<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>, token = this.next): never {
    const diagnostic = (): Diagnostic => diagnose(name, span, at, parseDetails(span));
    return this.#throw(() => [span.start === token.startOffset ? atEnd(diagnostic(), token) : diagnostic()], token);
  }

  problem<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>): void {
    if (this.problems.length < maxProblems && !this.isRecording)
      this.problems.push(() => [diagnose(name, span, at, parseDetails(span))]);
  }

  /** Reports that a statement is no rule; the rule made of it is never seen. */
  noRule(span: Span, reason: string): undefined {
    if (this.ruleProblems.length < maxProblems && !this.isRecording)
      this.ruleProblems.push(() => [diagnose('ruleHead', span, { reason })]);
    return undefined;
  }

  /**
   * Passes over the missing right operand of an operator, as the reference does: the statement is
   * read on from the token of the failure, and more complaints may follow.
   */
  recover(failure: unknown): undefined {
    if (!(failure instanceof ParseFailure)) throw failure;
    if (this.problems.length < maxProblems) this.problems.push(failure.diagnostics);
    this.recovered = true;
    this.moveTo(failure.token.index);
    return undefined;
  }

  protected override mismatch(expected: TokenType): never {
    return this.unexpected(`expected ${expectations.get(expected) ?? expected.name}`);
  }

  /** Complains of the next token, and of the lexer's error where that is none. */
  override unexpected(note?: string, token = this.next): never {
    return this.#throw(() => [this.#complaint(token, note)], token);
  }

  /** A failure with another complaint about the token where it happened. */
  alsoUnexpected(failure: unknown, note: string): unknown {
    return also(failure, (token) => this.#complaint(token, note));
  }

  /** As `alsoUnexpected`, with a complaint that does not name the token. */
  alsoFail(failure: unknown, name: 'invalidTemplateExpression'): unknown {
    return also(failure, (token) => {
      const span = this.tokenSpan(token);
      return atEnd(diagnose(name, span, {}, parseDetails(span)), token);
    });
  }

  /** A failure without a complaint of its own, after others that have been made. */
  failSilently(): never {
    throw new ParseFailure(() => [], this.next);
  }

  /** The space after a token, as a token to complain of. */
  spaceAfter(token: Token): Token {
    const { text } = this.source;
    let at = token.end;
    while (text.charCodeAt(at) === 35) at = (text.indexOf('\n', at) + 1 || text.length + 1) - 1;
    if (at >= text.length) return this.next;
    return new Token(t.Whitespace, '', at, at + 1, true, true, this.position);
  }

  #complaint(token: Token, note: string | undefined): Diagnostic {
    const span = this.tokenSpan(token);
    if (token.tokenType === t.Illegal)
      return diagnose('illegalToken', span, { reason: illegalToken }, parseDetails(span));
    const hint = missingImport(token, this.source.text);
    const holes = {
      token: tokenName(token),
      keyword: isKeyword(token.tokenType),
      ...(note !== undefined && { note }),
      ...(hint !== undefined && { hint }),
    };
    return atEnd(diagnose('unexpectedToken', span, holes, parseDetails(span)), token);
  }

  #throw(diagnostics: () => readonly Diagnostic[], token: Token): never {
    if (this.isRecording) return undefined as never;
    throw new ParseFailure(() => [...this.#lexical(token), ...diagnostics()], token);
  }

  /** The lexer's complaint, where the parse ends at its token. */
  #lexical(token: Token): Diagnostic[] {
    const reason = this.#lexicalError;
    if (token.tokenType !== t.Illegal || reason === undefined || reason === illegalToken) return [];
    const span = this.tokenSpan(token);
    return [diagnose('illegalToken', span, { reason }, parseDetails(span))];
  }
}

function also(failure: unknown, complaint: (token: Token) => Diagnostic): unknown {
  if (!(failure instanceof ParseFailure)) return failure;
  const { token } = failure;
  return new ParseFailure(() => [...failure.diagnostics(), complaint(token)], token);
}

/** The lexer's message for a character that begins no token. */
const illegalToken = 'illegal token';

/** How messages name a closing token that is missing, with the separator that may stand there. */
const expectations: ReadonlyMap<TokenType, string> = new Map([
  [t.RightBrace, '\\n or ; or }'],
  [t.RightBracket, '"," or "]"'],
  [t.RightParen, '"," or ")"'],
]);

/**
 * The end of the text has no column of its own: the reference shows the last one's. A line break is
 * shown before the next line.
 */
function atEnd(diagnostic: Diagnostic, token: Token): Diagnostic {
  const { location } = diagnostic;
  if (!location) return diagnostic;
  if (token.tokenType === t.EOF) return { ...diagnostic, location: { ...location, col: location.col - 1 } };
  const isLineBreak =
    token.tokenType === t.Whitespace && diagnostic.span?.source.text.charCodeAt(token.startOffset) === 10;
  return isLineBreak ? { ...diagnostic, location: { ...location, row: location.row + 1, col: 0 } } : diagnostic;
}
