/** A small graph of one measurement over time. */
import type { MetricsSample } from './server-state.js';

const width = 220;
const height = 48;

interface SmallGraphProps {
  readonly title: string;
  readonly points: readonly number[];
  readonly unit: (value: number) => string;
}

export function SmallGraph({ title, points, unit }: SmallGraphProps) {
  const most = Math.max(...points, 0);
  const last = points.at(-1);
  const value = last === undefined ? '–' : unit(last);
  return (
    <figure class="graph">
      <figcaption>
        <span class="soft">{title}</span> <strong>{value}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}: now ${value}, at most ${unit(most)}`}>
        <path class="graph-area" d={`${lineOf(points, most)} L${width},${height} L${startOf(points)},${height} Z`} />
        <path class="graph-line" d={lineOf(points, most)} />
      </svg>
    </figure>
  );
}

/** The newest point is at the right edge. */
function startOf(points: readonly number[]): number {
  return width - Math.max(0, points.length - 1) * step(points);
}

/** Few points do not fill the width. */
function step(points: readonly number[]): number {
  return width / Math.max(30, points.length - 1);
}

function lineOf(points: readonly number[], most: number): string {
  if (points.length === 0) return `M0,${height}`;
  const begin = startOf(points);
  const at = points.map((point, i) => {
    const y = most === 0 ? height - 1 : height - 1 - (point / most) * (height - 4);
    return `${(begin + i * step(points)).toFixed(1)},${y.toFixed(1)}`;
  });
  return `M${at.join(' L')}`;
}

/** The growth of a counter in each second between samples. A counter that fell began anew. */
export function rateOf(samples: readonly MetricsSample[], counter: (sample: MetricsSample) => number): number[] {
  return samples.slice(1).map((sample, i) => {
    const before = samples[i]!;
    const seconds = (sample.nowMs - before.nowMs) / 1000;
    return seconds <= 0 ? 0 : Math.max(0, counter(sample) - counter(before)) / seconds;
  });
}
