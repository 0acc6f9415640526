/** Finds JSON texts that the native reader would not read without loss. */

const [quote, comma, minus, point, zero, nine] = [34, 44, 45, 46, 48, 57];
const [colon, bracket, backslash, closingBracket, letterE, closingBrace] = [58, 91, 92, 93, 101, 125];

/** Whether a text has numbers or strings that lose their form. */
export function mayLoseForm(text: string): boolean {
  return hasUnpairedEscape(text) || ((!hasManyStrings(text) || hasCandidate(text)) && hasInexactNumber(text));
}

/** Candidates in shorter texts are not searched first: the exact scan takes less time. */
const shortText = 1024;

/** The characters that are looked at, and the quotes among them that mean many short strings. */
const [samples, manyQuotes] = [128, 12];

/**
 * Whether a text has short strings for the most part, as objects with many keys have. The exact
 * scan reads these by character. It passes over long ones, where a search meets many numbers.
 */
function hasManyStrings(text: string): boolean {
  if (text.length < shortText) return false;
  const step = Math.floor(text.length / samples);
  let quotes = 0;
  for (let i = 0; i < text.length; i += step) if (text.charCodeAt(i) === quote) quotes++;
  return quotes >= manyQuotes;
}

/** The pattern of an escaped high surrogate; of each surrogate, and of a low one. */
const [high, surrogate, low] = [/^\\u[dD][89abAB]/, /^\\u[dD][89a-fA-F]/, /^\\u[dD][c-fC-F]/];

/** The length of an escape such as `\ud83d`. */
const escapeLength = 6;

/** How an escaped surrogate begins. */
const beginsSurrogate = /\\u[dD]/;

/** Whether a text has an escaped surrogate without its other half. Emoji are escaped as pairs. */
export function hasUnpairedEscape(text: string): boolean {
  // Texts with other escapes alone are searched by a pattern, which does not stop at each of them.
  if (!text.includes('\\') || !beginsSurrogate.test(text)) return false;
  for (let at = text.indexOf('\\u'); at >= 0; at = text.indexOf('\\u', at + 2)) {
    if (isEscaped(text, at, 0) || !surrogate.test(text.slice(at, at + escapeLength))) continue;
    const next = at + escapeLength;
    if (!high.test(text.slice(at, next)) || !low.test(text.slice(next, next + escapeLength))) return true;
    at = next;
  }
  return false;
}

// The candidates: texts that look like an inexact number, also inside strings. V8 skips most
// characters of a search for one character or for digits.

const exponent = /\d[eE][-+\d]/;

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
      i = endOfExact(text, i);
      if (i < 0) return true;
    } else i++;
  }
  return false;
}

/** The characters of a string that are read one by one, before a search for its end. */
const shortString = 6;

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

/** Whether an odd number of backslashes stands before a place, those before `start` left out. */
function isEscaped(text: string, at: number, start: number): boolean {
  let first = at;
  while (first > start && text.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}

/**
 * The place behind a number. Less than zero if it is long, has an exponent, a last zero or many
 * first zeros, or is `-0`.
 */
function endOfExact(text: string, start: number): number {
  let fraction = -1;
  let end = start + 1;
  let code = text.charCodeAt(end);
  for (; isDigit(code) || code === point; code = text.charCodeAt(++end)) if (code === point) fraction = end;
  if (isOfExponent(code) || end - start >= longNumber) return -1;
  const isLastZero = end > start + 1 && text.charCodeAt(end - 1) === zero;
  if (fraction >= 0) return isLastZero || text.startsWith('000000', fraction + 1) ? -1 : end;
  return isLastZero && end - start === 2 && text.charCodeAt(start) === minus ? -1 : end;
}
