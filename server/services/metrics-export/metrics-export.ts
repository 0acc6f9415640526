/** Metrics that are sent to a collector at intervals. */

import type { Metric } from '../metrics/prometheus.js';
import type { PluginLogger } from '../plugin.js';
import type { MetricsExportConfig } from './metrics-export-config.js';

export interface MetricsExport {
  /** Sends the last metrics, for at most `timeMs`. */
  stop(timeMs: number): Promise<void>;
}

/**
 * The packages of OpenTelemetry are loaded only here.
 * @param metrics those of now
 * @param isGuest see `logComplaints`
 */
export async function startMetricsExport(
  config: MetricsExportConfig | undefined,
  metrics: () => Promise<readonly Metric[]>,
  logger: PluginLogger,
  isGuest = false,
): Promise<MetricsExport | undefined> {
  if (config === undefined) return undefined;
  const { OpenTelemetryMetrics } = await import('./open-telemetry-metrics.js');
  return await OpenTelemetryMetrics.start(config, metrics, logger, isGuest);
}
