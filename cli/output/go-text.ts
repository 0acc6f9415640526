/** Numbers and times in Go's format. */

/** A time in nanoseconds as `1m2.5s`, `1.234ms` or `17µs`. */
export function durationText(nanoseconds: number): string {
  const ns = Math.round(nanoseconds);
  if (ns === 0) return '0s';
  if (ns < 1e3) return `${ns}ns`;
  if (ns < 1e6) return `${decimals(ns, 3)}µs`;
  if (ns < 1e9) return `${decimals(ns, 6)}ms`;
  const minutes = Math.floor(ns / 60e9);
  const seconds = `${decimals(ns - minutes * 60e9, 9)}s`;
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}

/** An integer divided by a power of ten, without trailing zeros. */
function decimals(value: number, digits: number): string {
  const text = String(value).padStart(digits + 1, '0');
  const fraction = text.slice(-digits).replace(/0+$/, '');
  return `${text.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}`;
}

/**
 * A number of a benchmark: ten characters before the point, and three significant digits if it is
 * small.
 */
export function benchmarkNumber(value: number): string {
  const size = Math.abs(value);
  const places = [99.95, 9.995, 0.9995, 0.09995, 0.009995, 0.0009995].findIndex((bound) => size >= bound);
  if (size === 0 || places === 0) return value.toFixed(0).padStart(10);
  const digits = places < 0 ? 6 : places;
  return value.toFixed(digits).padStart(11 + digits);
}
