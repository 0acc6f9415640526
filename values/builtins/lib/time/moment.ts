/** Points in time, as the built-ins see them. */
import { type NumberValue, numberFromInteger } from '../../../numbers/number.js';
import { BuiltinError } from '../../builtin-errors.js';
import type { Zone } from './zones.js';

/**
 * A point in time, in a zone: `seconds` since 1970 in UTC, plus `nanos`; `offset` is how far local
 * clocks are ahead, in seconds.
 */
export interface Moment {
  readonly seconds: number;
  readonly nanos: number;
  readonly offset: number;
  readonly zone: Zone;
}

const perSecond = 1_000_000_000n;
const min = -(1n << 63n);
const max = (1n << 63n) - 1n;
/** The nanoseconds of fewer seconds fit into 64 bits. */
const secondsWithin = 9e9;

/** The moment of a number of nanoseconds since 1970. */
export function momentOf(ns: bigint, zone: Zone): Moment {
  let seconds = ns / perSecond;
  let nanos = ns % perSecond;
  if (nanos < 0n) {
    seconds -= 1n;
    nanos += perSecond;
  }
  return momentAt(Number(seconds), Number(nanos), zone);
}

export function momentAt(seconds: number, nanos: number, zone: Zone): Moment {
  return { seconds, nanos, offset: zone.offsetAt(seconds), zone };
}

/** Seconds since 1970 as a clock in the moment's zone shows them. */
export function localSeconds(moment: Moment): number {
  return moment.seconds + moment.offset;
}

/**
 * Nanoseconds since 1970; a time that does not fit into 64 bits (before 1677 or after 2262) is an
 * error.
 */
export function nanosecondsOf(seconds: number, nanos: number): NumberValue {
  if (Math.abs(seconds) < secondsWithin) return numberFromInteger(nanosecondsAt(seconds, nanos));
  const ns = Number.isFinite(seconds) ? nanosecondsAt(seconds, nanos) : max + 1n;
  if (ns < min || ns > max) throw new BuiltinError('time outside of valid range');
  return numberFromInteger(ns);
}

function nanosecondsAt(seconds: number, nanos: number): bigint {
  const ns = BigInt(seconds) * perSecond;
  return nanos === 0 ? ns : ns + BigInt(nanos);
}
