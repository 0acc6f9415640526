/**
 * The order in which a mapping's keys are written: keys with numbers count up, `a2` before `a10`.
 */

/**
 * Two keys are told apart at the first character in which they differ. Letters come after all other
 * characters, but before them behind a digit. Of two others, the number that a key has in that
 * place decides: its value, then how many digits it is written with.
 */
export function compareKeys(a: string, b: string): number {
  const at = firstDifference(a, b);
  const x = a.codePointAt(at);
  const y = b.codePointAt(at);
  if (x === undefined || y === undefined) return a.length - b.length;
  const letters = isLetter(x) - isLetter(y);
  if (letters !== 0) return at > 0 && isAnyDigit(a, at) ? -letters : letters;
  if (isLetter(x) === 1) return x - y;
  const digits = endOfDigits(a, at) - endOfDigits(b, at);
  return compareNumbers(a, b, at) || digits || x - y;
}

/** Where the first characters stand that differ: never in the middle of a pair of surrogates. */
function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  const inPair = at > 0 && (a.codePointAt(at - 1)! > 0xffff || b.codePointAt(at - 1)! > 0xffff);
  return inPair ? at - 1 : at;
}

function isLetter(code: number): 0 | 1 {
  return /\p{L}/u.test(String.fromCodePoint(code)) ? 1 : 0;
}

/** Whether a digit, of any script, stands before a place. */
function isAnyDigit(text: string, at: number): boolean {
  return /\p{Nd}$/u.test(text.slice(Math.max(0, at - 2), at));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function endOfDigits(text: string, from: number): number {
  let end = from;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

/**
 * Compares two numbers by their digits from `at` on. The digits before are the same in both keys.
 */
function compareNumbers(a: string, b: string, at: number): number {
  const begun = hasBegun(a, at);
  const x = digitsOf(a, at, begun);
  const y = digitsOf(b, at, begun);
  if (x.length !== y.length) return x.length - y.length;
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Zeros count only in a number that has begun: others do not change its value. */
function digitsOf(text: string, at: number, begun: boolean): string {
  const digits = text.slice(at, endOfDigits(text, at));
  return begun ? digits : digits.replace(/^0+/, '');
}

/** A place just after digits, of any script, that are more than zeros. */
const insideNumber = /(?<=(?!0)\p{Nd}\p{Nd}*)/uy;

function hasBegun(text: string, at: number): boolean {
  insideNumber.lastIndex = at;
  return insideNumber.test(text);
}
