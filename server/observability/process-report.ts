/** The measurements of one process of a server. */

import type { CheckCounts } from '../gateway/envoy/check-metrics.js';
import type { ProcessUsage } from '../services/metrics/process-metrics.js';
import type { HistogramState } from '../services/metrics/prometheus.js';

export interface ProcessReport {
  readonly durations: readonly HistogramState[];
  readonly usage: ProcessUsage;
  /** The counts of Envoy's checks, where they are measured. */
  readonly checks?: CheckCounts | undefined;
}
