/**
 * Timing of a function: warm-up until the times are steady, then the median of several rounds. It
 * is processor time of the thread: what else the machine does counts least so.
 */

interface Measurement {
  /** Nanoseconds per decision. */
  readonly ns: number;
}

const roundMs = 300;

/** Node 22 tells the time of the whole process only. */
function processorUs(): number {
  const { user, system } = (process.threadCpuUsage ?? process.cpuUsage)();
  return user + system;
}

function round(decide: (i: number) => unknown, inputs: number): number {
  let decisions = 0;
  const end = performance.now() + roundMs;
  const start = processorUs();
  do {
    // Read the clock at most once for each pass over the inputs.
    for (let i = 0; i < inputs; i++) decide(i);
    decisions += inputs;
  } while (performance.now() < end);
  return ((processorUs() - start) * 1000) / decisions;
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
