/** How often runs took how long, as bars. */
import { durationText } from '../output/go-text.js';

const rows = 12;
const widest = 40;

/** Less than this share of the runs stands in no row of its own at an end. */
const tail = 0.01;

/**
 * A row for each range of times, of equal ratios: its beginning, a bar, and the share of the runs.
 * The slowest and fastest runs are counted in the rows at the ends.
 *
 * @param samples nanoseconds
 */
export function histogramText(samples: readonly number[]): string {
  const sorted = Float64Array.from(samples, (sample) => Math.max(1, sample)).sort();
  if (sorted.length === 0) return '';
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  const [low, high] = [at(tail), at(1 - tail)];
  const count = high > low ? rows : 1;
  const ratio = (high / low) ** (1 / count);
  const counts = new Array<number>(count).fill(0);
  for (const sample of sorted) counts[rowOf(sample, low, ratio, count)]!++;
  const most = Math.max(...counts);
  const lines = counts.map((found, i) => ({ found, start: durationText(Number((low * ratio ** i).toPrecision(3))) }));
  const width = Math.max(...lines.map(({ start }) => start.length));
  return lines
    .map(({ found, start }) => {
      const bar = '█'.repeat(found === 0 ? 0 : Math.max(1, Math.round((found / most) * widest)));
      return `${start.padStart(width)} ${bar.padEnd(widest)} ${((100 * found) / sorted.length).toFixed(1).padStart(5)} %\n`;
    })
    .join('');
}

function rowOf(sample: number, low: number, ratio: number, count: number): number {
  if (count === 1 || sample <= low) return 0;
  return Math.min(count - 1, Math.floor(Math.log(sample / low) / Math.log(ratio)));
}
