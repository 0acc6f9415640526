/** Writes a time in a layout. */
import type { CivilDate, Clock } from './calendar.js';
import { clockOfSeconds, dateOfSeconds, dayName, daysOf, monthName, weekdayOfSeconds } from './calendar.js';
import type { Element, LayoutPiece, ZoneElement } from './layout.js';
import { localSeconds, type Moment } from './moment.js';

export function format(moment: Moment, pieces: readonly LayoutPiece[]): string {
  const local = localSeconds(moment);
  const date = dateOfSeconds(local);
  const clock = clockOfSeconds(local);
  let text = '';
  for (const { literal, element, text: written } of pieces) {
    text += literal;
    if (element !== undefined) text += elementText(element, written, moment, date, clock);
  }
  return text;
}

function elementText(element: Element, written: string, moment: Moment, date: CivilDate, clock: Clock): string {
  switch (element) {
    case '2006':
      return padded(date.year, 4);
    case '06':
      return padded(date.year % 100, 2);
    case 'January':
      return monthName(date.month);
    case 'Jan':
      return monthName(date.month).slice(0, 3);
    case '1':
      return String(date.month);
    case '01':
      return padded(date.month, 2);
    case 'Monday':
      return dayName(weekdayOfSeconds(localSeconds(moment)));
    case 'Mon':
      return dayName(weekdayOfSeconds(localSeconds(moment))).slice(0, 3);
    case '2':
      return String(date.day);
    case '_2':
      return String(date.day).padStart(2);
    case '02':
      return padded(date.day, 2);
    case '__2':
      return String(dayOfYear(date)).padStart(3);
    case '002':
      return padded(dayOfYear(date), 3);
    case 'PM':
      return clock.hour >= 12 ? 'PM' : 'AM';
    case 'pm':
      return clock.hour >= 12 ? 'pm' : 'am';
    case 'MST':
      return moment.zone.abbreviationAt(moment.seconds);
    case '.0':
    case '.9':
      return fraction(element, written, moment.nanos);
    default:
      return clockText(element, clock) ?? offsetText(element as ZoneElement, moment.offset);
  }
}

function clockText(element: Element, { hour, minute, second }: Clock): string | undefined {
  switch (element) {
    case '15':
      return padded(hour, 2);
    case '3':
      return String(hour % 12 || 12);
    case '03':
      return padded(hour % 12 || 12, 2);
    case '4':
      return String(minute);
    case '04':
      return padded(minute, 2);
    case '5':
      return String(second);
    case '05':
      return padded(second, 2);
    default:
      return undefined;
  }
}

function dayOfYear(date: CivilDate): number {
  return daysOf(date) - daysOf({ year: date.year, month: 1, day: 1 }) + 1;
}

/**
 * As many digits as there are zeros; in place of nines the same without zeros at the end, and
 * nothing at all for a whole second.
 */
function fraction(element: '.0' | '.9', written: string, nanos: number): string {
  const digits = String(nanos)
    .padStart(9, '0')
    .padEnd(written.length - 1, '0')
    .slice(0, written.length - 1);
  if (element === '.0') return written[0] + digits;
  const short = digits.replace(/0+$/, '');
  return short === '' ? '' : written[0] + short;
}

/** `Z` means UTC only in layouts that begin with it. */
function offsetText(element: ZoneElement, offset: number): string {
  if (offset === 0 && element.startsWith('Z')) return 'Z';
  const colon = element.includes(':') ? ':' : '';
  const minutes = Math.trunc(offset / 60);
  let text = `${minutes < 0 ? '-' : '+'}${padded(Math.trunc(Math.abs(minutes) / 60), 2)}`;
  if (element.length > 3) text += colon + padded(Math.abs(minutes) % 60, 2);
  if (element.length > 6) text += colon + padded(Math.abs(offset) % 60, 2);
  return text;
}

function padded(n: number, width: number): string {
  return n < 0 ? `-${String(-n).padStart(width, '0')}` : String(n).padStart(width, '0');
}
