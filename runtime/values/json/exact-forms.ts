/** Finds JSON texts that the native reader would not read without loss. */

// A number literal that may differ after conversion to a double. Matches inside strings only cost
// time. One pattern for all of it takes four times as long.
const inexact = '(?:-0(?![.\\d])|-?(?:\\d[\\d.]{15}|\\d+\\.\\d*0(?!\\d)|0\\.0{6}|[\\d.]+[eE]))';
const inexactInside = new RegExp(`[[:,\\s]${inexact}`);
const inexactAlone = new RegExp(`^${inexact}`);
/** An escaped surrogate, which may be unpaired. */
const surrogate = /\\u[dD]/;

/** Whether a text may have numbers or strings that lose their form. */
export function mayLoseForm(text: string): boolean {
  if (text.includes('\\u') && surrogate.test(text)) return true;
  return isSuspect(text) && (inexactInside.test(text) || inexactAlone.test(text));
}

// The patterns above take time for each number. Those below find candidates, also inside strings:
// V8 skips most characters.
const exponent = /[\d.][eE][-+\d]/;
const negativeZero = /-0(?:[\],}\s]|$)/;

function isSuspect(text: string): boolean {
  return exponent.test(text) || negativeZero.test(text) || hasInexactFraction(text) || hasLongNumber(text);
}

const zero = 48;

/** A fraction that ends in zero or begins with six zeros. */
function hasInexactFraction(text: string): boolean {
  for (let point = text.indexOf('.'); point >= 0; point = text.indexOf('.', point + 1)) {
    let end = point + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end - 1) === zero || (end > point + 6 && text.startsWith('000000', point + 1))) return true;
  }
  return false;
}

/** The length of numbers that a double may not hold, their point included. */
const long = 16;

/** Every long number has a character at a multiple of its least length. */
function hasLongNumber(text: string): boolean {
  for (let i = long - 1; i < text.length; i += long) {
    if (!isOfNumber(text, i) || !(isOfNumber(text, i - long / 2) || isOfNumber(text, i + long / 2))) continue;
    let start = i;
    let end = i + 1;
    while (isOfNumber(text, start - 1)) start--;
    while (isOfNumber(text, end)) end++;
    if (end - start >= long) return true;
  }
  return false;
}

function isOfNumber(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isDigit(code) || code === 46;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= 57;
}
