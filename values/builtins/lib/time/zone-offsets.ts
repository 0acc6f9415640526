/** Offsets of a zone by days: the platform takes microseconds for each. */
import { secondsPerDay } from './calendar.js';

type OffsetAt = (seconds: number) => number;

/** Before, zones have changed their clocks in odd ways. */
export const year1990 = 631_152_000;

const maxDays = 400;

/**
 * The same offsets. Where those at the beginning and the end of a day are equal, so are those
 * between: no zone has changed its clocks there and back within a day.
 */
export function offsetsByDay(offsetAt: OffsetAt): OffsetAt {
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
