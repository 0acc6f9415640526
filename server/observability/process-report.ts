/** The measurements of one process of a server. */
import type { ProcessUsage } from '../../services/metrics/process-metrics.js';
import type { HistogramState } from '../../services/metrics/prometheus.js';

export interface ProcessReport {
  readonly durations: readonly HistogramState[];
  readonly usage: ProcessUsage;
}
