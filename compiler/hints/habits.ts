/** Hints for the syntax of other languages. */

import type { Diagnostic } from '../diagnostics/diagnostics.js';

interface Habit {
  /** Matches the text before the error that belongs to it. */
  readonly before?: RegExp;
  /** Matches the text from the error on. */
  readonly at?: RegExp;
  readonly hint: string;
}

const comparing = 'compare with `==` and `!=`';
const conjunction = 'expressions on lines of their own, or separated by `;`, must all hold';
export const alternatives = 'write a rule of the same name for each alternative';
const comparedHead = 'a rule gets its value with `:=`; `==` compares';
const noSemicolon = 'a line needs no `;` at its end; between rules there is none';
const noComments = 'comments begin with `#`';

/** The first that fits is meant. */
const habits: readonly Habit[] = [
  { before: /(^|[^&])&$/, at: /^&/, hint: conjunction },
  { at: /^&&/, hint: conjunction },
  { before: /(^|[^|])\|$/, at: /^\|/, hint: alternatives },
  { at: /^\|\|/, hint: alternatives },
  { at: /^and\b/, hint: conjunction },
  { at: /^or\b/, hint: alternatives },
  { at: /^'/, hint: 'strings stand in double quotes or backquotes: "text"' },
  { before: /[=!]=$/, at: /^=/, hint: comparing },
  { before: /=\s*$/, at: /^>/, hint: "a rule's body follows `if`, the value of an object's key `:`; at least is `>=`" },
  { before: /^\s*(?:default\s+)?[\w.[\]"]+(\([^)]*\))?\s*$/, at: /^==/, hint: comparedHead },
  { before: /^$/, at: /^(?:default\s+)?[\w.[\]"]+(\([^)]*\))?\s*==/, hint: comparedHead },
  { before: /^[\w.[\]"]+(\([^)]*\))?\s*==[^=].*$/, at: /^if\b/, hint: comparedHead },
  { at: /^!(?!=)/, hint: 'negate with `not`' },
  { before: /\/$/, at: /^[/*]/, hint: noComments },
  { at: /^\/[/*]/, hint: noComments },
  { at: /^\?/, hint: 'there is no `? :`: give a rule several bodies, or an `else`' },
  { before: /(\+|-)$/, at: /^(\+|-)/, hint: 'a variable keeps its value: bind another one, `y := x + 1`' },
  { before: /[+\-*/]$/, at: /^=/, hint: 'a variable keeps its value: bind another one, `y := x + 1`' },
  { at: /^elif\b|^elseif\b/, hint: 'write `else := value if …`' },
  { before: /\belse\s+$/, at: /^if\b.*\{\s*$/, hint: 'write `else := value if { … }`' },
  { before: /\b(for|foreach|while)\s*\(?$/, hint: 'iterate with `some x in xs`, or test all with `every x in xs { … }`' },
  { before: /\b(let|var|const|local)\s+$/, hint: 'variables are declared by `:=` alone: `x := 1`' },
  { at: /^(function|func|fn|def)\s+\w/, hint: 'a function is a rule with arguments: `f(x) := x + 1`' },
  { at: /^\w+\s+(if|contains)\b/, hint: 'Rego v0 has `if` and `contains` after `import rego.v1`' },
  { before: /\b(function|func|fn|def)\s+$/, hint: 'a function is a rule with arguments: `f(x) := x + 1`' },
  { before: /\breturn\s+$/, hint: 'the value of a rule stands in its head: `f(x) := value if { … }`' },
  { before: /^\w.*;\s*$/, at: /^$/, hint: noSemicolon },
  { before: /^$/, at: /^\w.*;\s*$/, hint: noSemicolon },
  { before: /;\s*$/, at: /^(\}|$)/, hint: 'nothing may follow the last `;`: leave it out' },
  { at: /^;/, hint: noSemicolon },
];

/** The hint for a parse error, undefined if no habit explains it. */
export function habitHint({ name, span }: Diagnostic): string | undefined {
  if (span === undefined || (name !== 'unexpectedToken' && name !== 'illegalToken' && name !== 'ruleHead')) return undefined;
  const { text } = span.source;
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1;
  const lineEnd = text.indexOf('\n', span.start);
  const before = text.slice(lineStart, span.start);
  const at = text.slice(span.start, lineEnd < 0 ? text.length : lineEnd);
  const found = habits.find((habit) => (habit.before?.test(before) ?? true) && (habit.at?.test(at) ?? true));
  if (found === undefined && name === 'ruleHead' && /^[\w.]+\s*$/.test(at))
    return `a rule has a value or a body: \`${at.trim()} := …\`, \`${at.trim()} if …\``;
  return found?.hint ?? unclosed(text.slice(0, span.start), at);
}

const closers: Readonly<Record<string, string>> = { '}': '{', ']': '[', ')': '(' };

/**
 * The bracket that nothing closes, where a text ends too early or with the closing bracket of
 * another one.
 */
function unclosed(text: string, at: string): string | undefined {
  if (at.trim() !== '' && !(at[0]! in closers)) return undefined;
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
