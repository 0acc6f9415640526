/**
 * `regex.globs_match`: whether two patterns share a text. Patterns know `.`, `[…]` and the flags `*` and `+`. Both are walked at once, as two automata side by
 * side: a pair of positions is looked at once, so the time is the product of the lengths at most.
 */

import type { BuiltinContext } from '../../context.js';
import { BuiltinError } from '../../errors.js';
import { type CharSet, charSet, overlap, type Range } from '../regex/charset.js';

/** What matches one character, or any number of them. `x+` is `x` and then `x*`. */
interface GlobToken {
  readonly any: boolean;
  readonly set: CharSet;
  readonly loop: boolean;
}

const maxTokens = 2000;

/** Units for a pair of places that is looked at. */
const unitsPerState = 10;

export function globsIntersect(left: string, right: string, context: BuiltinContext): boolean {
  const a = tokenize(left);
  const b = tokenize(right);
  const width = b.length + 1;
  const seen = new Uint8Array((a.length + 1) * width);
  const pending = [0];
  const visit = (i: number, j: number): void => {
    const state = i * width + j;
    if (seen[state] === 1) return;
    seen[state] = 1;
    pending.push(state);
  };
  seen[0] = 1;
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    context.tick(unitsPerState);
    const i = Math.floor(state / width);
    const j = state % width;
    if (i === a.length && j === b.length) return true;
    const x = a[i];
    const y = b[j];
    // A loop may be left without another round; else both take one character that both match.
    if (x?.loop) visit(i + 1, j);
    if (y?.loop) visit(i, j + 1);
    if (x !== undefined && y !== undefined && (x.any || y.any || overlap(x.set, y.set))) visit(x.loop ? i : i + 1, y.loop ? j : j + 1);
  }
  return false;
}

function tokenize(input: string): readonly GlobToken[] {
  const runes = Array.from(input);
  const tokens: GlobToken[] = [];
  for (let i = 0; i < runes.length; ) {
    if (tokens.length >= maxTokens) throw new BuiltinError(`pattern too long: more than ${maxTokens} tokens`);
    const [token, end] = tokenAt(input, runes, i);
    const [flag, after] = flagAt(input, runes, end);
    if (flag !== '*') tokens.push({ ...token, loop: false });
    if (flag !== '') tokens.push({ ...token, loop: true });
    i = after;
  }
  return tokens;
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

function tokenAt(input: string, runes: readonly string[], i: number): [Omit<GlobToken, 'loop'>, number] {
  const { text, escaped, end } = runeAt(input, runes, i);
  if (!escaped) {
    if (text === '.') return [{ any: true, set: [] }, end];
    if (text === '[') return setAt(input, runes, end);
    if (text === ']') throw invalid(input, end, "set-close ']' with no preceding '['");
    if (text === '+' || text === '*') throw invalid(input, end, `flag '${text}' must be preceded by a non-flag`);
  }
  return [{ any: false, set: [[codeOf(text), codeOf(text)]] }, end];
}

function flagAt(input: string, runes: readonly string[], i: number): ['' | '*' | '+', number] {
  if (i >= runes.length) return ['', i];
  const { text, escaped, end } = runeAt(input, runes, i);
  return !escaped && (text === '+' || text === '*') ? [text, end] : ['', i];
}

function setAt(input: string, runes: readonly string[], i: number): [Omit<GlobToken, 'loop'>, number] {
  const ranges: Range[] = [];
  let previous: number | undefined;
  while (i < runes.length) {
    const { text, escaped, end } = runeAt(input, runes, i);
    i = end;
    if (!escaped && text === ']') return [{ any: false, set: charSet(ranges) }, i];
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
