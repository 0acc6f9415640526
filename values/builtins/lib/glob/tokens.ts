/** Reads the patterns of `regex.globs_match`: characters, `.`, `[…]`, `\` and flags `*` and `+`. */
import { BuiltinError } from '../../builtin-errors.js';
import { type CharRange, type CharSet, charSet } from '../regex/charset.js';

/** One character or, of a loop, any number of them. `x+` is `x` and then a loop of `x`. */
export interface GlobToken {
  /** The characters that match. `any` is more than the set of all: it overlaps `[]` as well. */
  readonly set: CharSet | 'any';
  readonly loop: boolean;
}

const maxTokens = 2000;

/** A character of a pattern. After a backslash every character means itself. */
interface Character {
  readonly code: number;
  /** The character where it may have a meaning of its own; undefined after a backslash. */
  readonly symbol: string | undefined;
}

/** Throws a BuiltinError where the pattern is malformed. */
export function readGlob(pattern: string): readonly GlobToken[] {
  const source = new Source(pattern);
  const tokens: GlobToken[] = [];
  while (!source.atEnd) {
    if (tokens.length >= maxTokens) throw new BuiltinError(`pattern too long: more than ${maxTokens} tokens`);
    const set = readSet(source);
    const flag = source.takeFlag();
    if (flag !== '*') tokens.push({ set, loop: false });
    if (flag !== undefined) tokens.push({ set, loop: true });
  }
  return tokens;
}

/** A pattern, read character by character. */
class Source {
  readonly #pattern: string;
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
    this.#characters = Array.from(pattern);
  }

  get atEnd(): boolean {
    return this.#at >= this.#characters.length;
  }

  /** Whether at most one character is left. */
  get nearEnd(): boolean {
    return this.#at >= this.#characters.length - 1;
  }

  /** The next character, of which there is one; after a backslash every character means itself. */
  take(): Character {
    const isEscaped = this.#characters[this.#at] === '\\';
    if (isEscaped && this.nearEnd) throw this.wrong('input ends with a \\ (escape) character');
    if (isEscaped) this.#at++;
    const character = this.#characters[this.#at++]!;
    return { code: character.codePointAt(0)!, symbol: isEscaped ? undefined : character };
  }

  takeFlag(): '*' | '+' | undefined {
    const next = this.#characters[this.#at];
    if (next !== '*' && next !== '+') return undefined;
    this.#at++;
    return next;
  }

  /** A syntax error just before the next character. */
  wrong(complaint: string): BuiltinError {
    return new BuiltinError(`input:${this.#pattern}, pos:${this.#at}, ${complaint}: the input provided is invalid`);
  }
}

function readSet(source: Source): CharSet | 'any' {
  const { code, symbol } = source.take();
  switch (symbol) {
    case '.':
      return 'any';
    case '[':
      return readBrackets(source);
    case ']':
      throw source.wrong("set-close ']' with no preceding '['");
    case '*':
    case '+':
      throw source.wrong(`flag '${symbol}' must be preceded by a non-flag`);
    default:
      return [[code, code]];
  }
}

function readBrackets(source: Source): CharSet {
  const ranges: CharRange[] = [];
  /** The character before, where a range may start with it. */
  let before: number | undefined;
  while (!source.atEnd) {
    const { code, symbol } = source.take();
    if (symbol === ']') return charSet(ranges);
    if (symbol === '-') {
      if (before === undefined) throw source.wrong("range character '-' must be preceded by a Unicode character");
      ranges.push([before, readRangeEnd(source, before)]);
      before = undefined;
    } else {
      ranges.push([code, code]);
      before = code;
    }
  }
  throw source.wrong('found [ without matching ]');
}

function readRangeEnd(source: Source, first: number): number {
  if (source.nearEnd) throw source.wrong("range character '-' must be followed by a Unicode character");
  const { code, symbol } = source.take();
  if (symbol === ']' || symbol === '-')
    throw source.wrong("range character '-' cannot be followed by a special symbol");
  if (code >= first) return code;
  const [from, to] = [String.fromCodePoint(first), String.fromCodePoint(code)];
  throw source.wrong(`range is out of order: '${to}' comes before '${from}' in Unicode`);
}
