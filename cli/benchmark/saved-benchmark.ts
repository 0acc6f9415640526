/** Measurements in files, and what has changed since one was made. */
import { readFileSync } from 'node:fs';
import { lenientTextOfFile } from '../../values/index.js';
import { systemProblem } from '../../values/node.js';
import { statistics } from '../eval/statistics.js';
import { durationText } from '../output/go-text.js';
import type { Benchmark } from './benchmark.js';

/** One measurement: of one `--count`. */
interface SavedRun {
  readonly runs: number;
  /** Nanoseconds. */
  readonly mean: number;
  readonly median: number;
  readonly p90: number;
  readonly p99: number;
  readonly bytes?: number;
  readonly allocations?: number;
}

/** The file of `bench --save`. */
export interface SavedBenchmark {
  readonly format: 'writ-bench-1';
  readonly query: string;
  readonly measured: readonly SavedRun[];
}

export function savedBenchmark(query: string, benchmarks: readonly Benchmark[]): SavedBenchmark {
  return { format: 'writ-bench-1', query, measured: benchmarks.map(savedRun) };
}

function savedRun({ runs, nanoseconds, samples, allocations }: Benchmark): SavedRun {
  const { median, '90%': p90, '99%': p99 } = statistics(samples) as Readonly<Record<'median' | '90%' | '99%', number>>;
  const memory = allocations && { bytes: allocations.bytes, allocations: allocations.count };
  return { runs, mean: nanoseconds / runs, median, p90, p99, ...memory };
}

/** Throws an Error for a file that cannot be read, or is none of `bench --save`. */
export function readSavedBenchmark(path: string): SavedBenchmark {
  let text: string;
  try {
    text = lenientTextOfFile(readFileSync(path));
  } catch (error) {
    throw new Error(`open ${path}: ${systemProblem(error)}`, { cause: error });
  }
  const saved = parsed(text);
  if (saved === undefined) throw new Error(`${path} is no measurement: make one with bench --save ${path}`);
  return saved;
}

function parsed(text: string): SavedBenchmark | undefined {
  let saved: Partial<SavedBenchmark> | null;
  try {
    saved = JSON.parse(text) as Partial<SavedBenchmark> | null;
  } catch {
    return undefined;
  }
  if (saved?.format !== 'writ-bench-1' || typeof saved.query !== 'string' || !Array.isArray(saved.measured))
    return undefined;
  const isRun = (run: Partial<SavedRun> | null) => [run?.mean, run?.median, run?.p90, run?.p99].every(Number.isFinite);
  return saved.measured.length > 0 && saved.measured.every(isRun) ? (saved as SavedBenchmark) : undefined;
}

/** One figure before and now: the middle one of all measurements. */
export interface Comparison {
  readonly name: string;
  readonly before: number;
  readonly now: number;
  /** In percent of the first; undefined where it was 0. */
  readonly change: number | undefined;
  /** Whether the measurements of one are all below those of the other, by more than noise. */
  readonly isClear: boolean;
}

const figures = [
  ['mean', 'mean'],
  ['median', 'median'],
  ['90 %', 'p90'],
  ['99 %', 'p99'],
  ['B/op', 'bytes'],
  ['allocs/op', 'allocations'],
] as const;

/** A difference of less, in percent, is noise on any machine. */
const noise = 2;

export function compareBenchmarks(before: SavedBenchmark, now: SavedBenchmark): readonly Comparison[] {
  return figures.flatMap(([name, key]): Comparison[] => {
    const valuesOf = ({ measured }: SavedBenchmark) =>
      measured.map((run) => run[key]).filter((value) => value !== undefined);
    const [old, current] = [valuesOf(before), valuesOf(now)];
    const [a, b] = [middle(old), middle(current)];
    if (a === undefined || b === undefined) return [];
    const change = a === 0 ? undefined : (100 * (b - a)) / a;
    const isApart = Math.max(...old) < Math.min(...current) || Math.max(...current) < Math.min(...old);
    return [
      { name, before: a, now: b, change, isClear: isApart && (change === undefined || Math.abs(change) >= noise) },
    ];
  });
}

/** Undefined for no values. */
function middle(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** The rows of a table: the figure, before, now, and the change; `~` where it is not clear. */
export function comparisonRows(comparisons: readonly Comparison[]): readonly (readonly string[])[] {
  return comparisons.map(({ name, before, now, change, isClear }) => {
    const text = (value: number) => (name.endsWith('/op') ? value.toFixed(0) : durationText(Math.round(value)));
    const percent = change === undefined ? 'new' : `${change > 0 ? '+' : ''}${change.toFixed(1)} %`;
    return [name, text(before), text(now), isClear ? percent : '~'];
  });
}
