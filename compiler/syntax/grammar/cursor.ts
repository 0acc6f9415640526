/** The state of a parse: the text, the parser's place in it, and its failures. */

import { EOF, type IParserErrorMessageProvider, type TokenType } from 'chevrotain';
import { varTerm } from '../../ast/make.js';
import type { Import, Term, VarTerm } from '../../ast/nodes.js';
import type { ComplaintName, Holes } from '../../diagnostics/complaints.js';
import { type Diagnostic, diagnose } from '../../diagnostics/diagnostics.js';
import { compileErrors } from '../../diagnostics/render.js';
import { Span } from '../../source/location.js';
import { Source } from '../../source/source.js';
import { parseDetails } from '../details.js';
import { isNameByPlace } from '../lexer.js';
import * as t from '../tokens.js';
import { isKeyword, type Token, tokenName } from '../tokens.js';
import { maxProblems, ParseFailure } from './failure.js';
import { type Alternative, OpenParser } from './rule-methods.js';

/** A text to be parsed. */
interface CursorInput {
  readonly source: Source;
  readonly tokens: Token[];
  readonly lexicalError: string | undefined;
  /** Whether template strings are allowed. */
  readonly templates: boolean;
  /** How many tokens a statement may have. */
  readonly maxStatementTokens: number;
  /** Called after each import, which may activate keywords. */
  readonly imported: (statement: Import, cursor: Cursor) => void;
}

const emptySource = new Source('', '');

export class Cursor extends OpenParser {
  source = emptySource;
  templates = true;
  imported: CursorInput['imported'] = () => {};
  /** `import future.keywords.not`. */
  notBodies = false;
  /** Either of the keywords `and` and `or`. */
  logicalKeywords = false;
  /** Complaints that do not end the parse. */
  problems: (() => Diagnostic)[] = [];
  /** The number of wildcards so far. */
  wildcards = 0;
  /** See `attempt`. */
  failedAttempts = new Set<number>();
  /** The token at which a module's statements are left for the next step. */
  stopAt = Number.POSITIVE_INFINITY;
  /** Alternatives of the rule `term`: made once, for it is the rule called most. */
  termAlternatives: readonly Alternative<Term>[] | undefined;
  #lexicalError: string | undefined;
  #maxStatementTokens = Number.POSITIVE_INFINITY;
  /** The first token that is too many for the current statement. */
  #tooMany = Number.POSITIVE_INFINITY;

  /**
   * @param isChecked whether chevrotain validates the grammar; tests do, it takes time at each
   * start
   */
  constructor(isChecked: boolean) {
    const complaints = new Complaints();
    super(t.vocabulary, { maxLookahead: 1, skipValidations: !isChecked, recoveryEnabled: false, errorMessageProvider: complaints });
    complaints.cursor = this;
  }

  /** Makes the parser ready for a text. */
  start(input: CursorInput): void {
    this.input = input.tokens;
    this.source = input.source;
    this.templates = input.templates;
    this.imported = input.imported;
    this.notBodies = false;
    this.logicalKeywords = false;
    this.problems = [];
    this.wildcards = 0;
    this.failedAttempts = new Set();
    this.stopAt = Number.POSITIVE_INFINITY;
    this.#lexicalError = input.lexicalError;
    this.#maxStatementTokens = input.maxStatementTokens;
    this.#tooMany = Number.POSITIVE_INFINITY;
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
  }

  override CONSUME(type: TokenType): Token {
    return this.#counted(super.CONSUME(type));
  }

  override CONSUME2(type: TokenType): Token {
    return this.#counted(super.CONSUME2(type));
  }

  /**
   * @throws CompileErrors, which no attempt catches: no other reading makes the statement shorter
   */
  #counted(token: Token): Token {
    if (token.index >= this.#tooMany)
      throw compileErrors([diagnose('statementTooLong', this.tokenSpan(token), { tokens: this.#maxStatementTokens })]);
    return token;
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
    return token.tokenType !== EOF && !next.spaceBefore && (next.tokenType === t.Dot || next.tokenType === t.LeftBracket);
  }

  /**
   * Makes a keyword that starts a ref (`not.x`) a name; the lexer does so after dots (`input.if`).
   */
  soften(): void {
    const token = this.next;
    if (token.tokenType !== t.Identifier && isKeyword(token.tokenType) && this.touches(token, this.LA(2))) token.become(t.Identifier);
  }

  /** The name of a new wildcard. */
  wildcard(): string {
    return `$${this.wildcards++}`;
  }

  variable(token: Token): VarTerm {
    return varTerm(this.tokenSpan(token), token.image === '_' ? this.wildcard() : token.image);
  }

  // ---- failures; none while the grammar is recorded, whose tokens are dummies

  fail<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>): never {
    return this.#throw(() => diagnose(name, span, at, parseDetails(span)));
  }

  problem<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>): void {
    if (this.problems.length < maxProblems && !this.RECORDING_PHASE)
      this.problems.push(() => diagnose(name, span, at, name === 'ruleHead' ? undefined : parseDetails(span)));
  }

  /** Complains of the next token. */
  unexpected(note?: string): never {
    const token = this.next;
    const span = this.tokenSpan(token);
    if (token.tokenType === t.Illegal) return this.fail('illegalToken', span, { reason: this.#lexicalError ?? 'illegal token' });
    const holes = { token: tokenName(token), keyword: isKeyword(token.tokenType), ...(note !== undefined && { note }) };
    return this.#throw(() => atEnd(diagnose('unexpectedToken', span, holes, parseDetails(span)), token));
  }

  #throw(diagnostic: () => Diagnostic): never {
    if (this.RECORDING_PHASE) return undefined as never;
    throw new ParseFailure(diagnostic, this.next);
  }
}

/** Turns chevrotain's errors into ours: its request for a message throws the failure. */
class Complaints implements IParserErrorMessageProvider {
  cursor: Cursor | undefined;

  buildMismatchTokenMessage({ expected }: { readonly expected: TokenType }): never {
    const closing = expected === t.RightBrace || expected === t.RightBracket;
    return this.cursor!.unexpected(`expected ${closing ? '\\n or ; or ' : ''}${expected.name}`);
  }

  buildNoViableAltMessage(): never {
    return this.cursor!.unexpected();
  }

  buildEarlyExitMessage(): never {
    return this.cursor!.unexpected();
  }

  /**
   * Not an error: a step ends before the text does, and `module` and `query` look for themselves.
   */
  buildNotAllInputParsedMessage(): string {
    return '';
  }
}

/** The end of the text has no column of its own: the reference shows the last one's. */
function atEnd(diagnostic: Diagnostic, token: Token): Diagnostic {
  if (token.tokenType !== EOF || !diagnostic.location) return diagnostic;
  return { ...diagnostic, location: { ...diagnostic.location, col: diagnostic.location.col - 1 } };
}
