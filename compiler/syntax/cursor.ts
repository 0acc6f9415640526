/**
 * What all rules of the grammar stand on: where the parser is, how it fails, how it tries a reading. Where the language needs more than
 * one token to decide, the lexer has looked already (what stands in a pair of brackets) or a rule tries one reading and, if that fails,
 * remembers that it did and reads the other one (`attempt`), so that nesting does not multiply the work.
 */

import { EOF, type TokenType } from 'chevrotain';
import { varTerm } from '../ast/make.js';
import type { VarTerm } from '../ast/nodes.js';
import type { ComplaintName, Holes } from '../diagnostics/complaints.js';
import { type Diagnostic, diagnose } from '../diagnostics/diagnostics.js';
import { compileErrors } from '../diagnostics/render.js';
import { Span } from '../source/location.js';
import { Source } from '../source/source.js';
import { parseDetails } from './details.js';
import { LeanParser } from './lean-parser.js';
import { isNameByPlace } from './lexer.js';
import * as t from './tokens.js';
import { isKeyword, type Token, tokenName } from './tokens.js';

/** Operators in one chain, calls in one ref: each makes the tree a level deeper. */
export const maxChain = 500;

/** Locating a complaint takes the time of its line; more than this many nobody reads. */
export const maxProblems = 200;

/** A statement could not be read. Not an `Error`: attempts throw and catch it often, and nobody reads its stack. */
export class ParseFailure {
  /** Makes the complaint: locating it takes the time of its line, and most attempts that fail are never heard of. */
  readonly diagnostic: () => Diagnostic;
  /** Where the parser stood. */
  readonly token: Token;

  constructor(diagnostic: () => Diagnostic, token: Token) {
    this.diagnostic = diagnostic;
    this.token = token;
  }
}

/** What a parse starts from. */
export interface CursorInput {
  readonly source: Source;
  readonly tokens: Token[];
  readonly lexicalError: string | undefined;
  /** Whether template strings are allowed. */
  readonly templates: boolean;
  /** How many tokens a statement may have. */
  readonly maxStatementTokens: number;
}

/** Kinds of attempts, to remember which failed where. */
export const Attempt = { comprehension: 0, literalAfterIf: 1, pair: 2, operand: 3, group: 4, some: 5 } as const;
type AttemptKind = (typeof Attempt)[keyof typeof Attempt];

const emptySource = new Source('', '');

export abstract class Cursor extends LeanParser {
  // Chevrotain's own, missing from its declarations.
  declare getLexerPosition: () => number;
  declare importLexerState: (position: number) => void;

  protected source = emptySource;
  protected templates = true;
  #maxStatementTokens = Number.POSITIVE_INFINITY;
  #lexicalError: string | undefined;
  #wildcards = 0;
  #failed = new Set<number>();
  /** `import future.keywords.not`. */
  notBodies = false;
  /** Either of the keywords `and` and `or`. */
  logicalKeywords = false;
  /** Complaints that do not end the parse. */
  problems: (() => Diagnostic)[] = [];

  constructor() {
    super(t.vocabulary, { maxLookahead: 1, skipValidations: true, recoveryEnabled: false });
  }

  /** Makes the parser ready for a text. */
  reading(input: CursorInput): void {
    this.input = input.tokens;
    this.source = input.source;
    this.templates = input.templates;
    this.#maxStatementTokens = input.maxStatementTokens;
    this.lastToken = Number.POSITIVE_INFINITY;
    this.#lexicalError = input.lexicalError;
    this.#wildcards = 0;
    this.#failed = new Set();
    this.notBodies = false;
    this.logicalKeywords = false;
    this.problems = [];
  }

  /** Words still to come that are these become keywords. */
  activate(words: ReadonlyMap<string, TokenType>): void {
    const tokens = this.input as Token[];
    for (let i = this.position() + 1; i < tokens.length; i++) {
      const token = tokens[i]!;
      const type = token.tokenType === t.Identifier ? words.get(token.image) : undefined;
      if (type && !isNameByPlace(this.source.text, token.startOffset, token.end, tokens[i - 1])) token.become(type);
    }
  }

  // ---- where the parser stands

  /** A statement begins with the next token. */
  protected beginStatement(): void {
    this.lastToken = this.currIdx + this.#maxStatementTokens;
  }

  protected get next(): Token {
    return this.LA(1) as Token;
  }

  protected at(type: TokenType): boolean {
    return this.LA(1).tokenTypeIdx === type.tokenTypeIdx;
  }

  protected span(start: number): Span {
    return new Span(this.source, start, (this.LA(0) as Token).end);
  }

  protected tokenSpan(token: Token): Span {
    return new Span(this.source, token.startOffset, token.end);
  }

  protected position(): number {
    return this.getLexerPosition();
  }

  /** Whether a token goes on as a ref at once: `.x` or `[…]` without a space. */
  protected touches(token: Token, next: Token): boolean {
    return token.tokenType !== EOF && !next.spaceBefore && (next.tokenType === t.Dot || next.tokenType === t.LeftBracket);
  }

  /** A keyword that starts a ref (`not.x`, `input.if` is the lexer's) is a name. */
  protected soften(at = 1): void {
    const token = this.LA(at) as Token;
    if (token.tokenType !== t.Identifier && isKeyword(token.tokenType) && this.touches(token, this.LA(at + 1) as Token))
      token.become(t.Identifier);
  }

  // ---- failing

  fail<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>): never {
    throw new ParseFailure(() => diagnose(name, span, at, parseDetails(span)), this.next);
  }

  problem<Name extends ComplaintName>(name: Name, span: Span, at: Holes<Name>): void {
    if (this.problems.length < maxProblems)
      this.problems.push(() => diagnose(name, span, at, name === 'ruleHead' ? undefined : parseDetails(span)));
  }

  /** Complains of the next token. */
  unexpected(note?: string): never {
    const token = this.next;
    const span = this.tokenSpan(token);
    if (token.tokenType === t.Illegal) this.fail('illegalToken', span, { reason: this.#lexicalError ?? 'illegal token' });
    const holes = { token: tokenName(token), keyword: isKeyword(token.tokenType), ...(note !== undefined && { note }) };
    throw new ParseFailure(() => atEnd(diagnose('unexpectedToken', span, holes, parseDetails(span)), token), token);
  }

  /** Chevrotain's own ways to complain, which would compute what else could stand here each time an attempt fails. */
  consumeInternalError(expected: TokenType): never {
    return this.unexpected(
      `expected ${expected === t.RightBrace || expected === t.RightBracket ? `\\n or ; or ${expected.name}` : expected.name}`,
    );
  }

  raiseNoAltException(): never {
    return this.unexpected();
  }

  raiseEarlyExitException(): never {
    return this.unexpected();
  }

  /** No other reading makes it shorter, so no attempt catches this. */
  protected raiseTooLong(): never {
    throw compileErrors([diagnose('statementTooLong', this.tokenSpan(this.next), { tokens: this.#maxStatementTokens })]);
  }

  /** Reads with `rule`; if that fails in a way that `mayFail` accepts, stands where it stood and answers undefined. */
  protected attempt<T>(kind: AttemptKind, rule: () => T | undefined, mayFail = (_: ParseFailure): boolean => true): T | undefined {
    if (this.RECORDING_PHASE) return rule();
    const position = this.position();
    const key = position * 8 + kind;
    if (this.#failed.has(key)) return undefined;
    const { problems } = this;
    const wildcards = this.#wildcards;
    const lookaheads = this.currRuleLookaheadFuncs;
    try {
      this.problems = [];
      const result = rule();
      if (result !== undefined) {
        this.problems = this.problems.length === 0 ? problems : [...problems, ...this.problems];
        return result;
      }
    } catch (error) {
      if (!(error instanceof ParseFailure) || !mayFail(error)) throw error;
    }
    this.problems = problems;
    this.#wildcards = wildcards;
    this.#failed.add(key);
    this.currRuleLookaheadFuncs = lookaheads;
    this.importLexerState(position);
    return undefined;
  }

  wildcard(): string {
    return `$${this.#wildcards++}`;
  }

  protected variable(token: Token): VarTerm {
    return varTerm(this.tokenSpan(token), token.image === '_' ? this.wildcard() : token.image);
  }
}

/** The end of the text has no column of its own: the reference shows the last one's. */
function atEnd(diagnostic: Diagnostic, token: Token): Diagnostic {
  if (token.tokenType !== EOF || !diagnostic.location) return diagnostic;
  return { ...diagnostic, location: { ...diagnostic.location, col: diagnostic.location.col - 1 } };
}
