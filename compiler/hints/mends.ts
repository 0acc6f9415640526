/** Changes that mend errors, where a hint leaves one thing to write. */

import type { Diagnostic, Hint } from '../diagnostics/diagnostics.js';
import { markedSpan } from '../diagnostics/excerpt.js';

/** Offsets in the text of the error's file, and what is written there. */
export interface Mend {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The change that a hint means; undefined where there are several, or none. */
export function mendOf(diagnostic: Diagnostic, hint: Hint): Mend | undefined {
  const marked = markedSpan(diagnostic);
  if (marked === undefined) return undefined;
  const { start, end, source } = marked;
  const { meant } = hint;
  if (meant !== undefined) return { title: `Change to ${meant}`, start, end, text: meant };
  const at = diagnostic.span!.start;
  if (diagnostic.name === 'ifRequired' || diagnostic.name === 'containsRequired')
    return missingWord(source.text, at, diagnostic.name === 'containsRequired');
  return diagnostic.code === 'rego_parse_error' ? habitMend(source.text, at) : undefined;
}

/** The words that version 1 wants before a body, and before the members of a set. */
function missingWord(text: string, start: number, isSet: boolean): Mend | undefined {
  const line = text.slice(start, lineEnd(text, start));
  const [head, name, member, rest = ''] = /^([\w.]+)\[([^\]]*)\](\s*\{)?/.exec(line) ?? [];
  if (head !== undefined && (isSet || rest !== '')) {
    const written = `${name} contains ${member}${rest === '' ? '' : ' if {'}`;
    return { title: 'Add the word contains', start, end: start + head.length, text: written };
  }
  const brace = line.search(/\s*\{\s*(?:[^}]*\}\s*)?$/);
  return brace < 0 ? undefined : { title: 'Add the word if', start: start + brace, end: start + brace, text: ' if' };
}

interface HabitMend {
  readonly title: string;
  /** Matches the text of the line before the error; group 1 is replaced too. */
  readonly before: RegExp;
  /** Matches the text of the line from the error on; all of it is replaced. */
  readonly at: RegExp;
  readonly text: (matched: string) => string;
}

/** Syntax of other languages that has one form here. */
const habitMends: readonly HabitMend[] = [
  {
    title: 'Write the text in double quotes',
    before: /()$/,
    at: /^'[^'"\\]*'/,
    text: (quoted) => `"${quoted.slice(1, -1)}"`,
  },
  { title: 'Begin the comment with #', before: /()$/, at: /^\/\//, text: () => '#' },
  { title: 'Begin the comment with #', before: /(\/)$/, at: /^\//, text: () => '#' },
  {
    title: 'Give the value with :=',
    before: /^(?:default\s+)?[\w.]+(?:\([^)]*\))?\s*()$/,
    at: /^==/,
    text: () => ':=',
  },
  {
    title: 'Give the value with :=',
    before: /^()$/,
    at: /^(?:default\s+)?[\w.]+(?:\([^)]*\))?\s*==/,
    text: (head) => head.replace(/==$/, ':='),
  },
  {
    title: 'Give the value with :=',
    before: /^[\w.[\]"]+(?:\([^)]*\))?\s*(==[^=].*)$/,
    at: /^(?=if\b)/,
    text: (value) => value.replace('==', ':='),
  },
  { title: 'Negate with not', before: /(?:^\s*|[;{]\s*|\bif\s+)()$/, at: /^!(?!=)\s*/, text: () => 'not ' },
  { title: 'Leave out the semicolon', before: /()$/, at: /^;\s*$/, text: () => '' },
  {
    title: 'Leave out the word before the variable',
    before: /\b((?:let|var|const|local)\s+)$/,
    at: /^(?=\w)/,
    text: () => '',
  },
  { title: 'Write := before the value', before: /^default\s+[\w.]+\s+()$/, at: /^(?=[\w"[{-])/, text: () => ':= ' },
];

/** Authors do not write longer lines. */
const longestLine = 1000;

function habitMend(text: string, at: number): Mend | undefined {
  const lineStart = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const end = lineEnd(text, at);
  if (end - lineStart > longestLine) return undefined;
  const last = /;\s*$/.exec(text.slice(Math.max(0, at - longestLine), at))?.[0];
  if (text[at] === '}' && last !== undefined)
    return { title: 'Leave out the semicolon', start: at - last.length, end: at - last.length + 1, text: '' };
  const [before, rest] = [text.slice(lineStart, at), text.slice(at, end)];
  for (const habit of habitMends) {
    const left = habit.before.exec(before)?.[1];
    const right = habit.at.exec(rest)?.[0];
    if (left === undefined || right === undefined) continue;
    return {
      title: habit.title,
      start: at - left.length,
      end: at + right.length,
      text: habit.text(left + right),
    };
  }
  return undefined;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
