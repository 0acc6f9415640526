/** Times an action over many runs. */
import { benchmarkNumber } from '../output/go-text.js';

export interface Benchmark {
  readonly runs: number;
  /** The total of all runs. */
  readonly nanoseconds: number;
  /** Further metrics of the caller, by name. */
  readonly extra: Readonly<Record<string, number>>;
}

/**
 * Runs the action for about a second, after a few warm-up rounds. Rejects with the action's error.
 */
export async function measure(action: () => Promise<void>, milliseconds = 1000): Promise<Benchmark> {
  const warmUntil = performance.now() + milliseconds / 5;
  do await action();
  while (performance.now() < warmUntil);
  const start = performance.now();
  let runs = 0;
  let elapsed: number;
  do {
    await action();
    runs++;
    elapsed = performance.now() - start;
  } while (elapsed < milliseconds);
  return { runs, nanoseconds: Math.round(elapsed * 1e6), extra: {} };
}

export function nanosecondsPerRun({ nanoseconds, runs }: Benchmark): number {
  return nanoseconds / runs;
}

/** The result as one line: number of runs, time per run, and the other metrics. */
export function benchmarkText(benchmark: Benchmark): string {
  const extra = Object.keys(benchmark.extra)
    .sort()
    .map((name) => `\t${benchmarkNumber(benchmark.extra[name]!)} ${name}`);
  return `${String(benchmark.runs).padStart(8)}\t${benchmarkNumber(nanosecondsPerRun(benchmark))} ns/op${extra.join('')}`;
}

/** The known fields of Go's own result type. */
export function benchmarkJson({ runs, nanoseconds, extra }: Benchmark): Readonly<Record<string, unknown>> {
  return { N: runs, T: nanoseconds, Bytes: 0, MemAllocs: 0, MemBytes: 0, Extra: extra };
}
