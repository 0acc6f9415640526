/**
 * Reads a time in a layout. It accepts, and complains about, the same texts as Go's `time.Parse`.
 */
import { BuiltinError } from '../../builtin-errors.js';
import { dateOf, daysIn, daysOf, secondsPerDay } from './calendar.js';
import type { LayoutPiece } from './layout.js';
import { readElement } from './parse-elements.js';
import { quotedTimeText } from './quote.js';
import { type Fields, Mismatch, OutOfRange } from './time-fields.js';

/**
 * Seconds since 1970, and nanoseconds. Throws a BuiltinError where the text does not have the
 * layout.
 */
export function parse(
  text: string,
  layout: string,
  pieces: readonly LayoutPiece[],
): { seconds: number; nanos: number } {
  const fields: Fields = {
    year: 0,
    month: undefined,
    day: undefined,
    dayOfYear: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    afternoon: undefined,
    offset: 0,
    utc: false,
  };
  const complaint = (what: string) => new BuiltinError(`parsing time ${quotedTimeText(text)}${what}`);
  const mismatch = (value: string, element: string) =>
    complaint(` as ${quotedTimeText(layout)}: cannot parse ${quotedTimeText(value)} as ${quotedTimeText(element)}`);
  let rest = text;
  for (const [i, piece] of pieces.entries()) {
    const after = readLiteral(rest, piece.literal);
    if (after.failed) throw mismatch(after.rest, piece.literal);
    rest = after.rest;
    if (piece.element === undefined) {
      if (rest !== '') throw complaint(`: extra text: ${quotedTimeText(rest)}`);
      break;
    }
    try {
      rest = readElement(piece.element, piece.text, rest, fields, pieces[i + 1]?.element);
    } catch (error) {
      if (error instanceof Mismatch) throw mismatch(rest, piece.text);
      if (error instanceof OutOfRange) throw complaint(`: ${error.message} out of range`);
      throw error;
    }
  }
  return secondsOf(fields, complaint);
}

/**
 * Reads literal text of a layout and returns the rest. A space in it matches one or more spaces, or
 * the end of the text. If it does not match, `failed` is set and `rest` begins with the first
 * different character.
 */
function readLiteral(text: string, literal: string): { rest: string; failed: boolean } {
  let at = 0;
  for (const [run] of literal.matchAll(/ +|[^ ]+/g)) {
    const isSpace = run.startsWith(' ');
    const start = at;
    if (isSpace) while (text[at] === ' ') at++;
    else while (at - start < run.length && text[at] === run[at - start]) at++;
    const fits = isSpace ? at > start || at === text.length : at - start === run.length;
    if (!fits) return { rest: text.slice(at), failed: true };
  }
  return { rest: text.slice(at), failed: false };
}

function secondsOf(fields: Fields, complaint: (what: string) => BuiltinError): { seconds: number; nanos: number } {
  const { month, day } = dayOf(fields, complaint);
  if (day < 1 || day > daysIn(fields.year, month)) throw complaint(': day out of range');
  let hour = fields.hour;
  if (fields.afternoon === true && hour < 12) hour += 12;
  else if (fields.afternoon === false && hour === 12) hour = 0;
  const days = daysOf({ year: fields.year, month, day });
  const local = days * secondsPerDay + hour * 3600 + fields.minute * 60 + fields.second;
  return { seconds: fields.utc ? local : local - fields.offset, nanos: fields.nanos };
}

function dayOf(fields: Fields, complaint: (what: string) => BuiltinError): { month: number; day: number } {
  const { year, dayOfYear } = fields;
  if (dayOfYear === undefined) return { month: fields.month ?? 1, day: fields.day ?? 1 };
  const length = daysOf({ year: year + 1, month: 1, day: 1 }) - daysOf({ year, month: 1, day: 1 });
  if (dayOfYear < 1 || dayOfYear > length) throw complaint(': day-of-year out of range');
  const { month, day } = dateOf(daysOf({ year, month: 1, day: dayOfYear }));
  if (fields.month !== undefined && fields.month !== month) throw complaint(': day-of-year does not match month');
  if (fields.day !== undefined && fields.day !== day) throw complaint(': day-of-year does not match day');
  return { month, day };
}
