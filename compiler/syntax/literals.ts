/** Where literals of a text end, and their values. */

import { classes, digitClass, letterClass } from './characters.js';

/** The end of a literal; with a fault, the end of its illegal part. */
interface Ending {
  readonly end: number;
  readonly fault?: string;
}

/** The end of the number that starts at `start`. */
export function numberEnd(text: string, start: number): Ending {
  let end = digitsEnd(text, start);
  let fault: string | undefined;
  if (text.charCodeAt(end) === 46) {
    const fraction = digitsEnd(text, end + 1);
    if (fraction === end + 1) fault = 'expected fraction';
    end = fraction;
  }
  if ((text.charCodeAt(end) | 32) === 101) {
    const sign = text.charCodeAt(end + 1);
    const from = end + (sign === 43 || sign === 45 ? 2 : 1);
    const exponent = digitsEnd(text, from);
    if (exponent === from) fault ??= 'expected exponent';
    end = exponent;
  }
  if (classes[text.charCodeAt(end)] === letterClass) fault ??= 'illegal number format';
  return fault === undefined ? { end } : { end, fault };
}

function digitsEnd(text: string, from: number): number {
  while (classes[text.charCodeAt(from)] === digitClass) from++;
  return from;
}

/**
 * The end of the string that starts at `start`: after its quote, or after a template's `{`.
 * @param last the last offset where it may end
 */
export function stringEnd(text: string, start: number, template: boolean, last: number): Ending {
  for (let i = start + 1; ; i++) {
    if (i > last) return { end: start + 1, fault: tooLong };
    const unit = text.charCodeAt(i);
    if (unit === 34 || (template && unit === 123)) return { end: i + 1 };
    if (unit === 10 || i >= text.length) return { end: Math.min(i, text.length), fault: 'non-terminated string' };
    if (unit === 0) return { end: i, fault: 'illegal null character' };
    if (unit !== 92) continue;
    i++;
    const escaped = text[i];
    if (escaped === undefined || !('\\"/bfnrtu'.includes(escaped) || (template && escaped === '{')))
      return { end: i, fault: 'illegal escape sequence' };
    // `u` and three more characters belong to the escape, whatever they are.
    if (escaped === 'u') i = Math.min(i + 3, text.length - 1);
  }
}

/** A string that no statement has room for. */
export const tooLong = 'string is too long';

/** As `stringEnd`, of a template in backquotes. */
export function rawTemplateEnd(text: string, start: number, last: number): Ending {
  for (let i = start + 1; i < text.length; i++) {
    if (i > last) return { end: start + 1, fault: tooLong };
    const unit = text.charCodeAt(i);
    if (unit === 96 || unit === 123) return { end: i + 1 };
    if (unit === 92 && text.charCodeAt(i + 1) === 123) i++;
  }
  return { end: text.length, fault: 'non-terminated string' };
}

/** The value of a quoted string, undefined if it has escapes other than JSON's. */
export function stringValue(literal: string): string | undefined {
  return literal.includes('\\') ? unescaped(literal) : literal.slice(1, -1);
}

/** The value of a template's text between two expressions. */
export function templateValue(body: string, raw: boolean): string | undefined {
  if (raw) return body.replaceAll('\\{', '{');
  return body.includes('\\')
    ? unescaped(`"${body.replace(/\\([\s\S])/g, (pair, unit) => (unit === '{' ? '{' : pair))}"`)
    : body;
}

/** Half a surrogate pair becomes U+FFFD. */
function unescaped(literal: string): string | undefined {
  try {
    return (JSON.parse(literal) as string).toWellFormed();
  } catch {
    return undefined;
  }
}
