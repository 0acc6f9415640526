/** Reads the elements of a layout that tell a zone: offsets and abbreviations. */
import type { ZoneElement } from './layout.js';
import { type Fields, Mismatch, OutOfRange } from './time-fields.js';

export function readOffset(element: ZoneElement, value: string, fields: Fields): string {
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
export function zoneName(value: string): string {
  const found =
    /^(?:UTC|ChST|MeST)/.exec(value) ??
    /^GMT(?:[+-](?:0*(?:1?\d|2[0-3]))(?!\d))?/.exec(value) ??
    /^[+-]0*(?:1?\d|2[0-3])(?!\d)/.exec(value) ??
    /^(?:[A-Z]{4}T|[A-Z]{3}T|WITA|[A-Z]{3})(?![A-Z])/.exec(value);
  if (found === null || value.length < 3) throw new Mismatch();
  return value.slice(found[0].length);
}
