import { readdirSync, readFileSync } from 'node:fs';
import { PerformanceObserver, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { buildInfo } from '../../../engine/index.js';
import { type Labels, type Metric, singleMetric } from './prometheus.js';

/** A process's use of time and memory: seconds and bytes. */
export interface ProcessUsage {
  readonly cpuSeconds: number;
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly usedHeapBytes: number;
  readonly externalBytes: number;
  /** The limit of the heap. */
  readonly heapLimitBytes: number;
  /** How long the event loop has run callbacks, and has waited for events. */
  readonly loopActiveSeconds: number;
  readonly loopIdleSeconds: number;
  /** How long the collector of garbage stopped the process, since its usage was first asked. */
  readonly collectorSeconds: number;
  /** Files and connections that are open, and how many may be; 0 where the system does not tell. */
  readonly openFiles: number;
  readonly openFilesLimit: number;
  /** Explanations that came to another answer than the program. */
  readonly faults: number;
}

export const noUsage: ProcessUsage = {
  cpuSeconds: 0,
  residentBytes: 0,
  heapBytes: 0,
  usedHeapBytes: 0,
  externalBytes: 0,
  heapLimitBytes: 0,
  loopActiveSeconds: 0,
  loopIdleSeconds: 0,
  collectorSeconds: 0,
  openFiles: 0,
  openFilesLimit: 0,
  faults: 0,
};

/** The sum of the counters of two processes that have ended: their memory is free. */
export function usageOfEnded(a: ProcessUsage, b: ProcessUsage): ProcessUsage {
  return {
    ...noUsage,
    cpuSeconds: a.cpuSeconds + b.cpuSeconds,
    loopActiveSeconds: a.loopActiveSeconds + b.loopActiveSeconds,
    loopIdleSeconds: a.loopIdleSeconds + b.loopIdleSeconds,
    collectorSeconds: a.collectorSeconds + b.collectorSeconds,
    faults: a.faults + b.faults,
  };
}

/** The faults of the process, as its other figures are the process's. */
let faults = 0;

/** Counts a fault of this process. */
export function countFault(): void {
  faults++;
}

/** The pauses of the process. Undefined until asked for: watching the collector costs. */
let collector: { ms: number } | undefined;

/** How long the collector of garbage has stopped the process since this was first asked. */
function collectorSeconds(): number {
  if (collector === undefined) {
    const own = { ms: 0 };
    collector = own;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) own.ms += duration;
    }).observe({ entryTypes: ['gc'] });
  }
  return collector.ms / 1000;
}

/** The open files and their limit, as Linux tells them. */
function openFiles(): Pick<ProcessUsage, 'openFiles' | 'openFilesLimit'> {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return { openFiles: readdirSync('/proc/self/fd').length, openFilesLimit: Number(limit ?? 0) };
  } catch {
    return { openFiles: 0, openFilesLimit: 0 };
  }
}

export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  const { active, idle } = performance.eventLoopUtilization();
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: rss,
    heapBytes: heapTotal,
    usedHeapBytes: heapUsed,
    externalBytes: external,
    heapLimitBytes: getHeapStatistics().heap_size_limit,
    loopActiveSeconds: active / 1000,
    loopIdleSeconds: idle / 1000,
    collectorSeconds: collectorSeconds(),
    ...openFiles(),
    faults,
  };
}

/**
 * Measurements under the names that Prometheus' own clients use.
 * @param all the usage of each process of the server
 */
export function processMetrics(all: readonly ProcessUsage[]): readonly Metric[] {
  const sum = (field: keyof ProcessUsage) => all.reduce((total, usage) => total + usage[field], 0);
  return [
    gauge('opa_info', 'Always 1; the label is the release of the server.', 1, { version: buildInfo.version }),
    gauge(
      'process_start_time_seconds',
      'Unix time at which the process started.',
      Math.round(performance.timeOrigin) / 1000,
    ),
    counter(
      'process_cpu_seconds_total',
      'Processor time of the process, in user and in system mode.',
      sum('cpuSeconds'),
    ),
    gauge('process_resident_memory_bytes', 'Physical memory that the process occupies.', sum('residentBytes')),
    gauge('nodejs_heap_size_total_bytes', 'Memory that V8 has reserved for its heap.', sum('heapBytes')),
    gauge('nodejs_heap_size_used_bytes', 'Memory of the V8 heap that values take.', sum('usedHeapBytes')),
    gauge(
      'nodejs_heap_size_limit_bytes',
      'Size that the V8 heap may grow to; beyond it the process ends.',
      sum('heapLimitBytes'),
    ),
    gauge(
      'nodejs_external_memory_bytes',
      'Memory of buffers and native objects outside of the V8 heap.',
      sum('externalBytes'),
    ),
    counter(
      'nodejs_eventloop_active_seconds_total',
      'Time in which the event loop ran callbacks.',
      sum('loopActiveSeconds'),
    ),
    counter(
      'nodejs_eventloop_idle_seconds_total',
      'Time in which the event loop waited for events.',
      sum('loopIdleSeconds'),
    ),
    counter(
      'nodejs_gc_seconds_total',
      'Time in which the collector of garbage stopped the process.',
      sum('collectorSeconds'),
    ),
    ...fileMetrics(sum('openFiles'), sum('openFilesLimit')),
    gauge('nodejs_version_info', 'Always 1; the label is the release of Node.', 1, { version: process.version }),
    counter(
      'writ_internal_faults_total',
      'Explanations that came to another answer than the decision: faults of writ.',
      sum('faults'),
    ),
    ...referenceGauges(sum),
  ];
}

function fileMetrics(open: number, limit: number): readonly Metric[] {
  if (limit === 0) return [];
  return [
    gauge('process_open_fds', 'Files and connections that are open.', open),
    gauge('process_max_fds', 'How many files and connections may be open.', limit),
  ];
}

/**
 * The series of the reference's memory that V8's heap has too, so that dashboards show them. Others
 * have no meaning here, such as `go_goroutines`.
 */
function referenceGauges(sum: (field: keyof ProcessUsage) => number): readonly Metric[] {
  const [used, total] = [sum('usedHeapBytes'), sum('heapBytes')];
  return [
    gauge('go_info', 'Always 1, for clients that look for it; the label is the release of Node.', 1, {
      version: process.version,
    }),
    gauge('go_memstats_alloc_bytes', 'The same as nodejs_heap_size_used_bytes.', used),
    gauge('go_memstats_heap_alloc_bytes', 'The same as nodejs_heap_size_used_bytes.', used),
    gauge('go_memstats_heap_inuse_bytes', 'The same as nodejs_heap_size_used_bytes.', used),
    gauge('go_memstats_heap_idle_bytes', 'Memory of the V8 heap that waits for values.', total - used),
    gauge('go_memstats_heap_sys_bytes', 'The same as nodejs_heap_size_total_bytes.', total),
    gauge('go_memstats_sys_bytes', 'The same as process_resident_memory_bytes.', sum('residentBytes')),
  ];
}

function gauge(name: string, help: string, value: number, labels: Labels = {}): Metric {
  return singleMetric({ name, type: 'gauge', help }, value, labels);
}

function counter(name: string, help: string, value: number): Metric {
  return singleMetric({ name, type: 'counter', help }, value);
}
