/** Places and breakpoints as they are written in a line of the debugger. */

import { type BreakpointPlace, type BreakpointRequest, DebugError } from '../../views/index.js';

/**
 * Reads a place: `authz.rego:19`, `19` in the current file, a rule, the address of a statement, or
 * `value data.authz.roles`.
 * @param file the file of the current frame
 */
export function parseBreakpointPlace(text: string, file: string | undefined): BreakpointPlace {
  const given = text.trim();
  if (given === '')
    throw new DebugError(
      'invalid_breakpoint',
      'a place is FILE:LINE, LINE, a rule, the address of a statement, or value PATH',
    );
  const [, watched] = /^value\s+(\S.*)$/.exec(given) ?? [];
  if (watched !== undefined) return { kind: 'data', path: watched };
  if (/^\d+$/.test(given)) {
    if (file === undefined) throw new DebugError('invalid_breakpoint', `there is no current file: write FILE:${given}`);
    return { kind: 'line', file, row: Number(given) };
  }
  const [, name, row, col] = /^(.+?):(\d+)(?::(\d+))?$/.exec(given) ?? [];
  if (name !== undefined)
    return { kind: 'line', file: name, row: Number(row), ...(col !== undefined && { col: Number(col) }) };
  return /\/\d+(?:\.\d+)+$/.test(given) ? { kind: 'statement', address: given } : { kind: 'rule', name: given };
}

/** Reads `PLACE [if EXPRESSION] [hit COUNT] [log TEXT]`; more may follow a text in quotes. */
export function parseBreakpoint(text: string, file: string | undefined): BreakpointRequest {
  const parts = splitAt(text, ['if', 'hit', 'log']);
  const condition = parts.get('if');
  const hit = parts.get('hit');
  const log = parts.get('log');
  return {
    place: parseBreakpointPlace(parts.get('') ?? '', file),
    ...(condition !== undefined && { condition }),
    ...(hit !== undefined && { hit }),
    ...(log !== undefined && { log: isQuoted.test(log) ? (JSON.parse(log) as string) : log }),
  };
}

const quoted = String.raw`"(?:[^"\\\p{Cc}]|\\["\\/bfnrt])*"`;
const isQuoted = new RegExp(`^${quoted}$`, 'u');
const quotedLog = new RegExp(`^ +${quoted}(?: +(?:if|hit) .*)?$`, 'u');

/**
 * The parts of a text that begin with words outside of strings and brackets; `log` takes the rest,
 * unless its text is in quotes.
 */
function splitAt(text: string, words: readonly string[]): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  let word = '';
  let start = 0;
  let depth = 0;
  let quote = '';
  const end = (at: number) => parts.set(word, text.slice(start, at).trim());
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (quote !== '') {
      if (c === '\\' && quote === '"') i++;
      else if (c === quote) quote = '';
      continue;
    }
    if (c === '"' || c === '`') quote = c;
    else if ('([{'.includes(c)) depth++;
    else if (')]}'.includes(c)) depth--;
    if (depth > 0 || (i > 0 && text[i - 1] !== ' ')) continue;
    const found = words.find((one) => text.startsWith(`${one} `, i) && !parts.has(one) && word !== one);
    if (found === undefined || i === 0) continue;
    end(i);
    [word, start] = [found, i + found.length];
    if (found === 'log' && !quotedLog.test(text.slice(start))) break;
  }
  end(text.length);
  return parts;
}
