/** The measurements of one process of a server. */
import type { ProcessUsage } from './process-metrics.js';
import type { HistogramState } from './prometheus.js';

export interface ProcessReport {
  readonly durations: readonly HistogramState[];
  readonly usage: ProcessUsage;
}
