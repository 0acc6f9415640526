/**
 * Computes the tokens by which rules of the grammar decide, and writes them to
 * `compiler/syntax/grammar/lookahead-table.ts`: run it after a change of the grammar. Chevrotain
 * calls each rule once to learn its content, and refuses ambiguous rules.
 *
 *   tsx scripts/build/lookahead.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createToken,
  EmbeddedActionsParser,
  EOF,
  type ILookaheadStrategy,
  type IToken,
  Lexer,
  LLkLookaheadStrategy,
  type ParserMethod,
  type TokenType as RecordedType,
} from 'chevrotain';
import { Cursor } from '../../compiler/syntax/grammar/cursor.js';
import { ruleBodies } from '../../compiler/syntax/grammar/grammar.js';
import type { LookaheadTable } from '../../compiler/syntax/grammar/lookahead.js';
import type { Alternative, Gated, RuleMethod, Separated } from '../../compiler/syntax/grammar/rule-parser.js';
import type { Parser } from '../../compiler/syntax/grammar/rules.js';
import { Token, type TokenType, EOF as textEnd, vocabulary } from '../../compiler/syntax/tokens.js';

type Writable = {
  -readonly [Kind in keyof LookaheadTable]: { -readonly [Rule in string]: LookaheadTable[Kind][Rule] };
};

const typeOf = new Map<TokenType, RecordedType>(
  vocabulary.map((type) => [type, type === textEnd ? EOF : createToken({ name: type.name, pattern: Lexer.NA })]),
);

/** Records the answers of chevrotain's own lookahead functions for each type of token. */
class NotingStrategy extends LLkLookaheadStrategy {
  readonly table: Writable = { or: {}, option: {}, many: {}, list: {} };

  override buildLookaheadForAlternation(options: Parameters<ILookaheadStrategy['buildLookaheadForAlternation']>[0]) {
    const decide = super.buildLookaheadForAlternation(options);
    const lists: string[][] = [];
    for (const [name, number] of decisions(decide)) if (number !== undefined) (lists[number] ??= []).push(name);
    this.table.or[options.rule.name] = Array.from(lists, (list) => list ?? []);
    return decide;
  }

  override buildLookaheadForOptional(options: Parameters<ILookaheadStrategy['buildLookaheadForOptional']>[0]) {
    const decide = super.buildLookaheadForOptional(options);
    const kind = ({ Option: 'option', Repetition: 'many', RepetitionMandatoryWithSeparator: 'list' } as const)[
      options.prodType as string
    ];
    if (kind === undefined)
      throw new Error(`${options.rule.name} has content that the parser does not know: ${options.prodType}`);
    this.table[kind][options.rule.name] = decisions(decide).flatMap(([name, isFirst]) => (isFirst ? [name] : []));
    return decide;
  }
}

function decisions<Decision>(decide: (...args: never[]) => Decision): [name: string, Decision][] {
  return [...typeOf].map(([{ name }, type]) => {
    const token = { tokenType: type, tokenTypeIdx: type.tokenTypeIdx };
    return [name, Reflect.apply(decide, { LA: () => token, LA_FAST: () => token }, []) as Decision];
  });
}

/** Chevrotain's methods, which its declarations keep for subclasses. */
interface Recorder {
  readonly RECORDING_PHASE: boolean;
  RULE(name: string, body: (...args: never[]) => unknown): ParserMethod<unknown[], unknown>;
  performSelfAnalysis(): void;
  consume(number: number, type: RecordedType): IToken;
  subrule<Result>(number: number, rule: unknown, options: unknown): Result;
  or<Result>(number: number, alternatives: readonly Alternative<Result>[]): Result;
  option<Result>(number: number, content: () => Result): Result | undefined;
  many(number: number, content: (() => void) | Gated<void>): void;
  AT_LEAST_ONE_SEP(content: { readonly SEP: RecordedType; readonly DEF: () => void }): void;
}

const dummy = new Token({ name: 'recorded', tokenTypeIdx: -1 }, '', 0, 0, false, false, 0);

/** The parser as rules see it while chevrotain learns them. */
class RecordingCursor extends Cursor {
  readonly #to: Recorder;
  /** Numbers the tokens and rules that the current rule names, as chevrotain demands. */
  #named = 0;

  constructor(to: Recorder) {
    super();
    this.#to = to;
  }

  beginRule(): void {
    this.#named = 0;
  }

  override get isRecording(): boolean {
    return true;
  }

  override CONSUME(type: TokenType): Token {
    const recorded = typeOf.get(type);
    if (recorded !== undefined) this.#to.consume(this.#named++, recorded);
    return dummy;
  }

  override SUBRULE<Args extends unknown[], Result>(
    rule: RuleMethod<Args, Result>,
    options?: { readonly ARGS: Args },
  ): Result {
    return this.#to.subrule(this.#named++, rule, options);
  }

  override OR<Result>(_: unknown, alternatives: readonly Alternative<Result>[]): Result {
    return this.#to.or(0, alternatives);
  }

  override OPTION<Result>(_: unknown, content: () => Result): Result | undefined {
    return this.#to.option(0, content);
  }

  override MANY(_: unknown, content: (() => void) | Gated<void>): void {
    this.#to.many(0, content);
  }

  override AT_LEAST_ONE_SEP(_: unknown, { SEP, DEF }: Separated): void {
    this.#to.AT_LEAST_ONE_SEP({ SEP: typeOf.get(SEP)!, DEF });
  }

  override ACTION<Result>(): Result {
    return undefined as Result;
  }
}

/** The table of the grammar. Throws if a rule is ambiguous, or names an unknown one. */
export function lookaheadTable(): LookaheadTable {
  const strategy = new NotingStrategy({ maxLookahead: 1 });
  const types = [...typeOf.values()];
  const recorder = new EmbeddedActionsParser(types, {
    maxLookahead: 1,
    lookaheadStrategy: strategy,
  }) as unknown as Recorder;
  const cursor = new RecordingCursor(recorder);
  for (const [name, body] of Object.entries<($: Parser, ...args: never[]) => unknown>(ruleBodies)) {
    const recorded = (...args: never[]) => {
      cursor.beginRule();
      return body(cursor as unknown as Parser, ...args);
    };
    Object.assign(cursor, { [name]: recorder.RULE(name, recorded) });
  }
  recorder.performSelfAnalysis();
  return strategy.table;
}

/** The text of `lookahead-table.ts`. */
export function tableText(): string {
  const kinds = Object.entries(lookaheadTable()).map(([kind, rows]) => {
    const lines = Object.entries(rows as Record<string, unknown>).map(
      ([rule, names]) => `    ${rule}: ${JSON.stringify(names)},`,
    );
    return [`  ${kind}: {`, ...lines, '  },'].join('\n');
  });
  return [
    '/** Written by scripts/build/lookahead.ts, from the grammar; a test compares the two. */',
    '',
    '// biome-ignore-all format: one line for each rule',
    'export const table = {',
    ...kinds,
    '} as const;',
    '',
  ].join('\n');
}

const own = fileURLToPath(import.meta.url);
if (process.argv[1] === own)
  writeFileSync(join(own, '../../../compiler/syntax/grammar/lookahead-table.ts'), tableText());
