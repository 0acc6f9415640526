/** Pauses between attempts: exponential back-off with jitter. */
interface BackoffOptions {
  /** The pause after the first failure. */
  readonly baseMs?: number;
  readonly maxMs: number;
}

/**
 * The pause after a number of failures in a row: each doubles it, up to a maximum. A random part
 * keeps clients that failed together from coming back together.
 * @example backoffMs(3, { maxMs: 60_000 }) // between 2000 and 4000
 */
export function backoffMs(failures: number, { baseMs = 1000, maxMs }: BackoffOptions): number {
  const full = Math.min(maxMs, baseMs * 2 ** Math.min(30, Math.max(0, failures - 1)));
  return full * (0.5 + Math.random() / 2);
}
