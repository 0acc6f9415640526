/**
 * Days, dates and clocks of the proleptic Gregorian calendar; years before 1 count down through 0.
 */

export interface CivilDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

export interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

export const secondsPerDay = 86_400;
export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
);
export const dayNames = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** @param month from 1 */
export function monthName(month: number): string {
  return monthNames[month - 1] ?? '';
}

/** @param day from 0 for Sunday */
export function dayName(day: number): string {
  return dayNames[day] ?? '';
}

/**
 * Days since 1970-01-01. Months and days may lie outside of their ranges and then count on: month
 * 14 is February of the next year.
 */
export function daysOf({ year, month, day }: CivilDate): number {
  const months = month - 1;
  const y = year + Math.floor(months / 12);
  const m = months - 12 * Math.floor(months / 12);
  // A year that begins in March has its leap day at the end.
  const shifted = m < 2 ? y - 1 : y;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((m + 10) % 12) + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468 + day - 1;
}

/** The date of a number of days since 1970-01-01. */
export function dateOf(days: number): CivilDate {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const m = Math.floor((5 * dayOfYear + 2) / 153);
  const month = m < 10 ? m + 3 : m - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * m + 2) / 5) + 1,
  };
}

export function daysIn(year: number, month: number): number {
  return daysOf({ year, month: month + 1, day: 1 }) - daysOf({ year, month, day: 1 });
}

/** The date of a number of seconds since 1970. */
export function dateOfSeconds(seconds: number): CivilDate {
  return dateOf(Math.floor(seconds / secondsPerDay));
}

export function clockOfSeconds(seconds: number): Clock {
  const rest = seconds - Math.floor(seconds / secondsPerDay) * secondsPerDay;
  return { hour: Math.floor(rest / 3600), minute: Math.floor(rest / 60) % 60, second: rest % 60 };
}

/** From 0, a Sunday. */
export function weekdayOfSeconds(seconds: number): number {
  const days = Math.floor(seconds / secondsPerDay) + 4;
  return days - Math.floor(days / 7) * 7;
}
