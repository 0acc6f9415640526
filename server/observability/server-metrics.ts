import { processMetrics, processUsage } from '../../services/metrics/process-metrics.js';
import type { Metric } from '../../services/metrics/prometheus.js';
import type { ProcessReport } from './process-report.js';
import type { RequestDurations } from './request-durations.js';

interface Sources {
  readonly durations: RequestDurations;
  readonly plugins: { metrics(): readonly Metric[] };
  /** The measurements of the other processes that share the work; absent without any. */
  readonly others?: (() => Promise<readonly ProcessReport[]>) | undefined;
}

/** The metrics of a whole server, which `/metrics` shows and `metrics_export` sends. */
export async function serverMetrics({ durations, plugins, others }: Sources): Promise<readonly Metric[]> {
  const reports = (await others?.()) ?? [];
  const requests = durations.with(reports.flatMap((report) => report.durations)).metric;
  const usages = [processUsage(), ...reports.map(({ usage }) => usage)];
  return [requests, ...plugins.metrics(), ...processMetrics(usages)];
}
