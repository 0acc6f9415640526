/** Hints for the syntax of other languages, and the changes that they mean. */

import type { Diagnostic } from '../diagnostics/diagnostics.js';
import type { Span } from '../source/location.js';

/** Offsets in the text of the error's file, and what is written there. */
export interface Mend {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Habit {
  /** Matches the text before the error that belongs to it. */
  readonly before?: RegExp;
  /** Matches the text from the error on. */
  readonly at?: RegExp;
  readonly hint: string;
  /** The change that the hint means, where it is one. */
  readonly mend?: HabitMend;
}

interface HabitMend {
  readonly title: string;
  readonly at: RegExp;
  readonly text: (matched: string) => string;
  readonly before: RegExp | undefined;
}

/**
 * A change of one line.
 * @param at matches the text from the error on; all of it is replaced
 * @param before matches the text before the error; group 1 is replaced too
 */
function mend(title: string, at: RegExp, text: HabitMend['text'], before?: RegExp): HabitMend {
  return { title, at, text, before };
}

const valued = 'Give the value with :=';
const commented = 'Begin the comment with #';

const comparing = 'compare with `==` and `!=`';
const conjunction = 'expressions on lines of their own, or separated by `;`, must all hold';
export const alternatives = 'write a rule of the same name for each alternative';
const comparedHead = 'a rule gets its value with `:=`; `==` compares';
const noSemicolon = 'a line needs no `;` at its end; between rules there is none';
const lastSemicolon = 'nothing may follow the last `;`: leave it out';
const noComments = 'comments begin with `#`';

/** The first that fits is meant. */
const habits: readonly Habit[] = [
  { before: /(^|[^&])&$/, at: /^&/, hint: conjunction },
  { at: /^&&/, hint: conjunction },
  { before: /(^|[^|])\|$/, at: /^\|/, hint: alternatives },
  { at: /^\|\|/, hint: alternatives },
  { at: /^and\b/, hint: conjunction },
  { at: /^or\b/, hint: alternatives },
  {
    at: /^'/,
    hint: 'strings stand in double quotes or backquotes: "text"',
    mend: mend('Write the text in double quotes', /^'[^'"\\]*'/, (quoted) => `"${quoted.slice(1, -1)}"`),
  },
  { before: /[=!]=$/, at: /^=/, hint: comparing },
  { before: /=\s*$/, at: /^>/, hint: "a rule's body follows `if`, the value of an object's key `:`; at least is `>=`" },
  {
    before: /^\s*(?:default\s+)?[\w.[\]"]+(\([^)]*\))?\s*$/,
    at: /^==/,
    hint: comparedHead,
    mend: mend(valued, /^==/, () => ':=', /^(?:default\s+)?[\w.]+(?:\([^)]*\))?\s*()$/),
  },
  {
    before: /^$/,
    at: /^(?:default\s+)?[\w.[\]"]+(\([^)]*\))?\s*==/,
    hint: comparedHead,
    mend: mend(valued, /^(?:default\s+)?[\w.]+(?:\([^)]*\))?\s*==/, (head) => head.replace(/==$/, ':=')),
  },
  {
    before: /^[\w.[\]"]+(\([^)]*\))?\s*==[^=].*$/,
    at: /^if\b/,
    hint: comparedHead,
    mend: mend(valued, /^(?=if\b)/, (value) => value.replace('==', ':='), /^[\w.[\]"]+(?:\([^)]*\))?\s*(==[^=].*)$/),
  },
  { before: /=\s+$/, at: /^=/, hint: comparing },
  { at: /^(is|equals)\b/, hint: comparing },
  {
    at: /^!(?!=)/,
    hint: 'negate with `not`',
    mend: mend('Negate with not', /^!(?!=)\s*/, () => 'not ', /(?:^\s*|[;{]\s*|\bif\s+)()$/),
  },
  { before: /\bnot\s+$/, at: /^in\b/, hint: 'write `not x in xs`' },
  { before: /\bif\b.*$/, at: /^contains\s/, hint: '`x in xs` asks whether a collection has a member' },
  { before: /[\w\])]\[[^[\]]*$/, at: /^:/, hint: 'a part of an array is `array.slice(xs, start, end)`' },
  { at: /^then\b/, hint: "a rule's body follows `if`, its value stands in the head: `name := value if …`" },
  { before: /^\s*$/, at: /^if\b/, hint: 'the head of a rule comes first: `allow if …`' },
  { at: /^where\b/, hint: conjunction },
  { before: /\bif\b.*$/, at: /^,/, hint: conjunction },
  { before: /\bif\b[^{]*$/, at: /^;\s*\S/, hint: 'a body of several expressions stands in braces: `if { …; … }`' },
  { before: /\bevery\b.*$/, at: /^:/, hint: 'the body stands in braces: `every x in xs { … }`' },
  { before: /[[{(].*$/, at: /^for\b/, hint: 'a comprehension is `[x | some x in xs]`, or `{x | some x in xs}`' },
  { before: /-$/, at: /^>/, hint: 'functions are no values: write a comprehension, `[x.name | some x in xs]`' },
  {
    before: /\b(typeof|instanceof)\s+$/,
    hint: 'the type of a value is `type_name(x)`; `is_string(x)` and its like test it',
  },
  { before: /\bwith\s+[\w.]+\s+$/, hint: 'write `with input as value`' },
  {
    before: /^(package|import)\s+$/,
    at: /^"/,
    hint: 'a path stands without quotes: `package authz`, `import data.lib`',
  },
  { before: /^import\b.*\.$/, at: /^\*/, hint: 'an import names one package or rule: `import data.lib`' },
  {
    before: /^package\s+[\w.]+$/,
    at: /^-/,
    hint: 'names have letters, digits and `_`: `package my_app`, or `package my["app-1"]`',
  },
  { before: /^\s*[\w.]+$/, at: /^-\w/, hint: 'names have letters, digits and `_`, no hyphen' },
  { before: /^\s*(?:default\s+)?\w+\s*$/, at: /^:(?!=)/, hint: 'a rule gets its value with `:=`' },
  { before: /\b[fF]$/, at: /^"/, hint: 'a text with values in it is a template: `$"hi {input.name}"`' },
  { before: /\/$/, at: /^[/*]/, hint: noComments, mend: mend(commented, /^\//, () => '#', /(\/)$/) },
  { at: /^\/[/*]/, hint: noComments, mend: mend(commented, /^\/\//, () => '#') },
  { at: /^\?/, hint: 'there is no `? :`: give a rule several bodies, or an `else`' },
  { before: /(\+|-)$/, at: /^(\+|-)/, hint: 'a variable keeps its value: bind another one, `y := x + 1`' },
  { before: /[+\-*/]$/, at: /^=/, hint: 'a variable keeps its value: bind another one, `y := x + 1`' },
  { at: /^elif\b|^elseif\b/, hint: 'write `else := value if …`' },
  { before: /\belse\s+$/, at: /^if\b.*\{\s*$/, hint: 'write `else := value if { … }`' },
  {
    before: /\b(for|foreach|while)\s*\(?$/,
    hint: 'iterate with `some x in xs`, or test all with `every x in xs { … }`',
  },
  {
    before: /\b(let|var|const|local)\s+$/,
    hint: 'variables are declared by `:=` alone: `x := 1`',
    mend: mend('Leave out the word before the variable', /^(?=\w)/, () => '', /\b((?:let|var|const|local)\s+)$/),
  },
  { at: /^(function|func|fn|def)\s+\w/, hint: 'a function is a rule with arguments: `f(x) := x + 1`' },
  { at: /^\w+\s+(if|contains)\b/, hint: 'Rego v0 has `if` and `contains` after `import rego.v1`' },
  { before: /\b(function|func|fn|def)\s+$/, hint: 'a function is a rule with arguments: `f(x) := x + 1`' },
  { before: /\breturn\s+$/, hint: 'the value of a rule stands in its head: `f(x) := value if { … }`' },
  { before: /^\w.*;\s*$/, at: /^$/, hint: noSemicolon },
  { before: /^$/, at: /^\w.*;\s*$/, hint: noSemicolon },
  {
    before: /^default\s+[\w.]+(?:\([^)]*\))?\s+$/,
    at: /^(?!:?=)/,
    hint: 'a default is written `default allow := false`',
    mend: mend('Write := before the value', /^(?=[\w"[{-])/, () => ':= ', /^default\s+[\w.]+\s+()$/),
  },
  { before: /;\s*$/, at: /^(\}|$)/, hint: lastSemicolon },
  { at: /^;/, hint: noSemicolon, mend: mend('Leave out the semicolon', /^;\s*$/, () => '') },
];

/** Authors do not write longer lines, and patterns take more than linear time. */
const longestLine = 1000;

/** The text of a line before a place; undefined where the line is too long to be looked at. */
export function lineBefore({ source: { text }, start }: Span): string | undefined {
  const lineStart = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
  return start - lineStart > longestLine ? undefined : text.slice(lineStart, start);
}

/** The text of a line from a place on. */
function lineFrom({ source: { text }, start }: Span): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + longestLine));
}

function habitAt(before: string, at: string): Habit | undefined {
  return habits.find((habit) => (habit.before?.test(before) ?? true) && (habit.at?.test(at) ?? true));
}

/** The change that the hint for a parse error means; undefined where it is none. */
export function habitMend(span: Span): Mend | undefined {
  const { source, start } = span;
  const before = lineBefore(span);
  const at = lineFrom(span);
  if (before === undefined) return undefined;
  const last = /;\s*$/.exec(source.text.slice(Math.max(0, start - longestLine), start))?.[0];
  if (at.startsWith('}') && last !== undefined)
    return { title: 'Leave out the semicolon', start: start - last.length, end: start - last.length + 1, text: '' };
  const found = habitAt(before, at)?.mend;
  const left = found?.before === undefined ? '' : found.before.exec(before)?.[1];
  const right = found?.at.exec(at)?.[0];
  if (found === undefined || left === undefined || right === undefined) return undefined;
  return {
    title: found.title,
    start: start - left.length,
    end: start + right.length,
    text: found.text(left + right),
  };
}

/** The hint for a parse error, undefined if no habit explains it. */
export function habitHint(diagnostic: Diagnostic): string | undefined {
  const { name, span } = diagnostic;
  if (span === undefined || (name !== 'unexpectedToken' && name !== 'illegalToken' && name !== 'ruleHead'))
    return undefined;
  const { text } = span.source;
  const before = lineBefore(span);
  const at = lineFrom(span);
  if (before === undefined) return unclosed(text.slice(0, span.start), at);
  if (at.startsWith('}') && /;\s*$/.test(text.slice(Math.max(0, span.start - longestLine), span.start)))
    return lastSemicolon;
  const found = habitAt(before, at);
  if (found === undefined && name === 'ruleHead' && /^[\w.]+\s*$/.test(at))
    return `a rule has a value or a body: \`${at.trim()} := …\`, \`${at.trim()} if …\``;
  if (found === undefined && name === 'ruleHead') {
    const hint = modifiedValue(at) ?? missingIf(diagnostic);
    if (hint !== undefined) return hint;
  }
  return found?.hint ?? unclosed(text.slice(0, span.start), at);
}

/** A value with a modifier, which stands in a body. */
function modifiedValue(at: string): string | undefined {
  const [, name, value, modifier] = /^([A-Za-z_]\w*)\s*:?=\s*(\S.*?)\s+(with\s.*)$/.exec(at.trimEnd()) ?? [];
  if (name === undefined) return undefined;
  const meant = name.startsWith('test_') ? `${name} if ${value}` : `${name} := x if x := ${value}`;
  return `\`with\` stands in a body: \`${meant} ${modifier}\``;
}

/** A head that its body follows without `if`; undefined where the line is none. */
export function missingIf({ span }: Diagnostic): string | undefined {
  if (span === undefined) return undefined;
  const line = span.source.line(span.row);
  if (line.length > longestLine) return undefined;
  const [, head, body] = headAndBody.exec(line.trimEnd()) ?? [];
  if (head === undefined || body === undefined || /\bif\b/.test(withoutTexts(line))) return undefined;
  return `a body follows \`if\`: \`${head} if ${body}\``;
}

/** A name with parameters or a key, perhaps with a value or a member, and the text behind it. */
const headAndBody =
  /^((?!(?:default|else|import|package)\b)[A-Za-z_][\w.]*(?:\([^()]*\)|\[[^[\]]*\])?(?:\s*:?=\s*(?:"[^"]*"|[\w.]+)|\s+contains\s+(?:"[^"]*"|[\w.]+))?)\s+((?!with\b)(?:not\b|some\b|every\b|\{|"|[\w[(]).*)$/;

function withoutTexts(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)*"|`[^`]*`|#.*/g, '""');
}

const closers: Readonly<Record<string, string>> = { '}': '{', ']': '[', ')': '(' };

/**
 * The bracket that nothing closes, where a text ends too early or with the closing bracket of
 * another one.
 */
function unclosed(text: string, at: string): string | undefined {
  if (at.trim() !== '' && !(at.charAt(0) in closers)) return undefined;
  const open: { readonly bracket: string; readonly at: number }[] = [];
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|#.*|[()[\]{}]/g)) {
    if (part.length > 1) continue;
    if (part in closers) {
      if (open.at(-1)?.bracket === closers[part]) open.pop();
    } else if ('([{'.includes(part)) open.push({ bracket: part, at: index });
  }
  const last = open.at(-1);
  if (last && last.bracket === closers[at[0] ?? '']) return undefined;
  return last && `the \`${last.bracket}\` of line ${text.slice(0, last.at).split('\n').length} is not closed`;
}
