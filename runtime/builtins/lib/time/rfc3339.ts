/** The common case of the common layout, several times faster than by its pieces. */
import { daysIn, daysOf, secondsPerDay } from './calendar.js';

const syntax = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * Seconds since 1970, and nanoseconds. Undefined for all but the usual form: then `parse` decides.
 */
export function parseRfc3339(text: string): { seconds: number; nanos: number } | undefined {
  const found = syntax.exec(text);
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = [found[1], found[2], found[3], found[4], found[5], found[6]].map(Number) as Parts;
  const offsetHours = found[8] === undefined ? 0 : Number(found[9]);
  const offsetMinutes = found[8] === undefined ? 0 : Number(found[10]);
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59)
    return undefined;
  if (day > 28 && day > daysIn(year, month)) return undefined;
  const offset = (offsetHours * 60 + offsetMinutes) * 60;
  const local = daysOf({ year, month, day }) * secondsPerDay + hour * 3600 + minute * 60 + second;
  return {
    seconds: found[8] === '-' ? local + offset : local - offset,
    nanos: found[7] === undefined ? 0 : Number(found[7].padEnd(9, '0')),
  };
}

type Parts = [number, number, number, number, number, number];
