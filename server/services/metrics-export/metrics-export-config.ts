/** The section `metrics_export`. */
import type { ConfigSection } from '../config/config-section.js';
import { type CollectorConfig, collectorSection, configuredMs } from '../otlp/collector-config.js';

export interface MetricsExportConfig extends CollectorConfig {
  readonly intervalMs: number;
  /** At most the interval. */
  readonly timeoutMs: number;
}

/** Undefined where no metrics are sent. Throws a ConfigError. */
export function parseMetricsExport(config: ConfigSection): MetricsExportConfig | undefined {
  const found = collectorSection(config, 'metrics_export', 'otlp/');
  if (found === undefined) return undefined;
  const intervalMs = configuredMs(found.section, 'export_interval_ms', 60_000);
  return {
    ...found.collector,
    intervalMs,
    timeoutMs: Math.min(intervalMs, configuredMs(found.section, 'export_timeout_ms', 30_000)),
  };
}
