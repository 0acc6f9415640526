/** Finds JSON texts that the native reader would not read without loss. */

// A number literal that may differ after conversion to a double. Matches inside strings only cost
// time. One pattern for all of it takes four times as long.
const inexact = '(?:-0(?![.\\d])|-?(?:\\d[\\d.]{15}|\\d+\\.\\d*0(?!\\d)|0\\.0{6}|[\\d.]+[eE]))';
const inexactInside = new RegExp(`[[:,\\s]${inexact}`);
const inexactAlone = new RegExp(`^${inexact}`);
/** An escaped surrogate, which may be unpaired. */
const surrogate = /\\u[dD]/;

/** The patterns alone take less time for shorter texts. */
const shortText = 1024;

/** V8 compiles a pattern when it is first used: a command may read nothing but tiny texts. */
const tinyText = 128;

/** Whether a text may have numbers or strings that lose their form. */
export function mayLoseForm(text: string): boolean {
  if (text.includes('\\u') && surrogate.test(text)) return true;
  if (text.length < tinyText && !hasCandidate(text)) return false;
  return (
    (text.length < shortText || isSuspect(text)) &&
    (inexactInside.test(text) || (mayBeNumber(text) && inexactAlone.test(text)))
  );
}

/** Whether a text has a zero behind a minus, a digit before a point or an `e`, or a long number. */
function hasCandidate(text: string): boolean {
  let digits = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (!isDigit(code)) digits = 0;
    else if (++digits >= long || goesOn(text.charCodeAt(i + 1)) || (code === zero && text.charCodeAt(i - 1) === minus))
      return true;
  }
  return false;
}

/** Whether a character behind a digit begins a fraction or an exponent. */
function goesOn(code: number): boolean {
  return code === point || (code | 32) === letterE;
}

/** Most texts are objects: their first character tells that they are no number. */
function mayBeNumber(text: string): boolean {
  const first = text.charCodeAt(0);
  return first === minus || mayBeOfNumber(text, 0);
}

// The patterns above take time for each number. Those below find candidates, also inside strings:
// V8 skips most characters.
const exponent = /[\d.][eE][-+\d]/;

function isSuspect(text: string): boolean {
  return exponent.test(text) || hasNegativeZero(text) || hasInexactFraction(text) || hasLongNumber(text);
}

const [minus, point, zero, nine] = [45, 46, 48, 57];
const [comma, bracket, brace, letterE] = [44, 93, 125, 101];

function hasNegativeZero(text: string): boolean {
  for (let at = text.indexOf('-0'); at >= 0; at = text.indexOf('-0', at + 2)) {
    const next = text.charCodeAt(at + 2);
    if (at + 2 === text.length || next === comma || next === bracket || next === brace || next <= 32) return true;
  }
  return false;
}

/** A fraction that ends in zero or begins with six zeros. */
function hasInexactFraction(text: string): boolean {
  for (let at = text.indexOf('.'); at >= 0; at = text.indexOf('.', at + 1)) {
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    if (text.charCodeAt(end - 1) === zero || (end > at + 6 && text.startsWith('000000', at + 1))) return true;
  }
  return false;
}

/** The length of numbers that a double may not hold, their point included. */
const long = 16;

/**
 * Every long number has a character at a multiple of its least length, and those a quarter and half
 * of that before it, or behind it. One of them alone is in many shorter numbers.
 */
function hasLongNumber(text: string): boolean {
  for (let i = long - 1; i < text.length; i += long) {
    if (!mayBeOfNumber(text, i)) continue;
    const isLongBefore = mayBeOfNumber(text, i - long / 4) && mayBeOfNumber(text, i - long / 2);
    if (!isLongBefore && !(mayBeOfNumber(text, i + long / 4) && mayBeOfNumber(text, i + long / 2))) continue;
    let start = i;
    let end = i + 1;
    while (isOfNumber(text, start - 1)) start--;
    while (isOfNumber(text, end)) end++;
    if (end - start >= long) return true;
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
