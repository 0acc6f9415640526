/** Times as operands. */

import { integerOf, type NumberValue } from '../../../numbers/number.js';
import { isArray, isNumber, type Value } from '../../../value.js';
import { BuiltinError, operandTypeError } from '../../builtin-errors.js';
import { withinRange } from '../../limits.js';
import { stringAsFirst } from '../../value-operands.js';
import { type Moment, momentOf } from './moment.js';
import { utc, zoneNamed } from './zones.js';

export interface Time {
  readonly moment: Moment;
  readonly layout: string;
}

/**
 * A time: nanoseconds, or an array of them, a zone's name, and a layout, of which the last two may
 * be missing. The reference's messages name operand 1 at any position.
 */
export function timeOperand(operand: Value): Time {
  if (isNumber(operand)) return { moment: momentOf(nanoseconds(operand), utc), layout: '' };
  if (!isArray(operand) || operand.length === 0) throw noTime(operand);
  const [ns, name, written] = operand as readonly [Value, ...Value[]];
  if (!isNumber(ns)) throw operandTypeError(1, ns, 'number');
  const zone = name === undefined ? utc : zoneNamed(stringAsFirst(name));
  const layout = written === undefined ? '' : stringAsFirst(written);
  return { moment: momentOf(nanoseconds(ns), zone), layout };
}

function noTime(operand: Value): BuiltinError {
  return operandTypeError(1, operand, 'either number (ns) or [number (ns), string (tz)]');
}

const int64Min = -(1n << 63n);

const int64Max = (1n << 63n) - 1n;

/**
 * The value of a double that shows six zeros at its end, as times of whole milliseconds do. No two
 * decimals of at most 15 digits have the same double, so it is the one that `String` shows.
 */
function roundInteger(n: number): bigint | undefined {
  const millions = Math.round(n / 1e6);
  return Math.abs(millions) < 1e15 && millions * 1e6 === n ? BigInt(millions) * 1_000_000n : undefined;
}

function nanoseconds(n: NumberValue): bigint {
  const ns = typeof n === 'number' ? (roundInteger(n) ?? integerOf(n)) : withinRange(() => n.integer);
  // The reference says so of fractions, too.
  if (ns === undefined || ns < int64Min || ns > int64Max) throw new BuiltinError('timestamp too big');
  return ns;
}
