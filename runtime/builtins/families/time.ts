/** time.*: nanoseconds since 1970, exact throughout. */
import { integerOf, type NumberValue, numberFromInteger } from '../../values/numbers/number.js';
import { anyOf, number, string, tuple } from '../../values/type.js';
import { isArray, isNumber, type Value } from '../../values/value.js';
import { arg, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { constant, counted, linear } from '../cost.js';
import { BuiltinError, operandTypeError } from '../errors.js';
import { clockOfSeconds, dateOfSeconds, dayNames, daysIn, daysOf, secondsPerDay, weekdayOfSeconds } from '../lib/time/calendar.js';
import { parseDuration } from '../lib/time/duration.js';
import { format } from '../lib/time/format.js';
import { namedLayouts, type Piece, piecesOf } from '../lib/time/layout.js';
import { localSeconds, type Moment, momentAt, momentOf, nanosecondsOf } from '../lib/time/moment.js';
import { parse } from '../lib/time/parse.js';
import { parseRfc3339 } from '../lib/time/rfc3339.js';
import { fromLocal, utc, zoneNamed } from '../lib/time/zones.js';
import { stringOperand } from '../string-operands.js';
import { intOperand, numberOperand, withinRange } from '../value-operands.js';

const own = { checksOperands: true } as const;
const rfc3339 = namedLayouts.get('RFC3339')!;

/** A time: nanoseconds, or an array of them, a zone's name, and a layout, of which the last two may be missing. */
function timeOperand(operand: Value): { moment: Moment; layout: string } {
  if (!isArray(operand) && !isNumber(operand)) throw noTime(operand);
  const parts = isArray(operand) ? operand : [operand];
  if (parts.length === 0) throw noTime(operand);
  const ns = numberOperand(parts[0]!, 1);
  const zone = parts.length > 1 ? zoneNamed(stringOperand(parts[1]!, 1)) : utc;
  const layout = parts.length > 2 ? stringOperand(parts[2]!, 1) : '';
  return { moment: momentOf(nanoseconds(ns), zone), layout };
}

function noTime(operand: Value): BuiltinError {
  return operandTypeError(1, operand, 'either number (ns) or [number (ns), string (tz)]');
}

const int64Min = -(1n << 63n);
const int64Max = (1n << 63n) - 1n;

function nanoseconds(n: NumberValue): bigint {
  const ns = withinRange(() => integerOf(n));
  // The reference says so of fractions, too.
  if (ns === undefined || ns < int64Min || ns > int64Max) throw new BuiltinError('timestamp too big');
  return ns;
}

function localTime(operand: Value): number {
  return localSeconds(timeOperand(operand).moment);
}

function layoutPieces(layout: string, context: BuiltinContext): readonly Piece[] {
  const cache = context.caches.of<readonly Piece[]>('time.layouts', 100);
  let pieces = cache.get(layout);
  if (pieces === undefined) cache.set(layout, (pieces = piecesOf(layout)));
  return pieces;
}

function parseNs(layout: Value, value: Value, context: BuiltinContext): NumberValue {
  const name = stringOperand(layout, 1);
  const text = stringOperand(value, 2);
  return parseIn(namedLayouts.get(name) ?? name, text, context);
}

function parseRfc3339Ns(value: Value, context: BuiltinContext): NumberValue {
  return parseIn(rfc3339, stringOperand(value, 1), context);
}

function parseIn(layout: string, text: string, context: BuiltinContext): NumberValue {
  const quick = layout === rfc3339 ? parseRfc3339(text) : undefined;
  const { seconds, nanos } = quick ?? parse(text, layout, layoutPieces(layout, context));
  return nanosecondsOf(seconds, nanos);
}

/** Units for a character of a layout. */
const unitsPerCharacter = 10;

function formatTime(operand: Value, context: BuiltinContext): string {
  const { moment, layout } = timeOperand(operand);
  const full = layout === '' ? namedLayouts.get('RFC3339Nano')! : (namedLayouts.get(layout) ?? layout);
  context.tick(full.length * unitsPerCharacter);
  return format(moment, layoutPieces(full, context));
}

function date(operand: Value): readonly [year: number, month: number, day: number] {
  const { year, month, day } = dateOfSeconds(localTime(operand));
  return [year, month, day];
}

function clock(operand: Value): readonly [hour: number, minute: number, second: number] {
  const { hour, minute, second } = clockOfSeconds(localTime(operand));
  return [hour, minute, second];
}

function weekday(operand: Value): string {
  return dayNames[weekdayOfSeconds(localTime(operand))]!;
}

/** Far outside of what 64 bits of nanoseconds reach, and well inside of what zones can be asked about. */
const farOff = 1e11;

/** Adds to year, month and day; a date that does not exist counts on into the next month. The clock stays as it was, in the time's zone. */
function addDate(operand: Value, years: Value, months: Value, days: Value): NumberValue {
  const { moment } = timeOperand(operand);
  const by = [intOperand(years, 2), intOperand(months, 3), intOperand(days, 4)] as const;
  const before = localSeconds(moment);
  const { year, month, day } = dateOfSeconds(before);
  const ofDay = before - Math.floor(before / secondsPerDay) * secondsPerDay;
  const local = daysOf({ year: year + by[0], month: month + by[1], day: day + by[2] }) * secondsPerDay + ofDay;
  if (!(Math.abs(local) < farOff)) throw new BuiltinError('time outside of valid range');
  return nanosecondsOf(fromLocal(local, moment.zone), moment.nanos);
}

type Clock = readonly [years: number, months: number, days: number, hours: number, minutes: number, seconds: number];

/** Years, months, days, hours, minutes and seconds between two times, on the clock of the first one's zone. */
function diff(a: Value, b: Value): Clock {
  const first = timeOperand(a).moment;
  const second = timeOperand(b).moment;
  const other = second.zone === first.zone ? second : momentAt(second.seconds, second.nanos, first.zone);
  const later = first.seconds > other.seconds || (first.seconds === other.seconds && first.nanos > other.nanos);
  const [from, to] = later ? [other, first] : [first, other];
  const start = partsOf(localSeconds(from));
  const end = partsOf(localSeconds(to));
  const rest = start.map((part, i) => end[i]! - part);
  // From seconds up, what is negative borrows one of the next larger part.
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

const inZone = anyOf(number, tuple(number, string));
const one = [arg('x', inZone)] as const;
const threeNumbers = tuple(number, number, number);

// biome-ignore format: a table
export const time = [
  builtin('time.now_ns',  [], number, (context) => numberFromInteger(context.timeNs), { nondeterministic: true, cost: constant }),
  builtin('time.parse_ns',          [arg('layout', string), arg('value', string)], number, parseNs, { ...own, cost: linear(10) }),
  builtin('time.parse_rfc3339_ns',  [arg('value', string)], number, parseRfc3339Ns, { ...own, cost: linear(10) }),
  builtin('time.parse_duration_ns', [arg('duration', string)], number, (text) => numberFromInteger(parseDuration(stringOperand(text, 1))), { ...own, cost: linear(10) }),
  builtin('time.format',  [arg('x', anyOf(number, tuple(number, string), tuple(number, string, string)))], string, formatTime, { ...own, cost: counted }),
  builtin('time.date',    one, threeNumbers, date, { ...own, cost: constant }),
  builtin('time.clock',   one, threeNumbers, clock, { ...own, cost: constant }),
  builtin('time.weekday', one, string, weekday, { ...own, cost: constant }),
  builtin('time.add_date', [arg('ns', number), arg('years', number), arg('months', number), arg('days', number)], number, addDate, { ...own, cost: constant }),
  builtin('time.diff',    [arg('ns1', inZone), arg('ns2', inZone)], tuple(number, number, number, number, number, number), diff, { ...own, cost: constant }),
];
