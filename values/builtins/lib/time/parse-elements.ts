/** Reads the elements of a layout from a text. */
import { dayNames, monthNames } from './calendar.js';
import type { Element, ZoneElement } from './layout.js';
import { type Fields, Mismatch, OutOfRange, take } from './time-fields.js';

/** Reads an element from the start of a text and returns the rest. */
export function readElement(
  element: Element,
  written: string,
  value: string,
  fields: Fields,
  next: Element | undefined,
): string {
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
      const name = nameAt(value, monthNames, element === 'Jan');
      fields.month = monthNames.indexOf(name) + 1;
      return value.slice(element === 'Jan' ? 3 : name.length);
    }
    case 'Monday':
    case 'Mon': {
      const name = nameAt(value, dayNames, element === 'Mon');
      return value.slice(element === 'Mon' ? 3 : name.length);
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
      const digits = take(
        element === '__2' ? value.replace(/^ {1,2}/, '') : value,
        element === '002' ? /^\d{3}/ : /^\d{1,3}/,
      );
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
      return /^[.,]\d/.test(value) ? nanoseconds(value, 1 + value.slice(1).search(/\D|$/), fields) : value;
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

/** Reads one or two digits, or exactly two. */
function number(value: string, fixed: boolean, keep: (n: number) => void): string {
  const digits = take(value, fixed ? /^\d{2}/ : /^\d{1,2}/);
  keep(Number(digits));
  return value.slice(digits.length);
}

function nameAt(value: string, names: readonly string[], short: boolean): string {
  const lower = value.slice(0, 9).toLowerCase();
  const found = names.find((name) => lower.startsWith((short ? name.slice(0, 3) : name).toLowerCase()));
  if (found === undefined) throw new Mismatch();
  return found;
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
  const found = offsetSyntax[element.slice(1)]?.exec(value);
  if (found == null) throw new Mismatch();
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
