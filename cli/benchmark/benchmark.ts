/** Times an action over many runs. */
import { benchmarkNumber } from '../output/go-text.js';
import type { Allocations } from './allocations.js';

export interface Benchmark {
  readonly runs: number;
  /** The total of all runs. */
  readonly nanoseconds: number;
  /** The time of each run, in nanoseconds. */
  readonly samples: readonly number[];
  /** Further metrics of the caller, by name. */
  readonly extra: Readonly<Record<string, number>>;
  /** The allocations of one run, if requested. */
  readonly allocations?: Allocations;
}

interface MeasureOptions {
  /** Whether to count allocations, in further runs. */
  readonly allocations: boolean;
  readonly milliseconds?: number;
}

/**
 * Runs the action for about a second, after a few warm-up rounds. Rejects with the action's error.
 */
export async function measure(
  action: () => Promise<void>,
  { allocations, milliseconds = 1000 }: MeasureOptions,
): Promise<Benchmark> {
  const warmUntil = performance.now() + milliseconds / 5;
  do await action();
  while (performance.now() < warmUntil);
  const start = performance.now();
  const samples: number[] = [];
  let last = start;
  do {
    await action();
    const now = performance.now();
    samples.push(Math.round((now - last) * 1e6));
    last = now;
  } while (last - start < milliseconds);
  const times = { runs: samples.length, nanoseconds: Math.round((last - start) * 1e6), samples, extra: {} };
  if (!allocations) return times;
  const { allocationsOf } = await import('./allocations.js');
  return { ...times, allocations: await allocationsOf(action) };
}

export function nanosecondsPerRun({ nanoseconds, runs }: Benchmark): number {
  return nanoseconds / runs;
}

/** The allocations of one run as text, by unit. */
export function allocationRows({ allocations }: Benchmark): readonly (readonly [unit: string, text: string])[] {
  if (allocations === undefined) return [];
  const text = (value: number) => value.toFixed(0).padStart(8);
  return [
    ['B/op', text(allocations.bytes)],
    ['allocs/op', text(allocations.count)],
  ];
}

/** The result as one line: number of runs, time per run, the other metrics, and allocations. */
export function benchmarkText(benchmark: Benchmark): string {
  const extra = extraRows(benchmark).map(([unit, text]) => `\t${text} ${unit}`);
  const memory = allocationRows(benchmark).map(([unit, text]) => `\t${text} ${unit}`);
  return `${String(benchmark.runs).padStart(8)}\t${benchmarkNumber(nanosecondsPerRun(benchmark))} ns/op${extra.join('')}${memory.join('')}`;
}

/** The further metrics by their names. */
export function extraRows({ extra }: Benchmark): [unit: string, text: string][] {
  const names = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1));
  return names.map(([name, value]) => [name, benchmarkNumber(value)]);
}

/** The known fields of Go's own result type. */
export function benchmarkJson({
  runs,
  nanoseconds,
  extra,
  allocations = { count: 0, bytes: 0 },
}: Benchmark): Readonly<Record<string, unknown>> {
  const total = (perRun: number) => Math.round(perRun * runs);
  return {
    N: runs,
    T: nanoseconds,
    Bytes: 0,
    MemAllocs: total(allocations.count),
    MemBytes: total(allocations.bytes),
    Extra: extra,
  };
}
