/**
 * Time zones by their IANA names, from the platform's data. Intl knows offsets, but only the
 * abbreviations of its locale. So abbreviations are derived from the zones' English names. A zone
 * without an abbreviation in the IANA data has an offset such as `+03` there and here.
 * Abbreviations of the past (`BMT`, war times, `GST` on Guam until 2000) are missing, and `LMT`
 * with an offset of whole minutes.
 */

import { BuiltinError } from '../../builtin-errors.js';
import { secondsPerDay } from './calendar.js';

export interface Zone {
  readonly name: string;
  /** How many seconds clocks are ahead of UTC at a number of seconds since 1970. */
  offsetAt(seconds: number): number;
  /** The abbreviation of the zone's time then: `CET`, `+03`. */
  abbreviationAt(seconds: number): string;
}

export const utc: Zone = { name: 'UTC', offsetAt: () => 0, abbreviationAt: () => 'UTC' };

const known = new Map<string, Zone>();
/** There are about 600 names. Unknown names are not kept. */
const maxKnown = 1000;

/** The zone of a name. Throws a BuiltinError where there is none. */
export function zoneNamed(name: string): Zone {
  if (name === '' || name === 'UTC') return utc;
  let zone = known.get(name);
  if (zone !== undefined) return zone;
  if (name.includes('..') || /^[/\\]/.test(name)) throw new BuiltinError('time: invalid location name');
  zone = makeZone(name);
  if (known.size < maxKnown) known.set(name, zone);
  return zone;
}

function makeZone(name: string): Zone {
  const offsets = formatter(name, 'longOffset');
  if (offsets === undefined) throw new BuiltinError(`unknown time zone ${name}`);
  const offsetAt = offsetsByDay((seconds) => parseOffset(offsets.format(seconds * 1000)));
  let names: Intl.DateTimeFormat | undefined;
  const nameAt = (seconds: number): string | undefined => {
    names ??= formatter(name, 'long')!;
    if (seconds >= (withoutName.get(name) ?? Number.POSITIVE_INFINITY)) return undefined;
    return abbreviations[names.format(seconds * 1000).replace(/^[^,]*, /, '')];
  };
  const abbreviationAt = (seconds: number): string => {
    const offset = offsetAt(seconds);
    if (offset % 60 !== 0) return 'LMT';
    if (/^(?:Etc\/)?(?:GMT[+-]?0?|Greenwich)$/.test(name)) return 'GMT';
    const found = nameAt(seconds);
    if (found !== undefined || seconds >= year1990) return found ?? offsetText(offset);
    // Names of the time before are rare: the later name of the same offset is used.
    const later = laterTimes.find((time) => offsetAt(time) === offset);
    return (later === undefined ? undefined : nameAt(later)) ?? offsetText(offset);
  };
  return { name, offsetAt, abbreviationAt };
}

function formatter(name: string, timeZoneName: 'longOffset' | 'long'): Intl.DateTimeFormat | undefined {
  // The platform also takes `+01:00` and names in any case.
  const timeZone = name === 'Local' ? undefined : name;
  if (/^[+-]/.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat(
      'en-US',
      timeZone === undefined ? { timeZoneName } : { timeZone, timeZoneName },
    );
    const resolved = format.resolvedOptions().timeZone;
    return timeZone === undefined || resolved === name || resolved.toLowerCase() !== name.toLowerCase()
      ? format
      : undefined;
  } catch {
    return undefined;
  }
}

function parseOffset(text: string): number {
  const found = /GMT(?:([+-])(\d+)(?::(\d+))?(?::(\d+))?)?$/.exec(text);
  if (found?.[1] === undefined) return 0;
  const size = Number(found[2]) * 3600 + Number(found[3] ?? 0) * 60 + Number(found[4] ?? 0);
  return found[1] === '-' ? -size : size;
}

/** An offset in the place of an abbreviation: `+03`, `-0330`. */
function offsetText(offset: number): string {
  const minutes = Math.abs(Math.trunc(offset / 60));
  const two = (n: number) => String(n).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${minutes % 60 === 0 ? '' : two(minutes % 60)}`;
}

/**
 * The second at which clocks in a zone show `local` (seconds since 1970 by those clocks). If clocks
 * show it twice or skip it, the result is that of Go's `time.Date`: the offset at `local`, read as
 * UTC, is tried first, the offset at that result second.
 */
export function fromLocal(local: number, zone: Zone): number {
  const offset = zone.offsetAt(local);
  return offset === 0 ? local : local - zone.offsetAt(local - offset);
}

// Winters and summers of 1990, 2005 and 2024.
const laterTimes = [631_152_000, 646_790_400, 1_104_537_600, 1_120_176_000, 1_704_067_200, 1_719_792_000];

// Zones that Intl calls like a larger neighbor, and the IANA data by their offset, and since when
// (seconds since 1970).
const withoutName: ReadonlyMap<string, number> = new Map([
  ['Africa/Casablanca', Number.NEGATIVE_INFINITY],
  ['Africa/El_Aaiun', Number.NEGATIVE_INFINITY],
  ['Antarctica/Troll', Number.NEGATIVE_INFINITY],
  ['Asia/Colombo', Number.NEGATIVE_INFINITY],
  ['Europe/Minsk', 1_301_184_000],
]);

const abbreviations: { readonly [longName: string]: string } = {
  'Coordinated Universal Time': 'UTC',
  'Greenwich Mean Time': 'GMT',
  'British Summer Time': 'BST',
  'Irish Standard Time': 'IST',
  'Western European Standard Time': 'WET',
  'Western European Summer Time': 'WEST',
  'Central European Standard Time': 'CET',
  'Central European Summer Time': 'CEST',
  'Eastern European Standard Time': 'EET',
  'Eastern European Summer Time': 'EEST',
  'Moscow Standard Time': 'MSK',
  'Moscow Summer Time': 'MSD',
  'Eastern Standard Time': 'EST',
  'Eastern Daylight Time': 'EDT',
  'Central Standard Time': 'CST',
  'Central Daylight Time': 'CDT',
  'Mountain Standard Time': 'MST',
  'Mountain Daylight Time': 'MDT',
  'Mexican Pacific Standard Time': 'MST',
  'Mexican Pacific Daylight Time': 'MDT',
  'Yukon Time': 'MST',
  'Pacific Standard Time': 'PST',
  'Pacific Daylight Time': 'PDT',
  'Alaska Standard Time': 'AKST',
  'Alaska Daylight Time': 'AKDT',
  'Hawaii-Aleutian Standard Time': 'HST',
  'Hawaii-Aleutian Daylight Time': 'HDT',
  'Atlantic Standard Time': 'AST',
  'Atlantic Daylight Time': 'ADT',
  'Newfoundland Standard Time': 'NST',
  'Newfoundland Daylight Time': 'NDT',
  'Cuba Standard Time': 'CST',
  'Cuba Daylight Time': 'CDT',
  'West Africa Standard Time': 'WAT',
  'West Africa Time': 'WAT',
  'Central Africa Time': 'CAT',
  'East Africa Time': 'EAT',
  'South Africa Standard Time': 'SAST',
  'Israel Standard Time': 'IST',
  'Israel Daylight Time': 'IDT',
  'India Standard Time': 'IST',
  'Pakistan Standard Time': 'PKT',
  'Pakistan Summer Time': 'PKST',
  'Western Indonesia Time': 'WIB',
  'Central Indonesia Time': 'WITA',
  'Eastern Indonesia Time': 'WIT',
  'China Standard Time': 'CST',
  'China Daylight Time': 'CDT',
  'Taipei Standard Time': 'CST',
  'Taiwan Standard Time': 'CST',
  'Hong Kong Standard Time': 'HKT',
  'Hong Kong Summer Time': 'HKST',
  'Philippine Standard Time': 'PST',
  'Japan Standard Time': 'JST',
  'Korean Standard Time': 'KST',
  'Korean Daylight Time': 'KDT',
  'Australian Western Standard Time': 'AWST',
  'Australian Western Daylight Time': 'AWDT',
  'Australian Central Standard Time': 'ACST',
  'Australian Central Daylight Time': 'ACDT',
  'Australian Eastern Standard Time': 'AEST',
  'Australian Eastern Daylight Time': 'AEDT',
  'New Zealand Standard Time': 'NZST',
  'New Zealand Daylight Time': 'NZDT',
  'Chamorro Standard Time': 'ChST',
  'Samoa Standard Time': 'SST',
  'American Samoa Standard Time': 'SST',
};

/** Offsets of a zone by days: the platform takes microseconds for each. */
type OffsetAt = (seconds: number) => number;

/** Before, zones have changed their clocks in odd ways. */
const year1990 = 631_152_000;

const maxDays = 400;

/**
 * The same offsets. Where those at the beginning and the end of a day are equal, so are those
 * between: no zone has changed its clocks there and back within a day.
 */
function offsetsByDay(offsetAt: OffsetAt): OffsetAt {
  const starts = new Map<number, number>();
  const atStart = (day: number): number => {
    const known = starts.get(day);
    if (known !== undefined) return known;
    if (starts.size >= maxDays) starts.clear();
    const offset = offsetAt(day * secondsPerDay);
    starts.set(day, offset);
    return offset;
  };
  return (seconds) => {
    if (seconds < year1990) return offsetAt(seconds);
    const day = Math.floor(seconds / secondsPerDay);
    const offset = atStart(day);
    return offset === atStart(day + 1) ? offset : offsetAt(seconds);
  };
}
