/** Times added to and subtracted. */

import type { NumberValue } from '../../../numbers/number.js';
import { BuiltinError } from '../../builtin-errors.js';
import { clockOfSeconds, dateOfSeconds, daysIn, daysOf, secondsPerDay } from './calendar.js';
import { localSeconds, momentAt, nanosecondsOf } from './moment.js';
import type { Time } from './operand.js';
import { fromLocal } from './zones.js';

/** Far outside of 64 bits of nanoseconds, and well inside the range of the zones' functions. */
const farOff = 1e11;

/**
 * Adds to year, month and day; a date that does not exist counts on into the next month. The clock
 * stays as it was, in the time's zone.
 */
export function addDate({ moment }: Time, years: number, months: number, days: number): NumberValue {
  const before = localSeconds(moment);
  const { year, month, day } = dateOfSeconds(before);
  const ofDay = before - Math.floor(before / secondsPerDay) * secondsPerDay;
  const local = daysOf({ year: year + years, month: month + months, day: day + days }) * secondsPerDay + ofDay;
  if (!(Math.abs(local) < farOff)) throw new BuiltinError('time outside of valid range');
  return nanosecondsOf(fromLocal(local, moment.zone), moment.nanos);
}

type Clock = readonly [years: number, months: number, days: number, hours: number, minutes: number, seconds: number];

/**
 * Years, months, days, hours, minutes and seconds between two times, on the clock of the first
 * one's zone.
 */
export function timeDifference({ moment: first }: Time, { moment: second }: Time): Clock {
  const other = second.zone === first.zone ? second : momentAt(second.seconds, second.nanos, first.zone);
  const later = first.seconds > other.seconds || (first.seconds === other.seconds && first.nanos > other.nanos);
  const [from, to] = later ? [other, first] : [first, other];
  const start = partsOf(localSeconds(from));
  const end = partsOf(localSeconds(to));
  const rest = start.map((part, i) => end[i]! - part);
  // From seconds up, a negative part borrows one of the next larger part.
  const sizes = [0, 12, daysIn(start[0], start[1]), 24, 60, 60];
  for (let i = 5; i > 0; i--) {
    if (rest[i]! >= 0) continue;
    rest[i]! += sizes[i]!;
    rest[i - 1]! -= 1;
  }
  return rest as unknown as Clock;
}

function partsOf(local: number): Clock {
  const { year, month, day } = dateOfSeconds(local);
  const { hour, minute, second } = clockOfSeconds(local);
  return [year, month, day, hour, minute, second];
}
