/**
 * Chevrotain's parser without what this grammar has no use for: concrete syntax trees, recovery, rule stacks and a `try` around every step. Rules are defined,
 * analysed and looked ahead as chevrotain does; only running them is written anew, which halves the time of a parse.
 */

import { EmbeddedActionsParser, type IToken, type TokenType } from 'chevrotain';

/** Chevrotain's own parts that running a rule touches; its declarations leave them out. */
interface Engine {
  currIdx: number;
  tokVector: IToken[];
  currRuleLookaheadFuncs: Lookahead[];
  lookAheadFuncsCache: Lookahead[][];
  fullRuleNameToShort: Readonly<Record<string, number>>;
}

type Lookahead = (this: unknown, alternatives?: unknown) => unknown;
type Action = () => unknown;
type Gated = { readonly GATE?: Action; readonly DEF: Action };
interface DefinedRule {
  coreRule: (this: Engine, ...args: unknown[]) => unknown;
}

export abstract class LeanParser extends EmbeddedActionsParser {
  declare protected currIdx: number;
  declare protected tokVector: IToken[];
  declare protected currRuleLookaheadFuncs: Lookahead[];
  /** The last token that the current statement may have. */
  protected lastToken = Number.POSITIVE_INFINITY;

  static {
    const prototype = LeanParser.prototype as unknown as Record<string, unknown>;
    const defineRule = prototype.defineRule as (name: string, action: DefinedRule['coreRule'], config: unknown) => DefinedRule;
    // No rule has more than three parameters. What `attempt` catches leaves the table of a rule inside: it puts its own back.
    prototype.defineRule = function (this: Engine, name: string, action: DefinedRule['coreRule'], config: unknown): DefinedRule {
      const rule = defineRule.call(this as never, name, action, config);
      const index = this.fullRuleNameToShort[name]!;
      rule.coreRule = function (first, second, third) {
        const before = this.currRuleLookaheadFuncs;
        this.currRuleLookaheadFuncs = this.lookAheadFuncsCache[index]!;
        const result = action.call(this, first, second, third);
        this.currRuleLookaheadFuncs = before;
        return result;
      };
      return rule;
    };
  }

  abstract consumeInternalError(expected: TokenType): never;
  abstract raiseNoAltException(): never;
  abstract raiseEarlyExitException(): never;
  /** The current statement goes on behind `lastToken`. */
  protected abstract raiseTooLong(): never;

  subruleInternal(rule: DefinedRule, _index: number, options: { readonly ARGS: readonly unknown[] } | undefined): unknown {
    if (options === undefined) return rule.coreRule.call(this as unknown as Engine);
    const { ARGS: args } = options;
    return rule.coreRule.call(this as unknown as Engine, args[0], args[1], args[2]);
  }

  consumeInternal(expected: TokenType): IToken {
    const token = this.tokVector[this.currIdx + 1]!;
    if (token.tokenTypeIdx !== expected.tokenTypeIdx) this.consumeInternalError(expected);
    if (this.currIdx >= this.lastToken) this.raiseTooLong();
    this.currIdx++;
    return token;
  }

  optionInternalLogic(option: Action | Gated, _occurrence: number, key: number): unknown {
    if (typeof option === 'function') return this.#ahead(key) ? option() : undefined;
    return option.GATE?.() !== false && this.#ahead(key) ? option.DEF() : undefined;
  }

  manyInternalLogic(_occurrence: number, many: Action | Gated, key: number): void {
    const [gate, action] = typeof many === 'function' ? [undefined, many] : [many.GATE, many.DEF];
    while (gate?.() !== false && this.#ahead(key)) if (!this.#once(action)) return;
  }

  atLeastOneInternalLogic(_occurrence: number, many: Action, key: number): void {
    if (!this.#ahead(key)) this.raiseEarlyExitException();
    do if (!this.#once(many)) return;
    while (this.#ahead(key));
  }

  /** Whether an action has read anything: one that has not would be repeated for ever. */
  #once(action: Action): boolean {
    const before = this.currIdx;
    action();
    return this.currIdx > before;
  }

  #ahead(key: number): boolean {
    return this.currRuleLookaheadFuncs[key]!.call(this) === true;
  }
}
