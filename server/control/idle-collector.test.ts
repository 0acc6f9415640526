/** Isolated: it measures the memory of the process. */
import { getHeapStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { IdleCollector } from './idle-collector.js';

function bytesInUse(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

test('what is no longer needed is collected while there is nothing to do', async () => {
  const collector = new IdleCollector();
  try {
    const before = bytesInUse();
    let rows: unknown[] | undefined = Array.from({ length: 2_000_000 }, (_, i) => ({ i, text: `row ${i}` }));
    expect(rows.length).toBe(2_000_000);
    expect(bytesInUse() - before).toBeGreaterThan(100 * 2 ** 20);
    rows = undefined;
    await expect.poll(() => bytesInUse() - before, { timeout: 120_000, interval: 500 }).toBeLessThan(30 * 2 ** 20);
  } finally {
    collector.stop();
  }
});

test('what was in use when the collector came by is collected later', async () => {
  const collector = new IdleCollector();
  try {
    const before = bytesInUse();
    let rows: unknown[] | undefined = Array.from({ length: 2_000_000 }, (_, i) => ({ i, text: `row ${i}` }));
    // The first collection finds it held.
    await new Promise((resolve) => setTimeout(resolve, 8000));
    expect(rows.length).toBe(2_000_000);
    rows = undefined;
    await expect.poll(() => bytesInUse() - before, { timeout: 120_000, interval: 500 }).toBeLessThan(30 * 2 ** 20);
  } finally {
    collector.stop();
  }
});
