/** Timing of a function: warm-up until the times are steady, then the median of several rounds. */

interface Measurement {
  /** Nanoseconds per decision. */
  readonly ns: number;
}

const roundMs = 300;

function round(decide: (i: number) => unknown, inputs: number): number {
  let decisions = 0;
  const start = performance.now();
  const end = start + roundMs;
  let now = start;
  while (now < end) {
    // Read the clock at most once for each pass over the inputs.
    for (let i = 0; i < inputs; i++) decide(i);
    decisions += inputs;
    now = performance.now();
  }
  return ((now - start) * 1e6) / decisions;
}

/**
 * Warm-up until two successive rounds differ by less than 5 % (20 rounds at most), then the median
 * of seven.
 */
export function measure(decide: (i: number) => unknown, inputs: number): Measurement {
  let last = round(decide, inputs);
  for (let i = 0; i < 20; i++) {
    const next = round(decide, inputs);
    const steady = Math.abs(next - last) < 0.05 * last;
    last = next;
    if (steady) break;
  }
  return { ns: median(Array.from({ length: 7 }, () => round(decide, inputs))) };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
