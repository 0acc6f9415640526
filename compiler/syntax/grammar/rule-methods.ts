/**
 * Chevrotain's methods that rules are written with. Its declarations keep them for subclasses; the
 * grammar's modules are functions over one parser, so here they are public, with our tokens. All of
 * them are documented.
 */

import { EmbeddedActionsParser, type IParserConfig, type ParserMethod, type TokenType } from 'chevrotain';
import type { Token } from '../tokens.js';

/** A rule of the grammar, as `SUBRULE` takes it. */
export type RuleMethod<Args extends unknown[], Result> = ParserMethod<Args, Result>;

export interface Alternative<Result> {
  readonly ALT: () => Result;
  /** The first of several alternatives that begin alike is meant. */
  readonly IGNORE_AMBIGUITIES?: boolean;
}

/** Content that a condition besides the next token decides on. */
interface Gated<Result> {
  readonly GATE: () => boolean;
  readonly DEF: () => Result;
}

type Subrule = <Args extends unknown[], Result>(rule: RuleMethod<Args, Result>, options?: { readonly ARGS: Args }) => Result;

interface RuleMethods {
  input: Token[];
  /**
   * Whether chevrotain is calling the rules to learn the grammar; tokens and results are dummies.
   */
  readonly RECORDING_PHASE: boolean;
  performSelfAnalysis(): void;
  RULE<Args extends unknown[], Result>(name: string, body: (...args: Args) => Result): RuleMethod<Args, Result>;
  CONSUME(type: TokenType): Token;
  CONSUME2(type: TokenType): Token;
  readonly SUBRULE: Subrule;
  readonly SUBRULE2: Subrule;
  OR<Result>(alternatives: readonly Alternative<Result>[]): Result;
  OPTION<Result>(content: () => Result): Result | undefined;
  MANY(content: (() => void) | Gated<void>): void;
  AT_LEAST_ONE_SEP(content: { readonly SEP: TokenType; readonly DEF: () => void }): void;
  /** Calls a function, except while the grammar is recorded. */
  ACTION<Result>(action: () => Result): Result;
  /** A function that calls a rule and then stands where it stood; false if the rule failed. */
  BACKTRACK<Args extends unknown[]>(rule: RuleMethod<Args, unknown>, args: Args): (this: RuleMethods) => boolean;
  SKIP_TOKEN(): Token;
  /** The next token but `n - 1`; the last one read for 0. */
  LA(n: number): Token;
}

export const OpenParser = EmbeddedActionsParser as unknown as new (vocabulary: TokenType[], config: IParserConfig) => RuleMethods;
