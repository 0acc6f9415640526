import { expect, test } from 'vitest';
import { countFault, processMetrics, processUsage } from './process-metrics.js';
import { metricsText } from './prometheus.js';

test('the memory of all processes is shown under names of Node and of the reference', () => {
  const usage = { cpuSeconds: 1.5, residentBytes: 100, heapBytes: 60, usedHeapBytes: 40, externalBytes: 5, faults: 1 };
  const text = metricsText(processMetrics([usage, { ...usage, usedHeapBytes: 10 }]));
  const values = Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[a-z_]+ /.test(line))
      .map((line) => line.split(' ')),
  );
  expect(values).toMatchObject({
    process_cpu_seconds_total: '3',
    process_resident_memory_bytes: '200',
    writ_internal_faults_total: '2',
    nodejs_heap_size_used_bytes: '50',
    nodejs_heap_size_total_bytes: '120',
    go_memstats_alloc_bytes: '50',
    go_memstats_heap_alloc_bytes: '50',
    go_memstats_heap_inuse_bytes: '50',
    go_memstats_heap_idle_bytes: '70',
    go_memstats_heap_sys_bytes: '120',
    go_memstats_sys_bytes: '200',
  });
  expect(text).toContain('# TYPE go_memstats_alloc_bytes gauge\n');
  expect(text).not.toContain('go_goroutines');
});

test('faults of this process are counted', () => {
  const before = processUsage().faults;
  countFault();
  expect(processUsage().faults).toBe(before + 1);
});
