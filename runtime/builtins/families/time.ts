/** time.*: nanoseconds since 1970, exact throughout. */

import { type NumberValue, numberFromInteger } from '../../values/numbers/number.js';
import { anyOf, number, string, tuple } from '../../values/type.js';
import type { Value } from '../../values/value.js';
import { arg, builtin } from '../builtin.js';
import type { BuiltinContext } from '../context.js';
import { constant, counted, linear } from '../cost.js';
import { addDate, diff } from '../lib/time/arithmetic.js';
import { clockOfSeconds, dateOfSeconds, dayNames, weekdayOfSeconds } from '../lib/time/calendar.js';
import { parseDuration } from '../lib/time/duration.js';
import { format } from '../lib/time/format.js';
import { namedLayouts, type Piece, piecesOf } from '../lib/time/layout.js';
import { nanosecondsOf } from '../lib/time/moment.js';
import { localTime, timeOperand } from '../lib/time/operand.js';
import { parse } from '../lib/time/parse.js';
import { parseRfc3339 } from '../lib/time/rfc3339.js';

const own = { checksOperands: true } as const;

const rfc3339 = namedLayouts.get('RFC3339')!;

function layoutPieces(layout: string, context: BuiltinContext): readonly Piece[] {
  const cache = context.caches.of<readonly Piece[]>('time.layouts', 100);
  let pieces = cache.get(layout);
  if (pieces === undefined) cache.set(layout, (pieces = piecesOf(layout)));
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

const inZone = anyOf(number, tuple(number, string));

const one = [arg('x', inZone)] as const;

const threeNumbers = tuple(number, number, number);

// biome-ignore format: a table
export const time = [
  builtin('time.now_ns',  [], number, (context) => numberFromInteger(context.timeNs), { nondeterministic: true, cost: constant }),
  builtin('time.parse_ns',          [arg('layout', string), arg('value', string)], number, parseNs, { cost: linear(10) }),
  builtin('time.parse_rfc3339_ns',  [arg('value', string)], number, parseRfc3339Ns, { cost: linear(10) }),
  builtin('time.parse_duration_ns', [arg('duration', string)], number, (text) => numberFromInteger(parseDuration(text)), { cost: linear(10) }),
  builtin('time.format',  [arg('x', anyOf(number, tuple(number, string), tuple(number, string, string)))], string, formatTime, { ...own, cost: counted }),
  builtin('time.date',    one, threeNumbers, date, { ...own, cost: constant }),
  builtin('time.clock',   one, threeNumbers, clock, { ...own, cost: constant }),
  builtin('time.weekday', one, string, weekday, { ...own, cost: constant }),
  builtin('time.add_date', [arg('ns', number), arg('years', number), arg('months', number), arg('days', number)], number, addDate, { ...own, cost: constant }),
  builtin('time.diff',    [arg('ns1', inZone), arg('ns2', inZone)], tuple(number, number, number, number, number, number), diff, { ...own, cost: constant }),
];
