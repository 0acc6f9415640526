/** Changes that mend errors, where a hint leaves one thing to write. */

import type { Diagnostic, Hint } from '../diagnostics/diagnostics.js';
import { markedSpan } from '../diagnostics/excerpt.js';
import { habitMend, type Mend } from './habits.js';

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
  return diagnostic.code === 'rego_parse_error' ? habitMend(diagnostic.span!) : undefined;
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

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}
