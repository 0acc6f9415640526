/**
 * The methods that rules are written with, after chevrotain's of the same names. Which token begins
 * an alternative or an optional part was computed by chevrotain before (`lookahead-table.ts`): a
 * start of the command has no time for it.
 */

import { EOF, Token, type TokenType } from '../tokens.js';
import type { Alternatives, FirstTokens } from './lookahead.js';

/** A rule of the grammar, as `SUBRULE` takes it. */
export type RuleMethod<Args extends unknown[], Result> = (...args: Args) => Result;

export interface Alternative<Result> {
  readonly ALT: () => Result;
  /** The first of several alternatives that begin alike is meant. */
  readonly IGNORE_AMBIGUITIES?: boolean;
}

/** Content that a condition besides the next token decides on. */
export interface Gated<Result> {
  readonly GATE: () => boolean;
  readonly DEF: () => Result;
}

export interface Separated {
  readonly SEP: TokenType;
  readonly DEF: () => void;
}

const endOfText = new Token(EOF, '', -1, -1, false, false, -1);

export abstract class RuleParser {
  #tokens: readonly Token[] = [];
  /** The index of the next token. */
  #at = 0;

  /** Whether the rules are called to learn the grammar; tokens and results are dummies. */
  get isRecording(): boolean {
    return false;
  }

  get input(): readonly Token[] {
    return this.#tokens;
  }

  set input(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#at = 0;
  }

  /** The next token but `n - 1`; the last one read for 0. */
  LA(n: number): Token {
    return this.#tokens[this.#at + n - 1] ?? endOfText;
  }

  /** Goes back, or on, to the token of an index. */
  moveTo(index: number): void {
    this.#at = index;
  }

  /** Reads a token, or fails if the next one is of another type. */
  CONSUME(type: TokenType): Token {
    const token = this.#tokens[this.#at] ?? endOfText;
    if (token.tokenTypeIdx !== type.tokenTypeIdx) return this.mismatch(type);
    this.#at++;
    return token;
  }

  SUBRULE<Args extends unknown[], Result>(rule: RuleMethod<Args, Result>, options?: { readonly ARGS: Args }): Result {
    return options === undefined ? (rule as RuleMethod<[], Result>)() : rule(...options.ARGS);
  }

  /** Reads one of several alternatives, or fails. */
  OR<Result>(first: Alternatives, alternatives: readonly Alternative<Result>[]): Result {
    const alternative = alternatives[first[this.LA(1).tokenTypeIdx] ?? -1];
    return alternative === undefined ? this.unexpected() : alternative.ALT();
  }

  OPTION<Result>(first: FirstTokens, content: () => Result): Result | undefined {
    return first[this.LA(1).tokenTypeIdx] === 1 ? content() : undefined;
  }

  /** Reads its content as often as it comes. */
  MANY(first: FirstTokens, content: (() => void) | Gated<void>): void {
    const isPlain = typeof content === 'function';
    const read = isPlain ? content : content.DEF;
    while ((isPlain || content.GATE()) && first[this.LA(1).tokenTypeIdx] === 1) {
      const before = this.#at;
      read();
      if (this.#at <= before) return;
    }
  }

  AT_LEAST_ONE_SEP(first: FirstTokens, { SEP, DEF }: Separated): void {
    if (first[this.LA(1).tokenTypeIdx] !== 1) this.unexpected();
    DEF();
    while (this.LA(1).tokenTypeIdx === SEP.tokenTypeIdx) {
      this.CONSUME(SEP);
      DEF();
    }
  }

  /** Calls a function, except while the grammar is recorded. */
  ACTION<Result>(action: () => Result): Result {
    return action();
  }

  /** Fails at the next token, which is not of the expected type. */
  protected abstract mismatch(expected: TokenType): never;

  /** Fails at the next token. */
  abstract unexpected(): never;
}
