/** Counts the allocations of an action, with V8's sampling profiler at its finest. */
import { Session } from 'node:inspector/promises';

/** Means of one run. */
export interface Allocations {
  readonly count: number;
  readonly bytes: number;
}

/** The part of a profile that Node's types do not have: an entry for each sampled object. */
interface Samples {
  readonly samples: readonly { readonly size: number }[];
}

const runs = 100;

/**
 * The objects that the action allocates, without those of measuring. The profiler slows the action
 * down, so it is not timed at the same time. Rejects with the action's error.
 */
export async function allocationsOf(action: () => Promise<void>): Promise<Allocations> {
  const measured = await sampled(action);
  const idle = await sampled(async () => {});
  return { count: Math.max(0, measured.count - idle.count), bytes: Math.max(0, measured.bytes - idle.bytes) };
}

async function sampled(action: () => Promise<void>): Promise<Allocations> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.startSampling', {
      // Each allocation is a sample.
      samplingInterval: 1,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    for (let i = 0; i < runs; i++) await action();
    const { profile } = await session.post('HeapProfiler.stopSampling');
    const { samples } = profile as unknown as Samples;
    return { count: samples.length / runs, bytes: samples.reduce((sum, { size }) => sum + size, 0) / runs };
  } finally {
    session.disconnect();
  }
}
