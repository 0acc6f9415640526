import { buildInfo } from '../../engine/build-info.js';
import { type Family, familyText, type Labels, sampleLine } from './prometheus.js';

/** What is known of the process, under the names that Prometheus' own clients use. */
export function processText(): string {
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  return [
    gauge('opa_info', 'Information about the environment the server runs in.', 1, { version: buildInfo.version }),
    gauge(
      'process_start_time_seconds',
      'Start time of the process since unix epoch in seconds.',
      Math.round(performance.timeOrigin) / 1000,
    ),
    counter('process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', (user + system) / 1e6),
    gauge('process_resident_memory_bytes', 'Resident memory size in bytes.', memory.rss),
    gauge('nodejs_heap_size_total_bytes', 'Process heap size from Node.js in bytes.', memory.heapTotal),
    gauge('nodejs_heap_size_used_bytes', 'Process heap size used from Node.js in bytes.', memory.heapUsed),
    gauge('nodejs_external_memory_bytes', 'Node.js external memory size in bytes.', memory.external),
    gauge('nodejs_version_info', 'Node.js version info.', 1, { version: process.version }),
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
