/** Times in the reference's layout. */

/** RFC 3339 in UTC, without zeros at the end of the fraction. */
export function timestamp(ns: bigint): string {
  const seconds = new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19);
  const fraction = String(ns % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}

/** The timestamp of an event that has not happened. */
export const neverStamp = '0001-01-01T00:00:00Z';
