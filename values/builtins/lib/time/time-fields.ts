import { StacklessError } from '../../../stackless-error.js';

/** The fields of a time that were read so far, undefined until an element sets them. */
export interface Fields {
  year: number;
  month: number | undefined;
  day: number | undefined;
  dayOfYear: number | undefined;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  afternoon: boolean | undefined;
  /**
   * Seconds ahead of UTC. An abbreviation other than `UTC` has no known offset: the time counts as
   * UTC.
   */
  offset: number;
  /** Whether the text names UTC, by `Z` or `UTC`: no offset counts then. */
  utc: boolean;
}

/** A value that does not fit its element. */
export class Mismatch extends StacklessError {}

/** A number that is out of its range; its complaint leaves out the remaining text. */
export class OutOfRange extends StacklessError {}

/** The text at the start of a value that has a form. Throws a Mismatch where there is none. */
export function take(value: string, pattern: RegExp): string {
  const found = pattern.exec(value);
  if (found === null) throw new Mismatch();
  return found[0];
}
