import { closeSync, openSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { collectGarbage } from '../../../test/harness/process/garbage.js';
import { countFault, noUsage, processMetrics, processUsage, usageOfEnded } from './process-metrics.js';
import { metricsText } from './prometheus.js';

test('the memory of all processes is shown under names of Node and of the reference', () => {
  const memory = { residentBytes: 100, heapBytes: 60, usedHeapBytes: 40, externalBytes: 5, heapLimitBytes: 1000 };
  const usage = {
    ...memory,
    cpuSeconds: 1.5,
    loopActiveSeconds: 2,
    loopIdleSeconds: 8,
    collectorSeconds: 0.5,
    openFiles: 20,
    openFilesLimit: 1024,
    faults: 1,
  };
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
    nodejs_heap_size_limit_bytes: '2000',
    nodejs_eventloop_active_seconds_total: '4',
    nodejs_eventloop_idle_seconds_total: '16',
    nodejs_gc_seconds_total: '1',
    process_open_fds: '40',
    process_max_fds: '2048',
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

test('where the system does not tell of open files, none are shown', () => {
  expect(metricsText(processMetrics([noUsage]))).not.toContain('_fds');
});

test('pauses of the collector are counted', async () => {
  const before = processUsage().collectorSeconds;
  collectGarbage();
  await vi.waitFor(() => expect(processUsage().collectorSeconds).toBeGreaterThan(before));
});

test.runIf(process.platform === 'linux')('an open file counts', () => {
  const { openFiles, openFilesLimit } = processUsage();
  const file = openSync(import.meta.filename, 'r');
  expect(processUsage().openFiles).toBe(openFiles + 1);
  closeSync(file);
  expect(openFilesLimit).toBeGreaterThan(openFiles);
});

test('work of the event loop is active time, waiting is idle time', async () => {
  const since = (before: ReturnType<typeof processUsage>) => {
    const now = processUsage();
    return { active: now.loopActiveSeconds - before.loopActiveSeconds, idle: now.loopIdleSeconds - before.loopIdleSeconds };
  };
  const start = processUsage();
  const until = performance.now() + 100;
  while (performance.now() < until);
  const worked = since(start);
  expect(worked.active).toBeGreaterThanOrEqual(0.099);
  const rest = processUsage();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(since(rest).idle).toBeGreaterThan(0.05);
  expect(start.heapLimitBytes).toBeGreaterThan(start.usedHeapBytes);
});

test('of processes that ended, counters stay and memory does not', () => {
  const now = { ...processUsage(), faults: 2 };
  const twice = usageOfEnded(usageOfEnded(noUsage, now), now);
  const loop = { loopActiveSeconds: 2 * now.loopActiveSeconds, loopIdleSeconds: 2 * now.loopIdleSeconds };
  const counted = { cpuSeconds: 2 * now.cpuSeconds, faults: 4, collectorSeconds: 2 * now.collectorSeconds };
  expect(twice).toEqual({ ...noUsage, ...loop, ...counted });
});
