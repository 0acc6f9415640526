/** Finds JSON texts that the native reader would not read without loss. */

const [quote, plus, comma, minus, point, zero, nine] = [34, 43, 44, 45, 46, 48, 57];
const [colon, bracket, backslash, closingBracket, letterE, closingBrace] = [58, 91, 92, 93, 101, 125];

/** Candidates in shorter texts are not searched first: the exact scan takes less time. */
const shortText = 1024;

/** Whether a text has numbers or strings that lose their form. */
export function mayLoseForm(text: string): boolean {
  return hasUnpairedEscape(text) || ((text.length < shortText || hasCandidate(text)) && hasInexactNumber(text));
}

/** The pattern of an escaped high surrogate; of each surrogate, and of a low one. */
const [high, surrogate, low] = [/^\\u[dD][89abAB]/, /^\\u[dD][89a-fA-F]/, /^\\u[dD][c-fC-F]/];

/** The length of an escape such as `\ud83d`. */
const escapeLength = 6;

/** Whether a text has an escaped surrogate without its other half. Emoji are escaped as pairs. */
export function hasUnpairedEscape(text: string): boolean {
  for (let at = text.indexOf('\\u'); at >= 0; at = text.indexOf('\\u', at + 2)) {
    if (!surrogate.test(text.slice(at, at + escapeLength))) continue;
    const next = at + escapeLength;
    if (!high.test(text.slice(at, next)) || !low.test(text.slice(next, next + escapeLength))) return true;
    at = next;
  }
  return false;
}

// The candidates: texts that look like an inexact number, also inside strings. V8 skips most
// characters of a search for one character or for digits.

/** A digit before an exponent. With the exponent behind a lookahead V8 searches for digits only. */
const exponent = /\d(?=[eE][-+\d])/;

function hasCandidate(text: string): boolean {
  return hasNegativeZero(text) || hasInexactFraction(text) || hasLongNumber(text) || exponent.test(text);
}

function hasNegativeZero(text: string): boolean {
  for (let at = text.indexOf('-0'); at >= 0; at = text.indexOf('-0', at + 2))
    if (endsValue(text, at + 2) && beginsValue(text, at - 1)) return true;
  return false;
}

/** A fraction that ends in zero or begins with six zeros. */
function hasInexactFraction(text: string): boolean {
  for (let at = text.indexOf('.'); at >= 0; at = text.indexOf('.', at + 1)) {
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    const isInexact = text.charCodeAt(end - 1) === zero || (end > at + 6 && text.startsWith('000000', at + 1));
    if (isInexact && endsValue(text, end) && beginsValue(text, beforeNumber(text, at))) return true;
  }
  return false;
}

/** The place before a number's sign and digits. */
function beforeNumber(text: string, at: number): number {
  let before = at - 1;
  while (isDigit(text.charCodeAt(before))) before--;
  return text.charCodeAt(before) === minus ? before - 1 : before;
}

/** Whether a value may begin behind this place: prose such as `release 1.0` has a word there. */
function beginsValue(text: string, at: number): boolean {
  let before = at;
  while (text.charCodeAt(before) <= 32) before--;
  const code = text.charCodeAt(before);
  return before < 0 || code === colon || code === comma || code === bracket;
}

/** Whether a value may end before this place. */
function endsValue(text: string, at: number): boolean {
  let end = at;
  while (text.charCodeAt(end) <= 32) end++;
  const code = text.charCodeAt(end);
  return end >= text.length || code === comma || code === closingBracket || code === closingBrace || isOfExponent(code);
}

function isOfExponent(code: number): boolean {
  return (code | 32) === letterE;
}

/** The length of numbers that a double may not hold, their point included. */
export const longNumber = 16;

/**
 * Every long number has a character at a multiple of its least length, and those a quarter and half
 * of that before it, or behind it. One of them alone is in many shorter numbers.
 */
function hasLongNumber(text: string): boolean {
  for (let i = longNumber - 1; i < text.length; i += longNumber) {
    if (!mayBeOfNumber(text, i)) continue;
    const isLongBefore = mayBeOfNumber(text, i - longNumber / 4) && mayBeOfNumber(text, i - longNumber / 2);
    if (!isLongBefore && !(mayBeOfNumber(text, i + longNumber / 4) && mayBeOfNumber(text, i + longNumber / 2)))
      continue;
    let start = i;
    let end = i + 1;
    while (isOfNumber(text, start - 1)) start--;
    while (isOfNumber(text, end)) end++;
    if (end - start >= longNumber) return true;
  }
  return false;
}

/** Whether a character is a digit, a point or a slash. */
function mayBeOfNumber(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= nine && code >= point;
}

function isOfNumber(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isDigit(code) || code === point;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= nine;
}

/** Whether a number outside of strings may differ after conversion to a double. */
function hasInexactNumber(text: string): boolean {
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i);
    if (code === quote) i = stringEnd(text, i + 1);
    else if (code === minus || isDigit(code)) {
      const end = numberEnd(text, i + 1);
      if (end > i + 1 && isInexact(text, i, end)) return true;
      i = end;
    } else i++;
  }
  return false;
}

/** The characters of a string that are read one by one, before a search for its end. */
const shortString = 12;

/** The place behind a string's closing quote, or the text's end. */
function stringEnd(text: string, start: number): number {
  for (let i = start; i < start + shortString; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i + 1;
    if (code === backslash) break;
  }
  for (let at = text.indexOf('"', start); at >= 0; at = text.indexOf('"', at + 1))
    if (!isEscaped(text, at, start)) return at + 1;
  return text.length;
}

/** Whether an odd number of backslashes of the string stands before a place. */
function isEscaped(text: string, at: number, start: number): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}

function numberEnd(text: string, at: number): number {
  let end = at;
  for (;;) {
    const code = text.charCodeAt(end);
    if (!isDigit(code) && code !== point && code !== minus && code !== plus && !isOfExponent(code)) return end;
    end++;
  }
}

/** Whether a number is long, has an exponent, a last zero or many first zeros, or is `-0`. */
function isInexact(text: string, start: number, end: number): boolean {
  if (end - start >= longNumber) return true;
  let hasPoint = false;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isOfExponent(code)) return true;
    hasPoint ||= code === point;
  }
  if (!hasPoint) return end - start === 2 && text.charCodeAt(start) === minus && text.charCodeAt(start + 1) === zero;
  return text.charCodeAt(end - 1) === zero || text.slice(start, end).includes('.000000');
}
