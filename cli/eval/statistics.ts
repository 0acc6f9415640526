/** Statistics of repeated measurements. */
import type { PlainObject } from '../../values/value.js';

const quantiles: Readonly<Record<string, number>> = {
  median: 0.5,
  '75%': 0.75,
  '90%': 0.9,
  '95%': 0.95,
  '99%': 0.99,
  '99.9%': 0.999,
  '99.99%': 0.9999,
};

/** Count, extremes, mean, deviation and quantiles, under the reference's names. */
export function statistics(samples: readonly number[]): PlainObject {
  const sorted = samples.toSorted((a, b) => a - b);
  const count = sorted.length;
  const mean = sorted.reduce((sum, n) => sum + n, 0) / count;
  const variance = sorted.reduce((sum, n) => sum + (n - mean) ** 2, 0) / count;
  const parts: [string, number][] = Object.entries(quantiles).map(([name, q]) => [name, quantile(sorted, q)]);
  return Object.fromEntries([
    ['count', count],
    ['min', sorted[0]!],
    ['max', sorted.at(-1)!],
    ['mean', mean],
    ['stddev', Math.sqrt(variance)],
    ...parts,
  ]);
}

/** Linear interpolation between the two nearest samples. */
function quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length + 1);
  if (at < 1) return sorted[0]!;
  if (at >= sorted.length) return sorted.at(-1)!;
  const below = sorted[Math.floor(at) - 1]!;
  return below + (at - Math.floor(at)) * (sorted[Math.floor(at)]! - below);
}
