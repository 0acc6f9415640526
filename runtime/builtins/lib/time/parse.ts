/**
 * Reads a time in a layout. It accepts, and complains about, the same texts as Go's `time.Parse`.
 */
import { BuiltinError } from '../../errors.js';
import { dateOf, dayNames, daysIn, daysOf, monthNames, secondsPerDay } from './calendar.js';
import type { Element, Piece, ZoneElement } from './layout.js';
import { quote } from './quote.js';

/** The fields of a time that were read so far, undefined until an element sets them. */
interface Fields {
  year: number;
  month: number | undefined;
  day: number | undefined;
  dayOfYear: number | undefined;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  afternoon: boolean | undefined;
  /**
   * Seconds ahead of UTC. An abbreviation other than `UTC` has no known offset: the time counts as
   * UTC.
   */
  offset: number;
  /** Whether the text names UTC, by `Z` or `UTC`: no offset counts then. */
  utc: boolean;
}

/** A value that does not fit its element. */
class Mismatch extends Error {}

/** A number that is out of its range; its complaint leaves out the remaining text. */
class OutOfRange extends Error {}

/**
 * Seconds since 1970, and nanoseconds. Throws a BuiltinError where the text does not have the
 * layout.
 */
export function parse(text: string, layout: string, pieces: readonly Piece[]): { seconds: number; nanos: number } {
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
  const complaint = (what: string) => new BuiltinError(`parsing time ${quote(text)}${what}`);
  const mismatch = (value: string, element: string) => complaint(` as ${quote(layout)}: cannot parse ${quote(value)} as ${quote(element)}`);
  let rest = text;
  for (const [i, piece] of pieces.entries()) {
    const after = readLiteral(rest, piece.literal);
    if (after.failed) throw mismatch(after.rest, piece.literal);
    rest = after.rest;
    if (piece.element === undefined) {
      if (rest !== '') throw complaint(`: extra text: ${quote(rest)}`);
      break;
    }
    try {
      rest = readElement(piece.element, piece.text, rest, fields, pieces[i + 1]!.element);
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

/** Reads an element from the start of a text and answers the rest. */
function readElement(element: Element, written: string, value: string, fields: Fields, next: Element | undefined): string {
  switch (element) {
    case '2006': {
      const digits = take(value, /^\d{4}/);
      fields.year = Number(digits);
      return value.slice(4);
    }
    case '06': {
      // A sign counts as a digit: `-1` is 1999.
      const year = Number(take(value, /^(?:\d\d|[+-]\d)/));
      fields.year = year >= 69 ? 1900 + year : 2000 + year;
      return value.slice(2);
    }
    case 'January':
    case 'Jan': {
      const index = nameAt(value, monthNames, element === 'Jan');
      fields.month = index + 1;
      return value.slice(element === 'Jan' ? 3 : monthNames[index]!.length);
    }
    case 'Monday':
    case 'Mon': {
      const index = nameAt(value, dayNames, element === 'Mon');
      return value.slice(element === 'Mon' ? 3 : dayNames[index]!.length);
    }
    case '1':
    case '01':
      return number(value, element === '01', (n) => {
        if (n < 1 || n > 12) throw new OutOfRange('month');
        fields.month = n;
      });
    case '2':
    case '_2':
    case '02':
      return number(element === '_2' ? value.replace(/^ /, '') : value, element === '02', (n) => {
        fields.day = n;
      });
    case '__2':
    case '002': {
      const digits = take(element === '__2' ? value.replace(/^ {1,2}/, '') : value, element === '002' ? /^\d{3}/ : /^\d{1,3}/);
      fields.dayOfYear = Number(digits);
      return (element === '__2' ? value.replace(/^ {1,2}/, '') : value).slice(digits.length);
    }
    case 'PM':
    case 'pm': {
      const half = value.slice(0, 2);
      if (half !== element && half !== (element === 'PM' ? 'AM' : 'am')) throw new Mismatch();
      fields.afternoon = half === element;
      return value.slice(2);
    }
    case 'MST':
      fields.utc ||= value.startsWith('UTC');
      return zoneName(value);
    case '.0':
      return nanoseconds(value, written.length, fields);
    case '.9':
      // It may be missing, and may have any number of digits.
      return /^[.,]\d/.test(value) ? nanoseconds(value, /^[.,]\d+/.exec(value)![0].length, fields) : value;
    default:
      return readClock(element, value, fields, next) ?? readOffset(element as ZoneElement, value, fields);
  }
}

function readClock(element: Element, value: string, fields: Fields, next: Element | undefined): string | undefined {
  switch (element) {
    case '15':
      return number(value, false, (n) => {
        if (n > 23) throw new OutOfRange('hour');
        fields.hour = n;
      });
    case '3':
    case '03':
      return number(value, element === '03', (n) => {
        if (n > 12) throw new OutOfRange('hour');
        fields.hour = n;
      });
    case '4':
    case '04':
      return number(value, element === '04', (n) => {
        if (n > 59) throw new OutOfRange('minute');
        fields.minute = n;
      });
    case '5':
    case '05': {
      const rest = number(value, element === '05', (n) => {
        if (n > 59) throw new OutOfRange('second');
        fields.second = n;
      });
      // A fraction is accepted even if the layout has none.
      const fraction = /^[.,]\d+/.exec(rest);
      return fraction === null || next === '.0' || next === '.9' ? rest : nanoseconds(rest, fraction[0].length, fields);
    }
    default:
      return undefined;
  }
}

function take(value: string, pattern: RegExp): string {
  const found = pattern.exec(value);
  if (found === null) throw new Mismatch();
  return found[0];
}

/** Reads one or two digits, or exactly two. */
function number(value: string, fixed: boolean, keep: (n: number) => void): string {
  const digits = take(value, fixed ? /^\d{2}/ : /^\d{1,2}/);
  keep(Number(digits));
  return value.slice(digits.length);
}

function nameAt(value: string, names: readonly string[], short: boolean): number {
  const lower = value.slice(0, 9).toLowerCase();
  const index = names.findIndex((name) => lower.startsWith((short ? name.slice(0, 3) : name).toLowerCase()));
  if (index < 0) throw new Mismatch();
  return index;
}

/**
 * Reads a fraction of `length` characters with its point; digits after the ninth do not count, and
 * a sign takes the place of one.
 */
function nanoseconds(value: string, length: number, fields: Fields): string {
  if (value.length < length || !/^[.,][+-]?\d+$/.test(value.slice(0, Math.min(length, 10)))) throw new Mismatch();
  const digits = value.slice(1, Math.min(length, 10));
  const nanos = Number(digits) * 10 ** (9 - digits.length);
  if (nanos < 0) throw new OutOfRange('fractional second');
  fields.nanos = nanos;
  return value.slice(length);
}

function readOffset(element: ZoneElement, value: string, fields: Fields): string {
  if (element.startsWith('Z') && value.startsWith('Z')) {
    fields.utc = true;
    return value.slice(1);
  }
  const found = offsetSyntax[element.slice(1)]!.exec(value);
  if (found === null) throw new Mismatch();
  const [text, sign, ...parts] = found;
  const numbers = parts.map((part) => (/^\d\d$/.test(part) ? Number(part) : undefined));
  // Parts after an invalid number are ignored. Offsets of 24 hours, or 60 minutes or seconds, are
  // accepted.
  const bad = numbers.indexOf(undefined);
  const [hours = 0, minutes = 0, seconds = 0] = bad < 0 ? numbers : numbers.slice(0, bad);
  if (seconds > 60) throw new OutOfRange('time zone offset second');
  if (minutes > 60) throw new OutOfRange('time zone offset minute');
  if (hours > 24) throw new OutOfRange('time zone offset hour');
  if (bad >= 0 || (sign !== '+' && sign !== '-')) throw new Mismatch();
  const offset = (hours * 60 + minutes) * 60 + seconds;
  fields.offset = sign === '-' ? -offset : offset;
  return value.slice(text.length);
}

const offsetSyntax: { readonly [element: string]: RegExp } = {
  '07': /^(.)(..)/su,
  '0700': /^(.)(..)(..)/su,
  '07:00': /^(.)(..):(..)/su,
  '070000': /^(.)(..)(..)(..)/su,
  '07:00:00': /^(.)(..):(..):(..)/su,
};

/**
 * Skips an abbreviation: three to five capital letters, `GMT` with an offset, or an offset of
 * hours.
 */
function zoneName(value: string): string {
  const found =
    /^(?:UTC|ChST|MeST)/.exec(value) ??
    /^GMT(?:[+-](?:0*(?:1?\d|2[0-3]))(?!\d))?/.exec(value) ??
    /^[+-]0*(?:1?\d|2[0-3])(?!\d)/.exec(value) ??
    /^(?:[A-Z]{4}T|[A-Z]{3}T|WITA|[A-Z]{3})(?![A-Z])/.exec(value);
  if (found === null || value.length < 3) throw new Mismatch();
  return value.slice(found[0].length);
}

function secondsOf(fields: Fields, complaint: (what: string) => BuiltinError): { seconds: number; nanos: number } {
  const { month, day } =
    fields.dayOfYear === undefined ? { month: fields.month ?? 1, day: fields.day ?? 1 } : byDayOfYear(fields, complaint);
  if (day < 1 || day > daysIn(fields.year, month)) throw complaint(': day out of range');
  let hour = fields.hour;
  if (fields.afternoon === true && hour < 12) hour += 12;
  else if (fields.afternoon === false && hour === 12) hour = 0;
  const days = daysOf({ year: fields.year, month, day });
  const local = days * secondsPerDay + hour * 3600 + fields.minute * 60 + fields.second;
  return { seconds: fields.utc ? local : local - fields.offset, nanos: fields.nanos };
}

function byDayOfYear(fields: Fields, complaint: (what: string) => BuiltinError): { month: number; day: number } {
  const { year, dayOfYear } = fields;
  const length = daysOf({ year: year + 1, month: 1, day: 1 }) - daysOf({ year, month: 1, day: 1 });
  if (dayOfYear! < 1 || dayOfYear! > length) throw complaint(': day-of-year out of range');
  const { month, day } = dateOf(daysOf({ year, month: 1, day: dayOfYear! }));
  if (fields.month !== undefined && fields.month !== month) throw complaint(': day-of-year does not match month');
  if (fields.day !== undefined && fields.day !== day) throw complaint(': day-of-year does not match day');
  return { month, day };
}
