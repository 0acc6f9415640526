/** Statistics of repeated measurements. */
import type { PlainObject } from '../../values/index.js';

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
    ['min', quantile(sorted, 0)],
    ['max', quantile(sorted, 1)],
    ['mean', mean],
    ['stddev', Math.sqrt(variance)],
    ...parts,
  ]);
}

/** Linear interpolation between the two nearest samples, of which there is one at least. */
function quantile(sorted: readonly number[], q: number): number {
  const at = q * (sorted.length + 1) - 1;
  const sample = (index: number): number => sorted[Math.max(0, Math.min(sorted.length - 1, index))]!;
  const below = sample(Math.floor(at));
  return below + (at - Math.floor(at)) * (sample(Math.floor(at) + 1) - below);
}
