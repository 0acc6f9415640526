/**
 * `regex.globs_match`: whether two patterns share a text. Patterns know `.`, `[…]` and the flags `*` and `+`. The answer is the
 * reference's, whose search commits itself early and so misses some shared texts.
 */

import type { BuiltinContext } from './context.js';
import { BuiltinError } from './errors.js';
import { type CharSet, charSet, overlap, type Range } from './regex-charset.js';

type Flag = '' | '+' | '*';

interface GlobToken {
  readonly kind: 'character' | 'dot' | 'set';
  readonly set: CharSet;
  readonly flag: Flag;
}

const maxTokens = 2000;

export function globsIntersect(left: string, right: string, context: BuiltinContext): boolean {
  const a = tokenize(left);
  const b = tokenize(right);
  return new Intersection(context).run(a, b);
}

function matches(a: GlobToken, b: GlobToken): boolean {
  return a.kind === 'dot' || b.kind === 'dot' || overlap(a.set, b.set);
}

/** Two patterns, each cut to a part; the search looks at parts that end where these end. */
class Intersection {
  readonly #context: BuiltinContext;
  readonly #known = new Map<string, boolean>();

  constructor(context: BuiltinContext) {
    this.#context = context;
  }

  run(a: readonly GlobToken[], b: readonly GlobToken[]): boolean {
    const trimmed = trim(a, b);
    return trimmed !== undefined && this.#normal(trimmed[0], 0, trimmed[1], 0);
  }

  readonly #ids = new Map<readonly GlobToken[], number>();

  #id(tokens: readonly GlobToken[]): number {
    let id = this.#ids.get(tokens);
    if (id === undefined) this.#ids.set(tokens, (id = this.#ids.size));
    return id;
  }

  #normal(a: readonly GlobToken[], i: number, b: readonly GlobToken[], j: number): boolean {
    const key = `${this.#id(a)}:${i}:${j}`;
    let answer = this.#known.get(key);
    if (answer === undefined) this.#known.set(key, (answer = this.#compute(a, i, b, j)));
    return answer;
  }

  #compute(a: readonly GlobToken[], i: number, b: readonly GlobToken[], j: number): boolean {
    this.#context.tick(1);
    for (; i < a.length && j < b.length; i++, j++) {
      const x = a[i]!;
      const y = b[j]!;
      if (x.flag !== '') return this.#flagged(a, i, b, j);
      if (y.flag !== '') return this.#flagged(b, j, a, i);
      if (!matches(x, y)) return false;
    }
    return i === a.length && j === b.length;
  }

  /** The token at `i` has a flag. */
  #flagged(a: readonly GlobToken[], i: number, b: readonly GlobToken[], j: number): boolean {
    const looped = a[i]!;
    if (looped.flag === '*') return this.#starred(a, i, b, j);
    if (!matches(looped, b[j]!)) return false;
    // Either it takes the other's token, or the other's loop takes all of it.
    return this.#starred(a, i, b, j + 1) || (b[j]!.flag !== '' && this.#normal(a, i + 1, b, j));
  }

  /** The token at `i` takes any number of the other's. */
  #starred(a: readonly GlobToken[], i: number, b: readonly GlobToken[], j: number): boolean {
    const next = a[i + 1];
    for (; j < b.length; j++) {
      this.#context.tick(1);
      const token = b[j]!;
      if (next !== undefined && matches(token, next) && this.#normal(a, i + 1, b, j)) return true;
      if (!matches(token, a[i]!)) return false;
    }
    return next === undefined;
  }
}

/** Cuts off what has no flags at both ends, but for one token each; undefined where it differs. */
function trim(a: readonly GlobToken[], b: readonly GlobToken[]): [readonly GlobToken[], readonly GlobToken[]] | undefined {
  const isPlain = (x: GlobToken | undefined, y: GlobToken | undefined) => x?.flag === '' && y?.flag === '';
  let start = 0;
  for (; isPlain(a[start], b[start]); start++) if (!matches(a[start]!, b[start]!)) return undefined;
  if (start > 0) start--;
  let endA = a.length - 1;
  let endB = b.length - 1;
  for (; endA >= start && endB >= start && isPlain(a[endA], b[endB]); endA--, endB--) {
    if (!matches(a[endA]!, b[endB]!)) return undefined;
  }
  if (endA < a.length - 1) {
    endA++;
    endB++;
  }
  return [a.slice(start, endA + 1), b.slice(start, endB + 1)];
}

function tokenize(input: string): readonly GlobToken[] {
  const runes = Array.from(input);
  const tokens: GlobToken[] = [];
  for (let i = 0; i < runes.length; ) {
    if (tokens.length >= maxTokens) throw new BuiltinError(`pattern too long: more than ${maxTokens} tokens`);
    const [token, end] = tokenAt(input, runes, i);
    const [flag, after] = flagAt(input, runes, end);
    const last = tokens.at(-1);
    // Two loops over the same are one loop: a+a* is a+.
    if (flag !== '' && last !== undefined && last.flag !== '' && isSame(last, token)) {
      tokens[tokens.length - 1] = { ...last, flag: flag === '+' || last.flag === '+' ? '+' : '*' };
    } else tokens.push({ ...token, flag });
    i = after;
  }
  return tokens;
}

function isSame(a: Omit<GlobToken, 'flag'>, b: Omit<GlobToken, 'flag'>): boolean {
  if (a.kind !== b.kind || a.set.length !== b.set.length) return false;
  return a.set.every(([low, high], i) => low === b.set[i]![0] && high === b.set[i]![1]);
}

function invalid(input: string, position: number, message: string): BuiltinError {
  return new BuiltinError(`input:${input}, pos:${position}, ${message}: the input provided is invalid`);
}

interface Rune {
  readonly text: string;
  readonly escaped: boolean;
  readonly end: number;
}

function runeAt(input: string, runes: readonly string[], i: number): Rune {
  if (runes[i] !== '\\') return { text: runes[i]!, escaped: false, end: i + 1 };
  if (i === runes.length - 1) throw invalid(input, i, 'input ends with a \\ (escape) character');
  return { text: runes[i + 1]!, escaped: true, end: i + 2 };
}

function codeOf(text: string): number {
  return text.codePointAt(0)!;
}

function tokenAt(input: string, runes: readonly string[], i: number): [Omit<GlobToken, 'flag'>, number] {
  const { text, escaped, end } = runeAt(input, runes, i);
  if (!escaped) {
    if (text === '.') return [{ kind: 'dot', set: [] }, end];
    if (text === '[') return setAt(input, runes, end);
    if (text === ']') throw invalid(input, end, "set-close ']' with no preceding '['");
    if (text === '+' || text === '*') throw invalid(input, end, `flag '${text}' must be preceded by a non-flag`);
  }
  return [{ kind: 'character', set: [[codeOf(text), codeOf(text)]] }, end];
}

function flagAt(input: string, runes: readonly string[], i: number): [Flag, number] {
  if (i >= runes.length) return ['', i];
  const { text, escaped, end } = runeAt(input, runes, i);
  return !escaped && (text === '+' || text === '*') ? [text, end] : ['', i];
}

function setAt(input: string, runes: readonly string[], i: number): [Omit<GlobToken, 'flag'>, number] {
  const ranges: Range[] = [];
  let previous: number | undefined;
  while (i < runes.length) {
    const { text, escaped, end } = runeAt(input, runes, i);
    i = end;
    if (!escaped && text === ']') return [{ kind: 'set', set: charSet(ranges) }, i];
    if (escaped || text !== '-') {
      previous = codeOf(text);
      ranges.push([previous, previous]);
      continue;
    }
    if (previous === undefined) throw invalid(input, i, "range character '-' must be preceded by a Unicode character");
    if (i >= runes.length - 1) throw invalid(input, i, "range character '-' must be followed by a Unicode character");
    const high = runeAt(input, runes, i);
    i = high.end;
    if (!high.escaped && (high.text === ']' || high.text === '-')) {
      throw invalid(input, i, "range character '-' cannot be followed by a special symbol");
    }
    if (codeOf(high.text) < previous) {
      const from = String.fromCodePoint(previous);
      throw invalid(input, i, `range is out of order: '${high.text}' comes before '${from}' in Unicode`);
    }
    ranges.push([previous, codeOf(high.text)]);
    previous = undefined;
  }
  throw invalid(input, i, 'found [ without matching ]');
}
