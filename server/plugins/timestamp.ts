/** Points in time as the reference writes them. */

/** Nanoseconds since 1970, as finely as the platform tells. */
export function nowNs(): bigint {
  return BigInt(Math.round((performance.timeOrigin + performance.now()) * 1000)) * 1000n;
}

/** RFC 3339 in UTC, as many digits of the second as there are. */
export function timestamp(ns: bigint): string {
  const seconds = new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19);
  const fraction = String(ns % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return fraction === '' ? `${seconds}Z` : `${seconds}.${fraction}Z`;
}

/** What stands for a time that has not come. */
export const never = '0001-01-01T00:00:00Z';
