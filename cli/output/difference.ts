/** Differences between two texts: coloured for terminals, as a patch for programs. */
import { textEdits } from './edits.js';

const codes = { gone: '\u001b[31m', new: '\u001b[32m' };
const end = '\u001b[0m';

/** The whole text, with deleted lines in red and inserted lines in green. */
export function coloredDifference(before: string, after: string): string {
  const painted = (kind: 'gone' | 'new', text: string): string =>
    text
      .split('\n')
      .map((line) => codes[kind] + line + end)
      .join('\n');
  return textEdits(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : painted(kind, text)))
    .join('');
}

/** Number of unchanged lines around a change. */
const context = 3;

interface Line {
  readonly sign: ' ' | '-' | '+';
  /** Includes the line break, which the last line may lack. */
  readonly text: string;
}

/** A patch in the unified format. */
export function patchOf(path: string, before: string, after: string): string {
  const lines = lineEdits(linesOf(before), linesOf(after));
  const hunks = hunksOf(lines);
  return hunks.length === 0 ? '' : `--- ${path}\n+++ ${path}\n${hunks.map((hunk) => hunkText(lines, hunk)).join('')}`;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

interface Hunk {
  readonly from: number;
  to: number;
}

/** Groups changed lines with the context around them; adjacent groups are merged. */
function hunksOf(lines: readonly Line[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  lines.forEach(({ sign }, i) => {
    if (sign === ' ') return;
    const [from, to] = [Math.max(0, i - context), Math.min(lines.length, i + context + 1)];
    const last = hunks.at(-1);
    if (last && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  });
  return hunks;
}

function hunkText(lines: readonly Line[], { from, to }: Hunk): string {
  const count = (list: readonly Line[], other: Line['sign']): number =>
    list.filter(({ sign }) => sign !== other).length;
  const [above, here] = [lines.slice(0, from), lines.slice(from, to)];
  const range = (other: Line['sign']): string => {
    const length = count(here, other);
    return `${count(above, other) + (length === 0 ? 0 : 1)},${length}`;
  };
  const text = here.map(
    (line) => line.sign + line.text + (line.text.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'),
  );
  return `@@ -${range('+')} +${range('-')} @@\n${text.join('')}`;
}

/** Compares lines by encoding each distinct line as one character. */
function lineEdits(before: readonly string[], after: readonly string[]): readonly Line[] {
  const letters = new Map<string, number>();
  const alphabet: string[] = [];
  const encode = (lines: readonly string[]): string | undefined => {
    let text = '';
    for (const line of lines) {
      let letter = letters.get(line);
      if (letter === undefined) {
        letter = alphabet.push(line) - 1;
        letters.set(line, letter);
      }
      text += String.fromCharCode(letter);
    }
    return alphabet.length <= 0x10000 ? text : undefined;
  };
  const [left, right] = [encode(before), encode(after)];
  const signs = { same: ' ', gone: '-', new: '+' } as const;
  if (left === undefined || right === undefined)
    return [...before.map((text) => ({ sign: signs.gone, text })), ...after.map((text) => ({ sign: signs.new, text }))];
  return textEdits(left, right).flatMap(({ kind, text }) =>
    Array.from({ length: text.length }, (_, i) => ({ sign: signs[kind], text: alphabet[text.charCodeAt(i)]! })),
  );
}
