/** time.*: nanoseconds since 1970, exact throughout. */

import { type NumberValue, numberFromInteger } from '../../numbers/number.js';
import { anyOf, number, string, tuple } from '../../type.js';
import { arg, builtin } from '../builtin.js';
import type { BuiltinContext } from '../builtin-context.js';
import { constant, counted, linear } from '../cost.js';
import { addDate, timeDifference } from '../lib/time/arithmetic.js';
import { clockOfSeconds, dateOfSeconds, dayName, weekdayOfSeconds } from '../lib/time/calendar.js';
import { parseDuration } from '../lib/time/duration.js';
import { format } from '../lib/time/format.js';
import { type LayoutPiece, namedLayouts, piecesOfLayout, rfc3339, rfc3339Nano } from '../lib/time/layout.js';
import { localSeconds, nanosecondsOf } from '../lib/time/moment.js';
import { type Time, timeOperand } from '../lib/time/operand.js';
import { parse } from '../lib/time/parse.js';
import { parseRfc3339 } from '../lib/time/rfc3339.js';
import { int64 } from '../value-operands.js';

function layoutPieces(layout: string, context: BuiltinContext): readonly LayoutPiece[] {
  const cache = context.caches.of<readonly LayoutPiece[]>('time.layouts', 100);
  let pieces = cache.get(layout);
  if (pieces === undefined) cache.set(layout, (pieces = piecesOfLayout(layout)));
  return pieces;
}

function parseNs(layout: string, text: string, context: BuiltinContext): NumberValue {
  return parseIn(namedLayouts.get(layout) ?? layout, text, context);
}

function parseRfc3339Ns(text: string, context: BuiltinContext): NumberValue {
  return parseIn(rfc3339, text, context);
}

function parseIn(layout: string, text: string, context: BuiltinContext): NumberValue {
  const quick = layout === rfc3339 ? parseRfc3339(text) : undefined;
  const { seconds, nanos } = quick ?? parse(text, layout, layoutPieces(layout, context));
  return nanosecondsOf(seconds, nanos);
}

/** Units for a character of a layout. */
const unitsPerCharacter = 10;

function formatTime({ moment, layout }: Time, context: BuiltinContext): string {
  const full = layout === '' ? rfc3339Nano : (namedLayouts.get(layout) ?? layout);
  context.tick(full.length * unitsPerCharacter);
  return format(moment, layoutPieces(full, context));
}

function date({ moment }: Time): readonly [year: number, month: number, day: number] {
  const { year, month, day } = dateOfSeconds(localSeconds(moment));
  return [year, month, day];
}

function clock({ moment }: Time): readonly [hour: number, minute: number, second: number] {
  const { hour, minute, second } = clockOfSeconds(localSeconds(moment));
  return [hour, minute, second];
}

function weekday({ moment }: Time): string {
  return dayName(weekdayOfSeconds(localSeconds(moment)));
}

const inZone = anyOf(number, tuple(number, string));

const one = [arg('x', inZone, timeOperand)] as const;

const threeNumbers = tuple(number, number, number);

// biome-ignore format: a table
export const time = [
  builtin('time.now_ns',  [], number, (context) => numberFromInteger(context.timeNs), { nondeterministic: true, cost: constant }),
  builtin('time.parse_ns',          [arg('layout', string), arg('value', string)], number, parseNs, { cost: linear(10) }),
  builtin('time.parse_rfc3339_ns',  [arg('value', string)], number, parseRfc3339Ns, { cost: linear(10) }),
  builtin('time.parse_duration_ns', [arg('duration', string)], number, (text) => numberFromInteger(parseDuration(text)), { cost: linear(10) }),
  builtin('time.format',  [arg('x', anyOf(number, tuple(number, string), tuple(number, string, string)), timeOperand)], string, formatTime, { cost: counted }),
  builtin('time.date',    one, threeNumbers, date, { cost: constant }),
  builtin('time.clock',   one, threeNumbers, clock, { cost: constant }),
  builtin('time.weekday', one, string, weekday, { cost: constant }),
  builtin('time.add_date', [arg('ns', number, timeOperand), arg('years', number, int64), arg('months', number, int64), arg('days', number, int64)], number, addDate, { cost: constant }),
  builtin('time.diff',    [arg('ns1', inZone, timeOperand), arg('ns2', inZone, timeOperand)], tuple(number, number, number, number, number, number), timeDifference, { cost: constant }),
];
