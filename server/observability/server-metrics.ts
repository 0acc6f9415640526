import type { Engine } from '../../engine/index.js';
import type { CheckMetrics } from '../gateway/envoy/check-metrics.js';
import { processMetrics, processUsage } from '../services/metrics/process-metrics.js';
import type { Metric } from '../services/metrics/prometheus.js';
import type { Writing } from '../storage/writing.js';
import type { ProcessReport } from './process-report.js';
import type { RequestDurations } from './request-durations.js';
import { storageMetrics } from './storage-metrics.js';

interface Sources {
  /** Undefined where Envoy's checks are not measured. */
  readonly checks?: CheckMetrics | undefined;
  readonly durations: RequestDurations;
  readonly engine: Engine;
  readonly writing: Writing;
  readonly plugins: { metrics(): readonly Metric[] };
  /** The measurements of the other processes that share the work; absent without any. */
  readonly others?: (() => Promise<readonly ProcessReport[]>) | undefined;
}

/** The metrics of a whole server, which `/metrics` shows and `metrics_export` sends. */
export async function serverMetrics({
  durations,
  checks,
  engine,
  writing,
  plugins,
  others,
}: Sources): Promise<readonly Metric[]> {
  const reports = (await others?.()) ?? [];
  const requests = durations.with(reports.flatMap((report) => report.durations)).metric;
  const usages = [processUsage(), ...reports.map(({ usage }) => usage)];
  const checked = checks?.metrics(reports.flatMap((report) => report.checks ?? [])) ?? [];
  const stored = storageMetrics(engine.version.revision, writing.state());
  return [requests, ...checked, ...plugins.metrics(), ...stored, ...processMetrics(usages)];
}
