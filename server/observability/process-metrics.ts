import { buildInfo } from '../../engine/build-info.js';
import { type Family, familyText, type Labels, sampleLine } from './prometheus.js';

/** Measurements of the process, under the names that Prometheus' own clients use. */
export function processText(): string {
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  return [
    gauge('opa_info', 'Always 1; the label is the release of the server.', 1, { version: buildInfo.version }),
    gauge('process_start_time_seconds', 'Unix time at which the process started.', Math.round(performance.timeOrigin) / 1000),
    counter('process_cpu_seconds_total', 'Processor time of the process, in user and in system mode.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Physical memory that the process occupies.', memory.rss),
    gauge('nodejs_heap_size_total_bytes', 'Memory that V8 has reserved for its heap.', memory.heapTotal),
    gauge('nodejs_heap_size_used_bytes', 'Memory of the V8 heap that values take.', memory.heapUsed),
    gauge('nodejs_external_memory_bytes', 'Memory of buffers and native objects outside of the V8 heap.', memory.external),
    gauge('nodejs_version_info', 'Always 1; the label is the release of Node.', 1, { version: process.version }),
  ].join('');
}

function gauge(name: string, help: string, value: number, labels: Labels = {}): string {
  return single({ name, type: 'gauge', help }, value, labels);
}

function counter(name: string, help: string, value: number): string {
  return single({ name, type: 'counter', help }, value, {});
}

function single(family: Family, value: number, labels: Labels): string {
  return familyText(family, [sampleLine(family.name, labels, value)]);
}
